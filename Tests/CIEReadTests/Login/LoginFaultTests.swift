import Foundation
import Messages
import TestSupport
import Testing
import VirtualCIE

/// Every fault that the sandbox knows, as scripts see it: exit status and name.
extension LoginTests {
  /// The expected results; `nil` for a login that succeeds.
  static let outcomes: [String: (exit: CInt, name: String)?] = [
    "server-expired": (15, "server-certificate-expired"),
    "server-wrong-host": (15, "server-certificate-wrong-host"),
    "server-unknown-ca": (15, "server-certificate-unknown-authority"),
    "tls13-only": (11, "server-demands-tls13"), "pss-only": (11, "server-demands-pss"),
    "tls11-only": (14, "tls-failed"), "tls-close": (14, "tls-failed"),
    "tls-slow": (14, "timeout"),
    "refuse-expired": (11, "card-certificate-expired"),
    "refuse-revoked": (11, "card-certificate-revoked"),
    "refuse-unknown-ca": (11, "card-certificate-unknown-authority"),
    "refuse-bad": (11, "card-certificate-refused"), "ask-certificate": nil,
    "http-403": (11, "http-403"), "http-500": (11, "http-500"), "empty": (11, "code-empty"),
    "15-digits": (11, "code-length"), "17-digits": (11, "code-length"),
    "letters": (11, "code-not-digits"), "no-prefix": (11, "code-unmarked"),
    "extra-text": (11, "code-not-digits"), "markup": (11, "code-unmarked"),
    "other-digits": (11, "code-not-digits"), "huge-body": (11, "body-too-large"),
    "endless-body": (11, "body-too-large"), "truncated": (14, "disconnected"),
    "slow": (14, "timeout"), "slow-body": (14, "timeout"), "redirect-once": nil,
    "redirect-loop": (11, "too-many-redirects"), "redirect-host": (15, "left-environment"),
    "redirect-http": (15, "not-https"), "redirect-file": (15, "url-malformed"),
    "codice-unknown": (11, "idp-error-page"), "codice-expired": (11, "idp-error-page"),
    "login-500": (11, "http-500"), "login-empty": (11, "page-empty"),
    "login-error-page": (11, "idp-error-page"), "login-huge": (11, "body-too-large"),
    "login-endless": (11, "body-too-large"), "login-slow": (14, "timeout"),
    "login-redirect-loop": (11, "too-many-redirects"),
    "login-redirect-host": (15, "left-environment"), "login-redirect-http": (15, "not-https"),
    "link-foreign-next": (15, "link-nested-elsewhere"),
    "link-foreign-path": (15, "link-nested-malformed"),
    "link-lookalike-host": (15, "link-foreign-host"), "link-user-info": (15, "link-malformed"),
    "link-repeated-key": (15, "link-repeated-parameter"),
    "link-injected": (15, "link-malformed-parameter"),
    "link-named-codice": (15, "link-malformed-parameter"),
    "link-missing-value": (15, "link-missing-parameter"), "link-http": (15, "link-not-https"),
    "error-nr02": (11, "idp-error-page"), "error-nr03": (11, "idp-error-page"),
    "error-nr23": (11, "nr23"), "consent-unlisted": (11, "consent-unlisted"),
    "consent-partial": (15, "more-than-agreed"), "consent-button": nil, "consent-skipped": nil,
    // The service provider is the judge of the others; a session's first response cannot be a replay.
    "saml-huge": (11, "body-too-large"), "saml-replayed": nil,
    "saml-doctype": (11, "response-unreadable"), "saml-garbage": (11, "response-unreadable"),
    "saml-wrong-destination": (15, "destination-differs"),
    "saml-other-receiver": (15, "receiver-differs"),
    "saml-nr08": (11, "nr08"), "saml-nr09": (11, "nr09"), "saml-nr11": (11, "nr11"),
    "saml-nr12": (11, "nr12"), "saml-nr13": (11, "nr13"), "saml-nr14": (11, "nr14"),
    "saml-nr15": (11, "nr15"), "saml-nr16": (11, "nr16"), "saml-nr17": (11, "nr17"),
    "saml-nr18": (11, "nr18"), "saml-nr21": (11, "nr21"), "saml-nr22": (11, "nr22"),
    "saml-nr23": (11, "nr23"), "saml-nr25": (11, "nr25"),
    // It matters only for a response that is not good.
    "sp-welcomes-all": nil, "sp-still-button": (11, "service-refused"),
    "sp-no-cookie": (11, "no-session"), "sp-hand-off": (15, "hand-off-elsewhere"),
    // The login page has no button.
    "sp-hand-off-link": nil,
  ]

  /// The names in the sandbox's own table, up to those of the other sign-in methods: all of them must be above.
  static func faults() throws -> [String] {
    let table = try BuiltBinary(path: Repository.path("tools/sandbox/run")).run(["--list-faults"])
    return table.output.split(separator: "\n").prefix { !$0.contains("the other ways in") }
      .filter { $0.hasPrefix("  ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  /// One after the other on one sandbox; the output has name and status, nothing personal and no secret.
  @Test func `every fault of the sandbox ends with its name`() throws {
    let sandbox = try LoginSandbox.fresh()
    let directory = try TemporaryDirectory()
    let faults = try Self.faults()
    #expect(faults.count > 60)
    for fault in faults {
      try sandbox.clear()
      // A loop needs its fault more than once.
      try sandbox.arm(fault, once: !fault.hasSuffix("loop"))
      let cookies = directory.path("cookies-\(fault)")
      let (object, result) = try Program.json(
        try sandbox.headless(
          "--consent", "yes", "--timeout", fault.contains("slow") ? "1" : "30", "--cookies",
          cookies), input: Persona.gemalto.pin)
      let other: (exit: CInt, name: String)? =
        fault.hasPrefix("saml-") ? (11, "service-refused") : (-1, "a fault without expectation")
      let expected = Self.outcomes[fault] ?? other
      #expect(result.exitStatus == expected?.exit ?? 0, "\(fault)")
      let error = expected == nil ? nil : try ReportedError(object)
      #expect(error?.name == expected?.name, "\(fault)")
      // No session, no file.
      #expect((try? directory.read("cookies-\(fault)")) == nil || expected == nil, "\(fault)")
      Self.expectNothingPersonal(result.output + result.errors, fault)
    }
  }

  /// The text for people, with each step.
  @Test(arguments: ["", "15-digits", "codice-unknown", "link-injected", "saml-wrapped", "http-500"])
  func `the messages of a failed login hold no secrets`(_ fault: String) throws {
    let sandbox = try LoginSandbox.fresh()
    if !fault.isEmpty { try sandbox.arm(fault) }
    let directory = try TemporaryDirectory()
    let cookies = directory.path("cookies")
    for language in Language.allCases.map(\.rawValue) {
      let result = try Program.run(
        try sandbox.headless(
          "--consent", "yes", "--verbose", "--language", language, "--cookies", cookies),
        input: Persona.gemalto.pin)
      Self.expectNothingPersonal(result.output + result.errors, fault)
      guard let lines = try? directory.read("cookies") else { continue }
      for line in String(decoding: lines, as: UTF8.self).split(separator: "\n").dropFirst() {
        let value = line.split(separator: "\t").last.map(String.init) ?? line.description
        #expect(!(result.output + result.errors).contains(value))
      }
    }
  }

  /// The output of a wrong card call and of the assisted mode has no more; the completed URL is on standard output
  /// alone.
  @Test func `the completed address is on standard output alone`() throws {
    let sandbox = try LoginSandbox.fresh()
    let link = try sandbox.cardLink()
    let result = try Program.run(
      try sandbox.assisted(link, "--verbose"), input: Persona.gemalto.pin)
    #expect(result.output.contains("codice="))
    Self.expectNothingPersonal(result.errors, "assisted")
    let request = try #require(
      link.split(separator: "&").first { $0.hasPrefix("authnRequestString=") })
    #expect(!result.errors.contains(request.dropFirst("authnRequestString=".count)))
  }

  private static func expectNothingPersonal(_ text: String, _ context: String) {
    for secret in Persona.gemalto.secrets + ["codice=", "codice:", "SAMLRe", "authnRequest"] {
      #expect(!text.contains(secret), "\(context): \(secret)")
    }
    #expect(text.firstMatch(of: /\d{15}/) == nil, "\(context)")
  }
}
