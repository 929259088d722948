import Foundation
import TestSupport
import Testing
import VirtualCIE

/// The end of `cie-read login --sp-url`: the signs of success, the receiver of the data, and the kept files.
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

  /// The service admits any user; the identity provider refused, and that counts.
  @Test(arguments: [("saml-nr25", "nr25"), ("saml-responder", "service-refused")])
  func `the SAML status outweighs a welcoming page`(_ fault: String, _ name: String)
    throws
  {
    let end = try headless([fault, "sp-welcomes-all"])
    #expect(end.name == name && end.exit == 11)
    #expect(end.object["samlStatus"] as? String == "urn:oasis:names:tc:SAML:2.0:status:Responder")
    // With a good response the same service suffices.
    #expect(try headless(["sp-welcomes-all"]).exit == 0)
  }

  /// A refusal holds even if the identity provider does not ask: no data are sent.
  @Test(arguments: [[], ["consent-skipped"]], ["no", "ask"])
  func `without consent nothing is posted`(_ faults: [String], _ consent: String) throws {
    let end = try headless(faults, consent: consent)
    #expect(end.name == "consent-denied" && end.exit == 11)
    #expect(end.log.contains("authenticated"))
    for posted in ["completion.decide", "what=consume", "logged-in"] {
      #expect(!end.log.contains(posted))
    }
  }

  /// Data that only the service can read are not asked about, even with consent to everything.
  @Test func `a consent page that lists nothing is refused`() throws {
    let end = try headless(["consent-skipped", "saml-encrypted"])
    #expect(end.name == "consent-unlisted" && end.exit == 11)
    #expect(!end.log.contains("what=consume"))
    let shown = try headless(["consent-unlisted"])
    let words = (shown.object["error"] as? [String: Any])?["what"] as? String
    #expect(words?.contains("https://localhost:") == true)
    #expect(!shown.log.contains("completion.decide"))
  }

  /// One attribute is shown, four are in the answer: it is not sent, and the service learns nothing of the person.
  @Test func `an answer with more attributes than shown is not posted`() throws {
    let end = try headless(["consent-partial"])
    #expect(end.name == "more-than-agreed" && end.exit == 15)
    let words = (end.object["error"] as? [String: Any])?["what"] as? String
    #expect(words?.contains("familyName, dateOfBirth, fiscalNumber") == true)
    // The person's yes was sent, the answer to it was not.
    #expect(end.log.contains("completion.decide"))
    #expect(!end.log.contains("what=consume") && !end.log.contains("logged-in"))
  }

  /// An answer that cannot be compared is posted, with a message to the person; the service refuses this one itself.
  @Test func `an encrypted answer is reported as not compared`() throws {
    let sandbox = try LoginSandbox.fresh()
    try sandbox.arm("saml-encrypted")
    let before = try sandbox.log.count
    let result = try Program.run(
      try sandbox.headless("--consent", "yes", "--language", "en"), input: Persona.gemalto.pin)
    #expect(result.errors.contains("only that service can read whether it contains more"))
    #expect(try sandbox.log.dropFirst(before).contains("what=consume"))
  }

  /// The button of the consent form names the receiver of the consent (HTML Living Standard §4.10.22.3).
  @Test func `the target of a button precedes that of its form`() throws {
    let end = try headless(["consent-button"])
    #expect(end.exit == 0)
    #expect(end.log.contains("completion.decide") && !end.log.contains("completion.refuse"))
  }

  /// The page at which it failed, readable by its owner only; and no file when there is no such page.
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

  @Test func `an expectation defines success`() throws {
    for text in ["Benvenuto", "css:dl#profile > dd[data-attribute=name]", "/profile", "url:/prof*"]
    {
      #expect(try headless([], "--expect", text).exit == 0, "\(text)")
    }
    for text in ["Ciao", "css:#profile > p", "/home"] {
      let end = try headless([], "--expect", text)
      #expect(end.name == "not-as-expected" && end.exit == 11, "\(text)")
    }
    // It replaces the program's own checks.
    #expect(try headless(["sp-still-button"], "--expect", "Servizio di prova").exit == 0)
  }

  /// Names always; values on request.
  @Test func `the attributes are named, and shown on request`() throws {
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

  /// The same machine by another name is another site: reported, refused, and allowed on request.
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
    // The service itself does not know the browser under its other name; but it received the request.
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
  func `options that do not match the start are refused`(_ arguments: [String], _ name: String)
    throws
  {
    let (object, result) = try Program.json(["login", "--virtual"] + arguments)
    #expect(try ReportedError(object).name == name)
    #expect(result.exitStatus == 64)
  }
}
