import Arguments
import CardWork
import RedirectFlow

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
    do throws(ExpectationProblem) { return try LoginExpectation(expect) } catch {
      throw .usage("bad-expectation")
    }
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
