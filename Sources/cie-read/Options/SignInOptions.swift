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
  @OptionGroup var password: CodeOptions<PasswordCode>
  @OptionGroup var code: CodeOptions<OneTimeCode>

  /// The options without meaning unless --service is given, each with a flag if given.
  private var ofService: [(String, Bool)] {
    [
      ("--method", method != nil), ("--user", user != nil), ("--provider", !provider.isEmpty),
      ("--auth-json", authJson != nil), ("--auth-page", authPage != nil),
      ("--flow", flow != nil), ("--token-only", tokenOnly),
      ("--password-fd", password.descriptor != nil), ("--password-file", password.file != nil),
      ("--code-fd", code.descriptor != nil), ("--code-file", code.file != nil),
    ]
  }

  /// - Throws: `.withoutService` for an option that needs --service, if that is missing.
  func check() throws(Failure) {
    guard service == nil, let option = ofService.first(where: \.1) else { return }
    throw .usage(.withoutService(option: option.0))
  }

  /// The flow of --flow.
  ///
  /// - Throws: `.unknownFlow` for an unknown word.
  func chosenFlow() throws(Failure) -> VerificationFlow? {
    guard let flow else { return nil }
    guard let known = VerificationFlow(rawValue: flow) else {
      throw .usage(.optionNeeded("--flow", choices: VerificationFlow.allCases.map(\.rawValue)))
    }
    return known
  }

  /// The method of --method.
  ///
  /// - Throws: `.unknownMethod` for an unknown name, or one that is not offered.
  func chosen(of offered: [SignInMethod]) throws(Failure) -> SignInMethod? {
    guard let method else { return offered.count == 1 ? offered.first : nil }
    guard let known = SignInMethod(rawValue: method), offered.contains(known) else {
      throw .usage(.unknownMethod(offered: offered.map(\.rawValue)))
    }
    return known
  }
}

extension SignInMethod {
  /// For completions.
  fileprivate static var allNames: [String] { allCases.map(\.rawValue) }
}

enum PasswordCode: HolderCode {
  static var role: CodeRole { .password }
}

enum OneTimeCode: HolderCode {
  static var role: CodeRole { .oneTimeCode }
}
