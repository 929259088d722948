import Arguments
import CardWork
import RedirectFlow
import SignIn

struct LoginOptions: ParsableArguments {
  @Option(help: .text("option.sp-url", value: "url")) var spUrl: String?
  @Option(bare: BrowserOption.any, help: .text("option.browser", value: "browser"))
  var browser: BrowserOption?
  @Option(help: .text("option.environment", value: "name|file"), completion: .environments)
  var environment: String?
  @Option(help: .text("option.policy", value: "policy")) var policy = PolicyOption.default
  @Option(help: .text("option.consent", value: "consent")) var consent: ConsentOption?
  @Option(help: .text("option.cookies", value: "file"), completion: .file()) var cookies: String?
  @Option(name: "return", help: .text("option.return", value: "channel"))
  var `return` = ReturnOption.loopback
  @Option(help: .text("option.qr", value: "file"), completion: .file()) var qr: String?
  @Option(help: .text("option.timeout", value: "seconds")) var timeout = 30
  @Option(help: .text("option.deadline", value: "seconds")) var deadline = 180
  @Flag(help: .text("option.verbose")) var verbose = false
  @Flag(help: .text("option.stay")) var stay = false
  @Option(help: .text("option.config", value: "file"), completion: .file()) var config: String?
}

/// The expected end of a login, and the use of its result.
struct LoginEndOptions: ParsableArguments {
  static let title: String? = "login-end"

  @Option(help: .text("option.expect", value: "text|css|url")) var expect: String?
  @Option(help: .text("option.allow-receiver", value: "url")) var allowReceiver: [String] = []
  @Flag(help: .text("option.show-attributes")) var showAttributes = false
  @Option(help: .text("option.save-page", value: "file"), completion: .file())
  var savePage: String?
  @Flag(help: .text("option.copy")) var copy = false
  @Flag(help: .text("option.open")) var open = false

  func expectation() throws(Failure) -> LoginExpectation? {
    guard let expect else { return nil }
    guard let expectation = LoginExpectation(expect) else { throw .usage("bad-expectation") }
    return expectation
  }

  func receivers() throws(Failure) -> Set<RedirectURL.Origin> {
    var origins: Set<RedirectURL.Origin> = []
    for text in allowReceiver {
      guard let url = try? RedirectURL(text), url.scheme == .https else {
        throw .usage("bad-receiver")
      }
      origins.insert(url.origin)
    }
    return origins
  }

  /// - Throws: `.otherStart` for an option without meaning for a login with this beginning.
  func check(startIsLink isLink: Bool) throws(Failure) {
    if let option = isLink ? ofPage.first : given.first(where: Self.ofLink.contains) {
      throw .otherStart(option: option, needsLink: !isLink)
    }
  }

  private static let ofLink = ["--copy", "--open"]

  /// The given options that are about a login without a browser.
  var ofPage: [String] { given.filter { !Self.ofLink.contains($0) } }
}

enum BrowserOption: String, CaseIterable, ArgumentValue {
  /// The first that is found.
  case any
  case chromium
  case firefox
}

/// The navigation policies of the CieID iOS SDK.
enum PolicyOption: String, CaseIterable, ArgumentValue {
  case `default`
  case universal

  var policy: NavigationPolicy {
    switch self {
    case .default: .default
    case .universal: .universal
    }
  }
}

enum ConsentOption: String, CaseIterable, ArgumentValue {
  case yes
  case no
  case ask
}

/// The route by which the app's answer returns.
enum ReturnOption: String, CaseIterable, ArgumentValue {
  case loopback
  case stdin
}

/// The other sign-in methods, beside the card: those that a service's description offers.
struct SignInOptions: ParsableArguments {
  static let title: String? = "sign-in"

  @Option(help: .text("option.service", value: "file|url"), completion: .file())
  var service: String?
  @Option(help: .text("option.method", value: "method"), completion: .words(SignInMethod.allNames))
  var method: String?
  @Option(help: .text("option.user", value: "name")) var user: String?
  @Option(help: .text("option.provider", value: "provider")) var provider: [String] = []
  @Option(help: .text("option.flow", value: "flow")) var flow: String?
  @Option(help: .text("option.auth-json", value: "file"), completion: .file())
  var authJson: String?
  @Option(help: .text("option.auth-page", value: "file"), completion: .file())
  var authPage: String?
  @Flag(help: .text("option.token-only")) var tokenOnly = false
  @OptionGroup var password = CodeOptions(.password)
  @OptionGroup var code = CodeOptions(.oneTimeCode)

  /// - Throws: for an option that needs --service, if that is missing.
  func check() throws(Failure) {
    guard service == nil, let option = given.first else { return }
    throw .usage("without-service", ["option": option])
  }

  func chosenFlow() throws(Failure) -> VerificationFlow? {
    guard let flow else { return nil }
    guard let known = VerificationFlow(rawValue: flow) else {
      throw .optionNeeded("--flow", choices: VerificationFlow.allCases.map(\.rawValue))
    }
    return known
  }

  /// The method of --method.
  ///
  /// - Throws: for an unknown name, or one that is not offered.
  func chosen(of offered: [SignInMethod]) throws(Failure) -> SignInMethod? {
    guard let method else { return offered.count == 1 ? offered.first : nil }
    guard let known = SignInMethod(rawValue: method), offered.contains(known) else {
      throw .usage(
        "unknown-method", ["methods": offered.map(\.rawValue).joined(separator: ", ")])
    }
    return known
  }
}

extension SignInMethod {
  /// For completions.
  fileprivate static var allNames: [String] { allCases.map(\.rawValue) }
}
