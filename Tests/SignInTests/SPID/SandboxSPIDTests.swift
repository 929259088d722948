import Primitives
import Foundation
import Web
import TestSupport
import Testing

@testable import SignIn

/// SPID at the sandbox, whose service provider checks with pysaml2.
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
    #expect(error.cause == .saml(number: number) && error.number == number)
  }

  @Test func `a code that the service does not know ends the sign-in`() async throws {
    let sandbox = try Self.fresh()
    let browser = try await sandbox.signIn(by: .spid).begin().provider.choose("posteid").browser
    try sandbox.arm("spid-return-wrong-code")
    let person = try SandboxPerson(sandbox, as: "password", at: browser.url)
    let error = try await refusal { try await browser.wait() }
    withExtendedLifetime(person) {}
    #expect(error.cause == .expired)
  }

  @Test(arguments: [
    ("spid-return-elsewhere", SignInError.Cause.timedOut),
    ("spid-return-no-code", .exchange(.missingMember("code"))),
  ])
  func `who waits for a browser that does not come back waits no longer than said`(
    _ fault: String, _ reason: SignInError.Cause
  ) async throws {
    let sandbox = try Self.fresh()
    let context = try sandbox.context(patience: .seconds(reason == .timedOut ? 4 : 600))
    let method = try #require(try sandbox.service().description.way(.spid))
    let browser = try await method.begin(context).provider.choose("posteid").browser
    try sandbox.arm(fault)
    let person = try SandboxPerson(sandbox, as: "password", at: browser.url)
    let error = try await refusal { try await browser.wait() }
    withExtendedLifetime(person) {}
    #expect(error.cause == reason)
  }

  @Test(arguments: [("password", 3, 20), ("blocked", 1, 23)])
  func `level 3 without a second factor is nr20, a blocked identity nr23`(
    _ role: String, _ level: Int, _ number: Int
  ) async throws {
    let sandbox = try Self.fresh()
    let browser = try await begun(sandbox, level: level).provider.choose("posteid").browser
    let person = try SandboxPerson(sandbox, as: role, at: browser.url)
    let error = try await refusal { try await browser.wait() }
    withExtendedLifetime(person) {}
    #expect(error.cause == .saml(number: number) && error.number == number)
  }

  /// Response of the service in a file, as from an old back end.
  @Test func `an answer of auth-spid from a file is a request to its provider`() async throws {
    let sandbox = try Self.fresh()
    let entity = "https%3A%2F%2Fposteid.cie-sandbox.invalid%2Fnot-an-identity-provider"
    let url = try sandbox.address("ways") + "spid/auth-spid?level=1&entityId=" + entity
    let file = try BuiltBinary(path: "/usr/bin/curl")
      .run(["--silent", "--cacert", try sandbox.address("ca"), url]).standardOutput
    let port = try RedirectURL(sandbox.address("ways")).port
    #expect(
      try SPIDRequest(json: file, hosts: ["localhost:\(port)"]).destination.path
        == "/spid/idp/posteid/post")
    #expect(throws: SignInError.self) { try SPIDRequest(json: file, hosts: ["localhost"]) }
    let request = try sandbox.service().spidRequest(json: file)
    #expect(request.destination.port == port)
  }

  /// Faults, their place, and the expected cause.
  static let spidFaults: [(fault: String, place: Place, reason: SignInError.Cause?)] = [
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
    ("spid-nr19", .answer, .saml(number: 19)), ("spid-nr20", .answer, .saml(number: 20)),
    ("spid-nr23", .answer, .saml(number: 23)), ("saml-nr08", .answer, .saml(number: 8)),
    ("saml-nr21", .answer, .saml(number: 21)), ("saml-nr22", .answer, .saml(number: 22)),
    ("saml-nr25", .answer, .saml(number: 25)),
    ("saml-responder", .answer, .denied(UntrustedText("status"))),
    ("spid-no-attributes", .answer, .denied(UntrustedText("pysaml2-SignatureError"))),
    ("spid-no-fiscal-number", .answer, .denied(UntrustedText("attributes"))),
    ("spid-other-provider", .answer, .denied(UntrustedText("issuer"))),
    ("saml-wrong-audience", .answer, .denied(UntrustedText("audience"))),
    ("spid-user-no-fiscal-code", .answer, nil),
    ("spid-user-null", .answer, .exchange(.missingMember("codiceFiscale"))),
    ("spid-user-bad-date", .answer, .exchange(.wrongMember("dataNascita"))),
    ("spid-user-more", .answer, nil), ("spid-user-escapes", .answer, nil),
  ]

  enum Place { case list, request, answer }

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

  private func outcome(of fault: String, _ place: Place) async throws -> SignInError.Cause? {
    let sandbox = try Self.fresh()
    do {
      if place == .list { try sandbox.arm(fault) }
      let state = try await begun(sandbox).provider
      if place == .list {
        #expect(state.providers.allSatisfy { !$0.name.display.contains("\u{1B}") })
        return nil
      }
      if place == .request { try sandbox.arm(fault) }
      let browser = try await state.choose("posteid").browser
      if place == .answer { try sandbox.arm(fault) }
      let person = try SandboxPerson(sandbox, as: "password", at: browser.url)
      defer { withExtendedLifetime(person) {} }
      _ = try await browser.wait().account
      return nil
    } catch let error as SignInError { return error.cause }
  }

  private func begun(_ sandbox: Sandbox, level: Int = 1) async throws -> SignInState {
    let text =
      #"{"base":"\#(try sandbox.address("ways"))spid/","level":\#(level),"#
      + #""returnUrl":"http://127.0.0.1/signed-in"}"#
    var entry = try ServiceEntry(JSONValue([UInt8](text.utf8)), folder: nil)
    return try SPIDSignIn(&entry).begin(try sandbox.context(patience: .seconds(30)))
  }
}

/// Person in front of a browser, played by the sandbox's script.
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
      ["--ready", ready.path, "--as", role, "--say", word, "--print", url.text])
  }

  /// Address of the page at which the browser has ended; `nil` if the script printed no address.
  func lastAddress() -> String? { process.firstLine() }
}

/// File that is removed with this object.
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
