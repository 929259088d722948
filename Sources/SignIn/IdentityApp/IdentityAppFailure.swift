internal import RedirectFlow

extension SignInError {
  /// A numbered error of the identity app's table.
  static func identityApp(
    _ code: IdentityAppCode, _ context: SignInContext, again: SignInState? = nil
  ) -> SignInError {
    SignInError(
      .identityApp(code), number: code.rawValue, correlationID: context.processID, again: again)
  }

  /// Makes an exchange with the identity app's server; its failure has a number of the table.
  static func onIdentityAppLine(
    _ context: SignInContext, _ body: () async throws(ExchangeProblem) -> ServiceAnswer
  ) async throws(SignInError) -> ServiceAnswer {
    do throws(ExchangeProblem) { return try await body() } catch {
      switch error {
      case .http(.cancelled): throw SignInError(error)
      // What happened on the network says more than its number.
      case .http:
        throw SignInError(
          .exchange(error), number: IdentityAppCode.unknown.rawValue,
          correlationID: context.processID)
      case .redirected, .notJSON: throw .identityApp(.cannotParseResponse, context)
      case .repeatedMember, .missingMember, .wrongMember:
        throw .identityApp(.cannotParseResponseData, context)
      case .notHTTPS, .foreignHost, .unusableToken: throw .identityApp(.invalidRequest, context)
      }
    }
  }

  /// Whether the next question may get an answer: the network failed, or the server was asked too often.
  var mayPass: Bool {
    switch reason {
    case .exchange(.http), .tooManyRequests: true
    default: false
    }
  }

  /// How long the server wants not to be asked, in seconds.
  var retryAfter: Int {
    if case .tooManyRequests(let seconds?) = reason { seconds } else { 0 }
  }
}

extension IdentityAppCode {
  /// What a refusing status of the server means.
  init(status: Int) {
    self = status >= 400 && status < 600 ? IdentityAppCode(rawValue: status) ?? .unknown : .unknown
  }

  /// The number that the kit has for what is wrong in a description; `nil` for what it does not know.
  package init?(_ problem: ServiceProblem) {
    switch problem {
    case .missingMember("appId"): self = .cannotFindApplicationId
    case .missingMember("mobileId"): self = .cannotFindBundleId
    case .missingMember("secretFile"): self = .cannotFindSecret
    case .wrongMember("returnScheme"): self = .redirectSchemeMismatch
    default: return nil
    }
  }
}
