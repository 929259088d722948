package import RedirectFlow

/// What goes wrong with an OpenID provider, beyond its tokens and the network.
package enum OpenIDProblem: Error, Sendable, Equatable {
  /// The provider refused, in a word of its tables.
  case refused(OpenIDRefusal)
  /// The provider refused in a word that no table has.
  case refusedOtherwise(UntrustedText)
  /// The document of an issuer names another one.
  case issuerWrong
  /// The provider's description lacks this member.
  case metadataMissing(String)
  /// This member of the provider's description is of the wrong kind, or an address that is not `https`.
  case metadataWrong(String)
  /// This member leads to a server that the service's description does not name.
  case endpointForeign(String)
  /// The provider cannot do what is needed: what stands in this member.
  case notSupported(String)
  /// The answer that came through the browser is none: neither a code nor an error, or both.
  case answerMalformed
  /// A token of another type than Bearer (RFC 6749 §7.1).
  case tokenTypeWrong
  /// A document that must be signed is not.
  case notSigned
  /// The provider is not part of the federation.
  case federation(FederationProblem)
}

/// The words with which a provider refuses: RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core §3.1.2.6, RFC 7009 §2.2.1,
/// RFC 8628 §3.5, OpenID Federation §8.9; the CIE's rules name most of them.
package enum OpenIDRefusal: String, Error, Sendable, Hashable, CaseIterable {
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

/// Why no chain of trust leads from a provider to the anchor (OpenID Federation §10).
package enum FederationProblem: Error, Sendable, Equatable {
  /// A statement that is no token, or proves nothing.
  case statement(TokenProblem)
  /// A statement by somebody else than it should be.
  case issuerWrong
  /// A statement about somebody else.
  case subjectWrong
  /// A statement without this member, or with a wrong one.
  case memberWrong(String)
  /// No superior leads to the anchor.
  case noPath
  /// More superiors than are asked, or than a superior allows.
  case tooLong
  /// A policy that cannot be read, or contradicts that of a superior.
  case policyUnusable(String)
  /// The policy forbids what the provider says in this member.
  case policyForbids(String)
  /// The name of an entity is not one of those that a superior allows below it.
  case nameForbidden
  /// The chain ends up without a description of an OpenID provider.
  case noProvider
  /// The provider does not bear the mark that the service's description asks for.
  case markMissing
}

extension SignInError {
  /// An answer that refuses, in the provider's words if it has any.
  package init(refusedBy answer: ServiceAnswer) {
    guard let word = answer.text("error") else {
      self.init(
        answer.status == 429
          ? .tooManyRequests(retryAfter: answer.retryAfter) : .status(answer.status))
      return
    }
    self.init(refusal: word, answer.text("error_description"))
  }

  /// A word with which a provider refuses.
  package init(refusal word: String, _ description: String?) {
    guard let refusal = OpenIDRefusal(rawValue: word) else {
      self.init(.openID(.refusedOtherwise(UntrustedText(word))))
      return
    }
    switch refusal {
    case .accessDenied: self.init(.denied(UntrustedText(description ?? word)))
    case .invalidScope: self.init(.invalidScope)
    case .expiredToken: self.init(.expired)
    case .invalidClient, .unauthorizedClient, .invalidRequest, .invalidRequestObject,
      .invalidRequestURI, .unsupportedResponseType, .loginRequired, .consentRequired,
      .interactionRequired, .accountSelectionRequired, .requestNotSupported,
      .requestURINotSupported, .registrationNotSupported, .serverError, .temporarilyUnavailable,
      .invalidGrant, .unsupportedGrantType, .unsupportedTokenType, .invalidToken,
      .insufficientScope, .authorizationPending, .slowDown, .notFound, .invalidIssuer,
      .invalidSubject, .invalidTrustAnchor, .invalidTrustChain, .invalidMetadata,
      .unsupportedParameter:
      self.init(.openID(.refused(refusal)))
    }
  }
}
