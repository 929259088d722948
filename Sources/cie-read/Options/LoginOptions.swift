import Arguments
import CardWork
import RedirectFlow
import SignIn

struct LoginOptions: Readable {
  let spUrl: String?
  let browser: BrowserOption?
  let environment: String?
  let policy: PolicyOption
  let consent: ConsentOption?
  let cookies: String?
  let `return`: ReturnOption
  let qr: String?
  let timeout: Int
  let deadline: Int
  let verbose: Bool
  let config: String?
  /// The given options that are about a login without a browser.
  let withoutBrowser: [String]

  init(from inputs: inout Inputs) throws(Failure) {
    spUrl = try inputs.text("sp-url", help: "option.sp-url", value: "url")
    browser = try inputs.option(
      "browser", bare: BrowserOption.any, help: "option.browser", value: "browser")
    environment = try LoginEnvironment.name(from: &inputs)
    policy = try inputs.option(
      "policy", default: .default, help: "option.policy", value: "policy")
    consent = try inputs.option("consent", help: "option.consent", value: "consent")
    cookies = try inputs.text(
      "cookies", help: "option.cookies", value: "file", completion: .file())
    `return` = try inputs.option(
      "return", default: .loopback, help: "option.return", value: "channel")
    qr = try inputs.text("qr", help: "option.qr", value: "file", completion: .file())
    timeout = try inputs.option("timeout", default: 30, help: "option.timeout", value: "seconds")
    deadline = try inputs.option(
      "deadline", default: 180, help: "option.deadline", value: "seconds")
    verbose = try inputs.flag("verbose", help: "option.verbose")
    try inputs.stay()
    config = try inputs.text("config", help: "option.config", value: "file", completion: .file())
    withoutBrowser = inputs.given.filter(["--consent", "--cookies"].contains)
  }
}

extension LoginEnvironment {
  /// The name or the file of one, as an input.
  static func name(
    from inputs: inout Inputs, help: String = "option.environment"
  ) throws(Failure) -> String? {
    try inputs.text("environment", help: help, value: "name|file", completion: .environments)
  }
}

/// The expected end of a login, and the use of its result.
struct LoginEndOptions: Readable {
  static let title: String? = "login-end"

  private let expect: String?
  private let allowReceiver: [String]
  let showAttributes: Bool
  let savePage: String?
  let copy: Bool
  let open: Bool
  private let given: [String]

  init(from inputs: inout Inputs) throws(Failure) {
    let before = inputs.given.count
    expect = try inputs.text("expect", help: "option.expect", value: "text|css|url")
    allowReceiver = try inputs.texts(
      "allow-receiver", help: "option.allow-receiver", value: "url")
    showAttributes = try inputs.flag("show-attributes", help: "option.show-attributes")
    savePage = try inputs.text(
      "save-page", help: "option.save-page", value: "file", completion: .file())
    copy = try inputs.flag("copy", help: "option.copy")
    open = try inputs.flag("open", help: "option.open")
    given = Array(inputs.given.dropFirst(before))
  }

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
struct SignInOptions: Readable {
  static let title: String? = "sign-in"

  let service: String?
  private let method: String?
  let user: String?
  let provider: [String]
  private let flow: String?
  let authJson: String?
  let authPage: String?
  let tokenOnly: Bool
  let password: CodeInput
  let code: CodeInput
  private let given: [String]

  init(from inputs: inout Inputs) throws(Failure) {
    let before = inputs.given.count
    service = try inputs.text(
      "service", help: "option.service", value: "file|url", completion: .file())
    method = try inputs.text(
      "method", help: "option.method", value: "method", completion: .words(SignInMethod.allNames))
    user = try inputs.text("user", help: "option.user", value: "name")
    provider = try inputs.texts("provider", help: "option.provider", value: "provider")
    flow = try inputs.text("flow", help: "option.flow", value: "flow")
    authJson = try inputs.text(
      "auth-json", help: "option.auth-json", value: "file", completion: .file())
    authPage = try inputs.text(
      "auth-page", help: "option.auth-page", value: "file", completion: .file())
    tokenOnly = try inputs.flag("token-only", help: "option.token-only")
    password = try inputs.code(.password)
    code = try inputs.code(.oneTimeCode)
    given = Array(inputs.given.dropFirst(before))
  }

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
