import Foundation
import TestSupport
import Testing
import VirtualCIE

/// How `cie-read login --sp-url` ends: what counts as being in, who gets the data, and what is kept.
extension LoginTests {
  private func headless(
    _ faults: [String], _ arguments: String..., consent: String = "yes"
  ) throws -> (name: String?, exit: CInt?, log: String, object: [String: Any]) {
    let sandbox = try LoginSandbox.fresh()
    let before = try sandbox.log.count
    for fault in faults { try sandbox.arm(fault) }
    let (object, result) = try Program.json(
      try sandbox.headless("--consent", consent) + arguments, input: Persona.gemalto.pin)
    let name = result.exitStatus == 0 ? nil : try ReportedError(object).name
    return (name, result.exitStatus, String(try sandbox.log.dropFirst(before)), object)
  }

  /// The service welcomes everybody; the identity provider said no, and that counts.
  @Test(arguments: [("saml-nr25", "nr25"), ("saml-responder", "service-refused")])
  func `the SAML status counts more than a page that welcomes`(_ fault: String, _ name: String)
    throws
  {
    let end = try headless([fault, "sp-welcomes-all"])
    #expect(end.name == name && end.exit == 11)
    #expect(end.object["samlStatus"] as? String == "urn:oasis:names:tc:SAML:2.0:status:Responder")
    // With a good response the same service is good enough.
    #expect(try headless(["sp-welcomes-all"]).exit == 0)
  }

  /// No is no: also when the identity provider does not ask, nobody gets anything.
  @Test(arguments: [[], ["consent-skipped"]], ["no", "ask"])
  func `without consent nothing is posted`(_ faults: [String], _ consent: String) throws {
    let end = try headless(faults, consent: consent)
    #expect(end.name == "consent-denied" && end.exit == 11)
    #expect(end.log.contains("authenticated"))
    for posted in ["completion.decide", "what=consume", "logged-in"] {
      #expect(!end.log.contains(posted))
    }
  }

  /// What only the service can read is not asked about, even by who agrees to everything.
  @Test func `a consent page that lists nothing is refused`() throws {
    let end = try headless(["consent-skipped", "saml-encrypted"])
    #expect(end.name == "consent-unlisted" && end.exit == 11)
    #expect(!end.log.contains("what=consume"))
    let shown = try headless(["consent-unlisted"])
    let words = (shown.object["error"] as? [String: Any])?["what"] as? String
    #expect(words?.contains("https://localhost:") == true)
    #expect(!shown.log.contains("completion.decide"))
  }

  /// The page at which it failed, for its owner alone; and no file when there is nothing to look into.
  @Test func `the page at which a login failed is saved`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("page.html")
    _ = try headless(["consent-unlisted"], "--save-page", path)
    let page = String(decoding: try directory.read("page.html"), as: UTF8.self)
    #expect(page.contains("alcuni tuoi dati"))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(try headless([], "--save-page", directory.path("other.html")).exit == 0)
    #expect(try directory.fileNames() == ["page.html"])
  }

  @Test func `an expectation decides what success is`() throws {
    for text in ["Benvenuto", "css:dl#profile > dd[data-attribute=name]", "/profile", "url:/prof*"]
    {
      #expect(try headless([], "--expect", text).exit == 0, "\(text)")
    }
    for text in ["Ciao", "css:#profile > p", "/home"] {
      let end = try headless([], "--expect", text)
      #expect(end.name == "not-as-expected" && end.exit == 11, "\(text)")
    }
    // It takes the place of the program's own guesses.
    #expect(try headless(["sp-still-button"], "--expect", "Servizio di prova").exit == 0)
  }

  /// Names always; values for whoever asks.
  @Test func `the attributes are named, and shown when asked for`() throws {
    let names = ["name", "familyName", "dateOfBirth", "fiscalNumber"]
    let plain = try headless([])
    #expect(plain.object["samlStatus"] as? String == "urn:oasis:names:tc:SAML:2.0:status:Success")
    #expect(plain.object["attributes"] as? [String] == names)
    #expect(plain.object["attributeValues"] == nil)
    let shown = try headless([], "--show-attributes")
    let values = shown.object["attributeValues"] as? [[String: Any]]
    #expect(values?.compactMap { $0["name"] as? String } == names)
    #expect(values?.last?["values"] as? [String] == ["TINIT-" + Persona.gemalto.fiscalCode])
  }

  /// The same machine by another name is another site: told, refused, and allowed on request.
  @Test func `a receiver outside the login must be allowed`() throws {
    let sandbox = try LoginSandbox.fresh()
    let page = try sandbox.address("sp").replacing("localhost", with: "127.0.0.1")
    let begin = ["login", "--sp-url", page, "--environment", try sandbox.environment()]
    let arguments = begin + ["--virtual", "--consent", "yes"]
    let before = try sandbox.log.count
    let refused = try Program.run(arguments, input: Persona.gemalto.pin)
    #expect(refused.exitStatus == 15 && refused.errors.contains("[receiver-differs; exit 15]"))
    #expect(refused.errors.contains("https://localhost:") && refused.errors.contains("127.0.0.1"))
    #expect(!(try sandbox.log.dropFirst(before)).contains("what=consume"))
    // The service itself does not know the browser under its other name; it was asked, though.
    let receiver = try sandbox.address("sp")
    let allowed = try Program.run(
      arguments + ["--allow-receiver", receiver], input: Persona.gemalto.pin)
    #expect(allowed.exitStatus == 11 && allowed.errors.contains("[service-refused; exit 11]"))
    #expect((try sandbox.log.dropFirst(before)).contains("what=consume"))
  }

  @Test(arguments: [
    (["--sp-url", "https://a.example/", "--expect", "css:a:hover"], "bad-expectation"),
    (["--sp-url", "https://a.example/", "--expect", " "], "bad-expectation"),
    (["--sp-url", "https://a.example/", "--expect", "url:http://a.example/"], "bad-expectation"),
    (["--sp-url", "https://a.example/", "--allow-receiver", "a.example"], "bad-receiver"),
    (["--sp-url", "https://a.example/", "--allow-receiver", "http://a.example/"], "bad-receiver"),
    (["https://a.example/", "--expect", "x"], "wrong-start"),
    (["https://a.example/", "--save-page", "x"], "wrong-start"),
    (["https://a.example/", "--show-attributes"], "wrong-start"),
  ])
  func `options that do not fit the start are refused`(_ arguments: [String], _ name: String) throws
  {
    let (object, result) = try Program.json(["login", "--virtual"] + arguments)
    #expect(try ReportedError(object).name == name)
    #expect(result.exitStatus == 64)
  }
}
