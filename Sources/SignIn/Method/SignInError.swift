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

  /// The same error, as the end of what can be refreshed.
  var ofRefresh: SignInError {
    SignInError(.refreshTokenExpired, number: number, correlationID: correlationID)
  }

  /// Cause in detail; `reason` explains the cases of the same names.
  package enum Cause: Sendable, Equatable {
    /// A server was not reached, or its response cannot be used.
    case exchange(ExchangeProblem)
    case status(Int)
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
    case expired
    case methodBlocked
    /// The provider rejects this kind of challenge for the second factor.
    case invalidChallenge
    /// The provider requires the person to set up a second factor first.
    case registrationRequired
    case browserRequired
    case invalidScope
    case refreshTokenExpired
    /// The client is unknown, or its key or secret is wrong: for the developer of the service.
    case clientRefused
    /// The server rejects the request as malformed: for the developer of the service; the server's error code.
    case badRequest(UntrustedText)
    case denied(UntrustedText)
    case template(ResultTemplate)
    case saml(number: Int?)
    case token(TokenProblem)
    /// The client's key cannot be used; its file.
    case clientKey(ClientKeyProblem, path: String)
    /// An OpenID provider refused, or is not trusted.
    case openID(OpenIDProblem)
    case otherSession
    case unknownProvider
    case notOffered
    case timedOut
    case cancelled
    case notSignedIn
    /// The service description can no longer be used.
    case description(ServiceProblem)
    case store(SessionProblem)
    /// A file of the service description cannot be used.
    case file(String)
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

  init(title: String, text: String, buttons: [String], isClosing: Bool = false) {
    self.title = UntrustedText(title)
    self.text = UntrustedText(text)
    self.buttons = buttons.map(UntrustedText.init)
    self.isClosing = isClosing
  }
}
