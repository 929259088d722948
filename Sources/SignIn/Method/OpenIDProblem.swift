/// Errors of an OpenID provider other than those of its tokens and of the network.
package enum OpenIDProblem: Sendable, Equatable {
  case refused(OpenIDRefusal)
  case refusedOtherwise(UntrustedText)
  case issuerWrong
  case metadataMissing(String)
  /// This member of the provider metadata has the wrong type, or an address that is not `https`.
  case metadataWrong(String)
  /// This member has the address of a server that the service description does not name.
  case endpointForeign(String)
  /// The provider does not support a required value of this member.
  case notSupported(String)
  /// The authorization response is malformed: neither a code nor an error, or both.
  case answerMalformed
  /// The token type is not Bearer (RFC 6749 §7.1).
  case tokenTypeWrong
  /// A document that must be signed is unsigned.
  case notSigned
  case federation(FederationProblem)
}

/// Error codes of a provider: RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core §3.1.2.6, RFC 7009 §2.2.1, RFC 8628 §3.5,
/// OpenID Federation §8.9; the CIE's rules name most of them.
package enum OpenIDRefusal: String, Sendable, Hashable, CaseIterable {
  case accessDenied = "access_denied"
  case invalidClient = "invalid_client"
  case unauthorizedClient = "unauthorized_client"
  case invalidRequest = "invalid_request"
  case invalidScope = "invalid_scope"
  case invalidRequestObject = "invalid_request_object"
  case invalidRequestURI = "invalid_request_uri"
  case unsupportedResponseType = "unsupported_response_type"
  case loginRequired = "login_required"
  case consentRequired = "consent_required"
  case interactionRequired = "interaction_required"
  case accountSelectionRequired = "account_selection_required"
  case requestNotSupported = "request_not_supported"
  case requestURINotSupported = "request_uri_not_supported"
  case registrationNotSupported = "registration_not_supported"
  case serverError = "server_error"
  case temporarilyUnavailable = "temporarily_unavailable"
  case invalidGrant = "invalid_grant"
  case unsupportedGrantType = "unsupported_grant_type"
  case unsupportedTokenType = "unsupported_token_type"
  case invalidToken = "invalid_token"
  case insufficientScope = "insufficient_scope"
  case authorizationPending = "authorization_pending"
  case slowDown = "slow_down"
  case expiredToken = "expired_token"
  case notFound = "not_found"
  case invalidIssuer = "invalid_issuer"
  case invalidSubject = "invalid_subject"
  case invalidTrustAnchor = "invalid_trust_anchor"
  case invalidTrustChain = "invalid_trust_chain"
  case invalidMetadata = "invalid_metadata"
  case unsupportedParameter = "unsupported_parameter"
}

/// Reasons for which no trust chain leads from a provider to the trust anchor (OpenID Federation §10).
package enum FederationProblem: Sendable, Equatable {
  /// A statement is not a token, or its signature is not verified.
  case statement(TokenProblem)
  case issuerWrong
  case subjectWrong
  /// A statement lacks this member, or has a wrong one.
  case memberWrong(String)
  case noPath
  /// The chain has more superiors than the limit here or than a superior allows.
  case tooLong
  /// A policy cannot be parsed, or contradicts that of a superior.
  case policyUnusable(String)
  case policyForbids(String)
  /// The entity identifier is outside the names that a superior permits below it.
  case nameForbidden
  case noProvider
  /// The provider lacks the trust mark that the service description requires.
  case markMissing
}

extension SignInError {
  init(refusal word: String, _ description: String?) {
    switch OpenIDRefusal(rawValue: word) {
    case .accessDenied: self.init(.denied(UntrustedText(description ?? word)))
    case .invalidScope: self.init(.invalidScope)
    case .expiredToken: self.init(.expired)
    case let refusal?: self.init(.openID(.refused(refusal)))
    case nil: self.init(.openID(.refusedOtherwise(UntrustedText(word))))
    }
  }
}

extension SignInError {
  static func federation(_ problem: FederationProblem) -> SignInError {
    SignInError(.openID(.federation(problem)))
  }

  /// The same error where a statement of a trust chain is the token.
  var ofStatement: SignInError {
    if case .token(let problem) = cause { .federation(.statement(problem)) } else { self }
  }
}
