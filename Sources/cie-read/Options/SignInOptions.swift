import Arguments
import CardWork
import RedirectFlow
import SignIn

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
