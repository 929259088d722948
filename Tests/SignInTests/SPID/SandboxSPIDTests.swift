import CIECard
import Foundation
import RedirectFlow
import System
import TestSupport
import Testing

@testable import SignIn

/// SPID at the sandbox, whose service provider judges with pysaml2.
extension SandboxSignInTests {
  @Test
  func `a browser signs in at a provider of SPID and comes back, and the data have the 17 fields`()
    async throws
  {
    let sandbox = try Self.fresh()
    let state = try await sandbox.signIn(by: .spid).begin().provider
    #expect(
      state.providers.map(\.identifier) == [
        "posteid", "timid", "namirialid", "infocertid", "sielteid", "spiditalia", "arubaid",
      ])
    #expect(state.explanations.count == 2)
    let browser = try await state.choose("timid").browser
    let person = try SandboxPerson(sandbox, as: "password", at: browser.url)
    let account = try await browser.wait().account
    withExtendedLifetime(person) {}
    #expect(AccountField.allCases.allSatisfy { account.claims[$0] != nil })
    #expect(account.claims.all.count == 17 && account.method == "spid")
    #expect(account.claims[.codiceFiscale] == "PRVGSM80X99Z999G")
    #expect(account.claims[.dataNascita] == "1980-01-11" && account.claims[.sesso] == "F")
  }

  @Test(arguments: [("cancel", 25), ("deny", 22), ("idle", 21)])
  func `a person who does not go on at the provider is not signed in, under its number`(
    _ word: String, _ number: Int
  ) async throws {
    let sandbox = try Self.fresh()
    let browser = try await sandbox.signIn(by: .spid).begin().provider.choose("posteid").browser
    let person = try SandboxPerson(sandbox, as: "password", saying: word, at: browser.url)
    let error = try await refusal { try await browser.wait() }
    withExtendedLifetime(person) {}
    #expect(error.reason == .saml(number: number) && error.number == number)
  }

  @Test func `a code that the service does not know ends the sign-in`() async throws {
    let sandbox = try Self.fresh()
    let browser = try await sandbox.signIn(by: .spid).begin().provider.choose("posteid").browser
    try sandbox.arm("spid-return-wrong-code")
    let person = try SandboxPerson(sandbox, as: "password", at: browser.url)
    let error = try await refusal { try await browser.wait() }
    withExtendedLifetime(person) {}
    #expect(error.reason == .expired)
  }

  @Test(arguments: ["spid-return-elsewhere", "spid-return-no-code"])
  func `who waits for a browser that does not come back waits no longer than said`(
    _ fault: String
  ) async throws {
    let sandbox = try Self.fresh()
    let context = try sandbox.context(patience: .seconds(4))
    let method = try #require(try sandbox.service().description.method(.spid))
    let browser = try await method.begin(context).provider.choose("posteid").browser
    try sandbox.arm(fault)
    let person = try SandboxPerson(sandbox, as: "password", at: browser.url)
    let error = try await refusal { try await browser.wait() }
    withExtendedLifetime(person) {}
    #expect(error.reason == .timedOut)
  }

  @Test func `without a browser the test server's pages are states: name, password, code, consent`()
    async throws
  {
    let sandbox = try Self.fresh()
    let user = try sandbox.user("password")
    let start = try await headless(sandbox, level: 2).provider.choose("arubaid")
    let wrong = try await refusal {
      try await start.userName.submit(user.name).password.submit(.typed("wrong"))
    }
    #expect(wrong.isInvalidPassword)
    let code = try await (try #require(wrong.again)).userName.submit(user.name)
      .password.submit(.typed(user.password)).code
    #expect(code.length == nil && !code.canResend)
    let other = try await refusal { try await code.submit(.typed("x")) }
    #expect(other.isInvalidCode)
    let consent = try await (try #require(other.again)).code
      .submit(.typed(try sandbox.code())).consent
    #expect(consent.request.attributes.count == 17)
    #expect(
      consent.request.serviceProvider == (try RedirectURL(sandbox.address("ways"))).origin)
    let account = try await consent.answer(true).account
    #expect(account.claims.all.count == 17 && account.claims[.nome] == "GELSOMINA")
  }

  @Test
  func
    `three wrong passwords end the sign-in with nr19, level 3 with nr20, a blocked identity with nr23`()
    async throws
  {
    let sandbox = try Self.fresh()
    let user = try sandbox.user("password")
    var state = try await headless(sandbox, level: 1).provider.choose("posteid")
    for number in 1...3 {
      let error = try await refusal {
        try await state.userName.submit(user.name).password.submit(.typed("wrong"))
      }
      #expect(error.reason == (number < 3 ? .invalidCredentials : .saml(number: 19)))
      if let again = error.again { state = again }
    }
    for (role, level, number) in [("password", 3, 20), ("blocked", 1, 23)] {
      let user = try sandbox.user(role)
      let error = try await refusal {
        try await headless(sandbox, level: level).provider.choose("posteid").userName
          .submit(user.name).password.submit(.typed(user.password))
      }
      #expect(error.reason == .saml(number: number) && error.number == number)
    }
  }

  @Test func `whoever does not consent at a test server is not signed in`() async throws {
    let sandbox = try Self.fresh()
    let consent = try await atConsent(sandbox)
    #expect(
      try await refusal { try await consent.answer(false) }.reason == .login(.consentDenied))
  }

  /// The answer of the service as a file, as an old back end has it.
  @Test func `an answer of auth-spid from a file goes the same way`() async throws {
    let sandbox = try Self.fresh()
    let user = try sandbox.user("password")
    let entity = "https%3A%2F%2Fposteid.cie-sandbox.invalid%2Fnot-an-identity-provider"
    let url = try sandbox.address("ways") + "spid/auth-spid?level=1&entityId=" + entity
    let file = try BuiltBinary(path: "/usr/bin/curl")
      .run(["--silent", "--cacert", try sandbox.address("ca"), url]).standardOutput
    let method = try spid(sandbox, level: 1)
    let account = try await method.begin(with: file, try sandbox.context()).userName
      .submit(user.name).password.submit(.typed(user.password)).consent.answer(true).account
    #expect(account.claims.all.count == 17)
    let port = try RedirectURL(sandbox.address("ways")).port
    #expect(
      try SPIDRequest(json: file, hosts: ["localhost:\(port)"]).destination.path
        == "/spid/idp/posteid/post")
    #expect(throws: SignInError.self) { try SPIDRequest(json: file, hosts: ["localhost"]) }
    let request = try sandbox.service().spidRequest(json: file)
    #expect(request.destination.port == port)
    let assisted = try spid(sandbox, level: 1, isAssisted: true)
    let error = try await refusal { try await assisted.begin(with: file, try sandbox.context()) }
    #expect(error.reason == .notOffered)
  }

  /// A fault, where it acts, and what comes of it.
  static let spidFaults: [(fault: String, place: Place, reason: SignInError.Reason?)] = [
    ("spid-list-empty", .list, .exchange(.wrongMember("identityProviders"))),
    ("spid-list-twice", .list, .exchange(.wrongMember("identityProviders"))),
    ("spid-list-unknown", .list, nil), ("spid-list-escapes", .list, nil),
    ("spid-list-long", .list, .exchange(.http(.bodyTooLarge(limit: 256 << 10)))),
    ("spid-201", .list, .exchange(.notJSON(status: 201))),
    ("spid-501", .list, .status(501)),
    ("spid-http-destination", .request, .exchange(.notHTTPS)),
    ("spid-script-destination", .request, .exchange(.wrongMember("destinationUrl"))),
    ("spid-foreign-request", .request, .exchange(.wrongMember("xmlAuthRequest"))),
    ("spid-oversized", .request, .exchange(.http(.bodyTooLarge(limit: 256 << 10)))),
    ("spid-not-base64", .request, .exchange(.wrongMember("xmlAuthRequest"))),
    ("spid-202", .request, .exchange(.notJSON(status: 202))),
    ("spid-204", .request, .exchange(.notJSON(status: 204))),
    ("spid-206", .request, .exchange(.notJSON(status: 206))),
    ("spid-502", .request, .status(502)),
    ("spid-nr19", .consent, .saml(number: 19)), ("spid-nr20", .consent, .saml(number: 20)),
    ("spid-nr23", .consent, .saml(number: 23)), ("saml-nr08", .consent, .saml(number: 8)),
    ("saml-nr21", .consent, .saml(number: 21)), ("saml-nr22", .consent, .saml(number: 22)),
    ("saml-nr25", .consent, .saml(number: 25)), ("saml-responder", .consent, .saml(number: nil)),
    ("saml-doctype", .consent, .login(.response(.documentType))),
    ("saml-garbage", .consent, .login(.response(.notXML))),
    ("spid-no-attributes", .consent, .denied(UntrustedText("pysaml2-SignatureError"))),
    ("spid-no-fiscal-number", .consent, .denied(UntrustedText("attributes"))),
    ("spid-other-provider", .consent, .denied(UntrustedText("issuer"))),
    ("saml-wrong-audience", .consent, .denied(UntrustedText("audience"))),
    ("spid-user-no-fiscal-code", .consent, nil),
    ("spid-user-null", .consent, .exchange(.missingMember("codiceFiscale"))),
    ("spid-user-bad-date", .consent, .exchange(.wrongMember("dataNascita"))),
    ("spid-user-more", .consent, nil), ("spid-user-escapes", .consent, nil),
  ]

  enum Place { case list, request, consent }

  @Test(arguments: spidFaults.indices)
  func `each fault of SPID is seen for what it is`(_ index: Int) async throws {
    let (fault, place, reason) = Self.spidFaults[index]
    let found = try await outcome(of: fault, place)
    #expect(found == reason, "\(fault): \(String(describing: found))")
  }

  @Test func `a request to another server is not sent`() async throws {
    guard
      case .exchange(.foreignHost(let origin)) = try await outcome(
        of: "spid-wrong-destination", .request)
    else {
      Issue.record("not refused")
      return
    }
    #expect(origin.host == "elsewhere.cie-sandbox.invalid")
  }

  private func outcome(of fault: String, _ place: Place) async throws -> SignInError.Reason? {
    let sandbox = try Self.fresh()
    do {
      if place == .list { try sandbox.arm(fault) }
      let state = try await headless(sandbox, level: 1).provider
      if place == .list {
        #expect(state.providers.allSatisfy { !$0.name.display.contains("\u{1B}") })
        return nil
      }
      if place == .request { try sandbox.arm(fault) }
      let user = try sandbox.user("password")
      let consent = try await state.choose("posteid").userName.submit(user.name)
        .password.submit(.typed(user.password)).consent
      try sandbox.arm(fault)
      _ = try await consent.answer(true).account
      return nil
    } catch let error as SignInError { return error.reason }
  }

  private func atConsent(_ sandbox: Sandbox) async throws -> ConsentRequired {
    let user = try sandbox.user("password")
    return try await headless(sandbox, level: 1).provider.choose("posteid").userName
      .submit(user.name).password.submit(.typed(user.password)).consent
  }

  private func headless(_ sandbox: Sandbox, level: Int) async throws -> SignInState {
    try await spid(sandbox, level: level).begin(try sandbox.context())
  }

  private func spid(
    _ sandbox: Sandbox, level: Int, isAssisted: Bool = false
  ) throws -> SPIDSignIn {
    let text =
      #"{"base":"\#(try sandbox.address("ways"))spid/","level":\#(level),"assisted":\#(isAssisted)}"#
    var entry = try ServiceEntry(JSONValue([UInt8](text.utf8)), folder: nil)
    return try SPIDSignIn(&entry)
  }
}

/// Somebody in front of a browser, played by the sandbox's own script.
final class SandboxPerson {
  private let process: BackgroundProcess
  private let ready: TemporaryFile

  init(_ sandbox: Sandbox, as role: String, saying word: String = "accept", at url: RedirectURL)
    throws
  {
    let data = try JSONSerialization.data(withJSONObject: sandbox.addresses)
    ready = try TemporaryFile(data)
    process = try BackgroundProcess(
      Repository.path("tools/sandbox/person"),
      ["--ready", ready.path, "--as", role, "--say", word, url.text])
  }
}

/// A file that ends with this object.
final class TemporaryFile {
  let path: String

  init(_ data: Data) throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("cie-read-\(UUID().uuidString).json").path
    try data.write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
