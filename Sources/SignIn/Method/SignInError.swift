/// Error of a step of a sign-in, without personal data or secrets.
///
/// Programs decide by `reason`; `description` has a sentence.
public struct SignInError: Error, Sendable, CustomStringConvertible {
  package let cause: Cause
  /// Identifier of the request in the server's log; else the identifier of this sign-in.
  public let correlationID: String?
  /// Error number in the method's own table.
  public let number: Int?
  /// State in which to continue: the same one again after a wrong code; `nil` if the sign-in is over.
  public let again: SignInState?

  package init(
    _ cause: Cause, number: Int? = nil, correlationID: String? = nil, again: SignInState? = nil
  ) {
    self.cause = cause
    self.number = number
    self.correlationID = correlationID
    self.again = again
  }

  /// Copy with an identifier for the server's log, if it has none.
  func correlated(_ identifier: String) -> SignInError {
    SignInError(
      cause, number: number, correlationID: correlationID ?? identifier, again: again)
  }

  package enum Cause: Sendable, Equatable {
    /// A server was not reached, or its response cannot be used.
    case exchange(ExchangeProblem)
    /// The server returned this status without a known error code.
    case status(Int)
    /// The server is overloaded or rejects the number of requests; the seconds to wait, if it names them.
    case tooManyRequests(retryAfter: Int?)
    case userNotFound
    case invalidUserName
    /// Name and password do not match; the server does not say which is wrong.
    case invalidCredentials
    case invalidPassword
    case noPassword
    /// The password must be changed first, at the provider.
    case passwordResetRequired
    /// The code is wrong, or has another length.
    case invalidCode
    /// The code, or its request, has expired or was used.
    case expired
    /// The provider has locked this way in for the account.
    case methodBlocked
    /// The provider rejects this kind of challenge for the second factor.
    case invalidChallenge
    /// The provider requires the person to set up a second factor first.
    case registrationRequired
    /// The step needs a browser, at the provider.
    case browserRequired
    /// The client does not get the requested scope.
    case invalidScope
    /// The refresh token has expired or was revoked: a new sign-in is needed.
    case refreshTokenExpired
    /// The client is unknown, or its key or secret is wrong: for the developer of the service.
    case clientRefused
    /// The server rejects the request as malformed: for the developer of the service; the server's error code.
    case badRequest(UntrustedText)
    /// The person or the provider refused; the provider's text.
    case denied(UntrustedText)
    /// The provider ends the sign-in with a result page in its own words.
    case template(ResultTemplate)
    /// An identity provider's SAML response has an error status.
    case saml(number: Int?)
    case token(TokenProblem)
    /// The client's key cannot be used; its file.
    case clientKey(ClientKeyProblem, path: String)
    /// An OpenID provider refused, or is not trusted.
    case openID(OpenIDProblem)
    /// The response does not match the request: another state, process or issuer.
    case otherSession
    /// The choice is not on the list, or not available.
    case unknownProvider
    /// The method has no such step.
    case notOffered
    case timedOut
    /// The person or the program cancelled.
    case cancelled
    case notSignedIn
    /// The service description can no longer be used.
    case description(ServiceProblem)
    case store(SessionStoreError)
    /// A file of the service description cannot be used.
    case file(String)
    /// A submitted address is not that at which the sign-in ends.
    case returnAddress
    case listener
    /// The system has no random bytes, or a cryptographic operation failed.
    case cryptography
  }

  /// The sentence of its diagnosis, number and correlation identifier.
  public var description: String {
    let numbers = [number.map { "(\($0))" }, correlationID.map { "[\($0)]" }]
    return ([Diagnosis(self).description] + numbers.compactMap { $0 }).joined(separator: " ")
  }
}

/// Result page of the government kit's servers: texts and buttons, to be shown as text.
public struct ResultTemplate: Sendable, Equatable {
  /// Title.
  public let title: UntrustedText
  /// Message; empty if there is none.
  public let text: UntrustedText
  /// Labels of the buttons.
  public let buttons: [UntrustedText]

  /// True if the result only has to be closed, because the person did nothing wrong.
  public let isClosing: Bool

  package init(title: String, text: String, buttons: [String], isClosing: Bool = false) {
    self.title = UntrustedText(title)
    self.text = UntrustedText(text)
    self.buttons = buttons.map(UntrustedText.init)
    self.isClosing = isClosing
  }
}
