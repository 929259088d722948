import TestSupport
import Testing
import VirtualCIE

/// The login at a terminal: the receiver of the certificate, then the PIN, then the question for consent.
extension LoginTests {
  @Test(arguments: [("y", 0), ("s", 0), ("", 11), ("n", 11), ("yesterday", 11)])
  func `consent is asked for on the terminal`(_ answer: String, _ status: CInt) throws {
    let sandbox = try LoginSandbox.fresh()
    let session = try TerminalTests().play(
      [
        "expect=will receive the card's certificate", "expect=PIN (8 digits, 3 tries left): ",
        "type=\(Persona.gemalto.pin)", "expect=Cognome: PROVA", "expect=Consent? [y/N] ",
        "type=\(answer)",
      ], try sandbox.headless())
    #expect(session.status == status && session.stepsLeft.isEmpty)
    // Only the PIN is typed without echo.
    #expect(session.echo.dropFirst() == [false, true, true] && session.echoAfter)
  }

  /// A yes in the language of the question.
  @Test(arguments: [
    ("it", "Acconsentire? [s/N] ", "sì", 0), ("de", "Einwilligen? [j/N] ", "j", 0),
    ("de", "Einwilligen? [j/N] ", "s", 11), ("fr", "Consentir\u{A0}? [o/N] ", "oui", 0),
    ("fr", "Consentir\u{A0}? [o/N] ", "n", 11), ("sl", "Privolite? [d/N] ", "da", 0),
    ("sl", "Privolite? [d/N] ", "j", 11),
  ])
  func `consent is given in the language of the question`(
    _ language: String, _ question: String, _ answer: String, _ status: CInt
  ) throws {
    let sandbox = try LoginSandbox.fresh()
    let session = try TerminalTests().play(
      ["expect=PIN (8 ", "type=\(Persona.gemalto.pin)", "expect=\(question)", "type=\(answer)"],
      try sandbox.headless("--language", language))
    #expect(session.status == status && session.stepsLeft.isEmpty)
  }

  /// The same machine by another name, at which the service's login did not begin: a person may recognise it.
  @Test(arguments: [("y", 11, "service-refused"), ("n", 15, "receiver-differs")])
  func `an unannounced receiver requires a question`(
    _ answer: String, _ status: CInt, _ name: String
  ) throws {
    let sandbox = try LoginSandbox.fresh()
    let page = try sandbox.address("sp").replacing("localhost", with: "127.0.0.1")
    let before = try sandbox.log.count
    let session = try TerminalTests().play(
      [
        "expect=PIN (8 digits, 3 tries left): ", "type=\(Persona.gemalto.pin)",
        "expect=Consent? [y/N] ", "type=y", "expect=began at https://127.0.0.1",
        "expect=may it have them? [y/N] ", "type=\(answer)", "expect=[\(name)",
      ], ["login", "--sp-url", page, "--environment", try sandbox.environment(), "--virtual"])
    #expect(session.status == status && session.stepsLeft.isEmpty)
    // The service gets a request only after a yes; it does not know the browser under its other name.
    #expect(try sandbox.log.dropFirst(before).contains("what=consume") == (answer == "y"))
  }

  /// Even with --json and standard error redirected, a person who types a PIN has read the receiver of the certificate.
  @Test(arguments: [("PIN (8 digits, 3 tries left)", 130), ("Consent? [y/N]", 130)])
  func `a signal ends the question for consent`(_ question: String, _ status: CInt) throws {
    let sandbox = try LoginSandbox.fresh()
    let pin = ["expect=PIN (8 digits, 3 tries left): ", "type=\(Persona.gemalto.pin)"]
    let session = try TerminalTests().play(
      ["expect=will receive the card's certificate"] + (question.hasPrefix("PIN") ? [] : pin)
        + ["expect=\(question)", "signal=INT"], try sandbox.headless("--json"))
    #expect(session.status == status && session.echoAfter)
  }
}
