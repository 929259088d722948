import ArgumentParser
import RedirectFlow

/// What a login is to be like.
struct LoginOptions: ParsableArguments {
  @Option(
    help: .text("option.sp-url", value: "url"))
  var spUrl: String?

  @Option(
    help: .text("option.environment", value: "name|file"))
  var environment: String?

  @Option(
    help: .text("option.policy", value: "policy"))
  var policy = PolicyOption.default

  @Option(
    help: .text("option.consent", value: "consent"))
  var consent: ConsentOption?

  @Option(
    help: .text("option.cookies", value: "file"))
  var cookies: String?

  @Option(
    name: .customLong("return"),
    help: .text("option.return", value: "channel"))
  var `return` = ReturnOption.loopback

  @Option(
    help: .text("option.qr", value: "file"))
  var qr: String?

  @Option(
    help: .text("option.timeout", value: "seconds"))
  var timeout = 30

  @Option(
    help: .text("option.deadline", value: "seconds"))
  var deadline = 180

  @Flag(
    help: .text("option.verbose"))
  var verbose = false

  @Option(
    help: .text("option.config", value: "file"))
  var config: String?
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
