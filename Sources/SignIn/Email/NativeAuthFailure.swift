/// Requests of native authentication, by their paths below the authority.
enum NativeAuthRequest: CaseIterable {
  case initiate
  case challenge
  case introspect
  case token

  var path: StaticString {
    switch self {
    case .initiate: "oauth2/v2.0/initiate"
    case .challenge: "oauth2/v2.0/challenge"
    case .introspect: "oauth2/v2.0/introspect"
    case .token: "oauth2/v2.0/token"
    }
  }
}

/// Error response: `error`, `suberror`, `error_codes` and their meaning for a request (MSAL for iOS,
/// `MSALNativeAuthESTSApiErrorCodes`, `MSALNativeAuthSubErrorCode`, and the validators of its responses).
struct NativeAuthFailure {
  let answer: ServiceAnswer
  let request: NativeAuthRequest

  /// Error, with the state in which to try again if that makes sense.
  func error(_ again: SignInState?) -> SignInError {
    let reason = reason
    return SignInError(
      reason, number: codes.first, correlationID: correlationID,
      again: reason.mayBeTriedAgain ? again : nil)
  }

  /// Server's identifier of the request. It is logged unchanged, so it must have the form of one: hexadecimal digits
  /// and hyphens, as in a UUID.
  private var correlationID: String? {
    answer.text("correlation_id").flatMap { text in
      (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(Self.isOfNumber) ? text : nil
    }
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || UnicodeScalar(byte).properties.isASCIIHexDigit
  }

  /// Continuation token for the second factor, if the first was right but is not enough.
  var secondFactorToken: String? {
    guard ["mfa_required", "introspect_required"].contains(answer.text("suberror")) else {
      return nil
    }
    return answer.text("continuation_token")
  }

  private var codes: [Int] {
    guard case .array(let values) = answer.json?["error_codes"] else { return [] }
    return values.compactMap(\.integer)
  }

  private var reason: SignInError.Cause {
    if answer.status == 429 { return .tooManyRequests(retryAfter: answer.retryAfter) }
    guard let word = answer.text("error") else { return .status(answer.status) }
    if let reason = bySubError ?? byNumber { return reason }
    switch word {
    case "user_not_found": return .userNotFound
    case "invalid_grant":
      return request == .token ? .invalidCredentials : .badRequest(UntrustedText(word))
    case "expired_token": return .expired
    case "invalid_client", "unauthorized_client": return .clientRefused
    case "invalid_scope": return .invalidScope
    case "unsupported_challenge_type": return .browserRequired
    case "access_denied": return .denied(UntrustedText(word))
    default: return .badRequest(UntrustedText(word))
    }
  }

  private var bySubError: SignInError.Cause? {
    switch answer.text("suberror") {
    case "invalid_oob_value": .invalidCode
    case "provider_blocked_by_rep": .methodBlocked
    case "registration_required": .registrationRequired
    case "mfa_required", "introspect_required": .invalidChallenge
    case let word? where word.hasPrefix("password_") || word == "attribute_validation_failed":
      .denied(UntrustedText(word))
    case .some, nil: nil
    }
  }

  /// Cause by the first known error code, which is more specific than the error word.
  private var byNumber: SignInError.Cause? {
    for number in codes {
      switch number {
      case 50034: return .userNotFound
      case 50053: return .methodBlocked
      case 50126: return .invalidPassword
      case 500_222: return .noPassword
      case 50142: return .passwordResetRequired
      case 90100: return request == .initiate ? .invalidUserName : nil
      case 901_001: return .invalidChallenge
      default: continue
      }
    }
    return nil
  }
}

extension SignInError.Cause {
  /// True if the person can correct the input; errors of the provider end the sign-in.
  fileprivate var mayBeTriedAgain: Bool {
    switch self {
    case .invalidCode, .invalidPassword, .invalidCredentials, .userNotFound, .invalidUserName,
      .tooManyRequests:
      true
    default: false
    }
  }
}

extension SignInError {
  /// True if the redeemed token is no longer valid.
  var isOldGrant: Bool {
    switch cause {
    case .invalidCredentials, .expired: true
    default: false
    }
  }
}
