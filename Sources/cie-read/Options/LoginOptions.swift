import ArgumentParser
import RedirectFlow

/// What a login is to be like.
struct LoginOptions: ParsableArguments {
  @Option(help: .text("option.sp-url", value: "url")) var spUrl: String?
  @Option(defaultAsFlag: BrowserOption.any, help: .text("option.browser", value: "[browser]"))
  var browser: BrowserOption?
  @Option(help: .text("option.environment", value: "name|file"), completion: .environments)
  var environment: String?
  @Option(help: .text("option.policy", value: "policy")) var policy = PolicyOption.default
  @Option(help: .text("option.consent", value: "consent")) var consent: ConsentOption?
  @Option(help: .text("option.cookies", value: "file"), completion: .file()) var cookies: String?
  @Option(name: .customLong("return"), help: .text("option.return", value: "channel"))
  var `return` = ReturnOption.loopback
  @Option(help: .text("option.qr", value: "file"), completion: .file()) var qr: String?
  @Option(help: .text("option.timeout", value: "seconds")) var timeout = 30
  @Option(help: .text("option.deadline", value: "seconds")) var deadline = 180
  @Flag(help: .text("option.verbose")) var verbose = false
  @Flag(help: .text("option.stay")) var stay = false
  @Option(help: .text("option.config", value: "file"), completion: .file()) var config: String?
}

/// What a login is to end like, and what becomes of its end.
struct LoginEndOptions: ParsableArguments {
  @Option(help: .text("option.expect", value: "text|css|url")) var expect: String?
  @Option(help: .text("option.allow-receiver", value: "url")) var allowReceiver: [String] = []
  @Flag(help: .text("option.show-attributes")) var showAttributes = false
  @Option(help: .text("option.save-page", value: "file"), completion: .file())
  var savePage: String?
  @Flag(help: .text("option.copy")) var copy = false
  @Flag(help: .text("option.open")) var open = false

  /// The expectation.
  func expectation() throws(Failure) -> LoginExpectation? {
    guard let expect else { return nil }
    do throws(ExpectationProblem) { return try LoginExpectation(expect) } catch {
      throw .usage(.expectation)
    }
  }

  /// The origins of --allow-receiver.
  func receivers() throws(Failure) -> Set<RedirectURL.Origin> {
    var origins: Set<RedirectURL.Origin> = []
    for text in allowReceiver {
      guard let url = try? RedirectURL(text), url.scheme == .https else {
        throw .usage(.receiver)
      }
      origins.insert(url.origin)
    }
    return origins
  }

  /// - Throws: `.otherStart` for an option that has no meaning for a login that begins like that.
  func check(startIsLink isLink: Bool) throws(Failure) {
    let withLink = [("--copy", copy), ("--open", open)]
    if let option = (isLink ? ofPage : withLink).first(where: \.1) {
      throw .usage(.otherStart(option: option.0, needsLink: !isLink))
    }
  }

  /// The options of a login without a browser, and whether they were given.
  var ofPage: [(String, Bool)] {
    [
      ("--expect", expect != nil), ("--allow-receiver", !allowReceiver.isEmpty),
      ("--show-attributes", showAttributes), ("--save-page", savePage != nil),
    ]
  }
}

/// In which browser a login is done.
enum BrowserOption: String, CaseIterable, ExpressibleByArgument {
  /// The first that is found.
  case any
  case chromium
  case firefox
}

/// The navigation policies of the CieID iOS SDK.
enum PolicyOption: String, CaseIterable, ExpressibleByArgument {
  case `default`
  case universal

  var policy: NavigationPolicy {
    switch self {
    case .default: .default
    case .universal: .universal
    }
  }
}

/// Who answers the question for consent.
enum ConsentOption: String, CaseIterable, ExpressibleByArgument {
  case yes
  case no
  case ask
}

/// How the app's answer comes back.
enum ReturnOption: String, CaseIterable, ExpressibleByArgument {
  case loopback
  case stdin
}
