public import RedirectFlow

/// Why a step of a sign-in failed. Nothing in it is personal or secret.
///
/// `reason` is what a program decides on; `description` says more, for a log.
public struct SignInError: Error, Sendable, CustomStringConvertible {
  /// What happened, in detail.
  package let cause: Cause
  /// By what the server finds the request in its log; else this sign-in's own number.
  public let correlationID: String?
  /// The number that the way in's own table has for it.
  public let number: Int?
  /// Where the sign-in goes on: the same state again after a wrong code. `nil` when it is over.
  public let again: SignInState?

  package init(
    _ cause: Cause, number: Int? = nil, correlationID: String? = nil, again: SignInState? = nil
  ) {
    self.cause = cause
    self.number = number
    self.correlationID = correlationID
    self.again = again
  }

  /// The causes in the words of the ways in
  package enum Cause: Sendable, Equatable {
    /// A server was not reached, or its answer is of no use.
    case exchange(ExchangeProblem)
    /// The server answered with this status and no word of its table.
    case status(Int)
    /// The server has too much to do, or was asked too often; how many seconds to wait, where it says so.
    case tooManyRequests(retryAfter: Int?)
    /// Nobody has this name.
    case userNotFound
    /// The name has not the form of one.
    case invalidUserName
    /// Name and password do not belong together; which of them is wrong, the server does not say.
    case invalidCredentials
    /// The password is wrong.
    case invalidPassword
    /// The account has no password.
    case noPassword
    /// The password must be changed first, at the provider.
    case passwordResetRequired
    /// The code is wrong, or of another length.
    case invalidCode
    /// The code, or what it belongs to, is too old or was used.
    case expired
    /// The provider has locked this way in for the account.
    case methodBlocked
    /// The second factor cannot be asked for like this.
    case invalidChallenge
    /// The provider wants a second factor to be set up first.
    case registrationRequired
    /// This can only be done in a browser, at the provider.
    case browserRequired
    /// What was asked for is not given to this client.
    case invalidScope
    /// The refresh token is of no use any more: a new sign-in is needed.
    case refreshTokenExpired
    /// The client itself is not known, or its key or secret is wrong: for the service's maker.
    case clientRefused
    /// The request is wrong by the server's rules: for the service's maker; the server's word.
    case badRequest(UntrustedText)
    /// The person, or the provider, said no; the provider's word.
    case denied(UntrustedText)
    /// The provider shows a result that ends the sign-in, in its own words.
    case template(ResultTemplate)
    /// An identity provider's SAML answer says no.
    case saml(number: Int?)
    /// A token that proves nothing.
    case token(TokenProblem)
    /// The client's own key cannot be used; its file.
    case clientKey(ClientKeyProblem, path: String)
    /// An OpenID provider refused, or is not to be trusted.
    case openID(OpenIDProblem)
    /// An answer that is not the one to what was asked: another state, process or issuer.
    case otherSession
    /// The choice is not one of the list, or not at work.
    case unknownProvider
    /// The step is not part of this way in.
    case notOffered
    /// The person did not come back in time.
    case timedOut
    /// The person gave up, or the program did.
    case cancelled
    /// Nobody is signed in.
    case notSignedIn
    /// The service's description cannot be used any more.
    case description(ServiceProblem)
    /// A session cannot be kept or read.
    case store(SessionStoreError)
    /// A file of the description cannot be used.
    case file(String)
    /// An address that was brought is not that at which the sign-in ends.
    case returnAddress
    /// The return to this machine cannot be waited for.
    case listener
    /// The system has no random bytes, or no cryptography.
    case cryptography
  }

  /// The cause, for a log.
  public var description: String {
    "\(cause)" + (number.map { " (\($0))" } ?? "") + (correlationID.map { " [\($0)]" } ?? "")
  }
}

/// A result as the government kit's servers show it: words and buttons, to be shown as text.
public struct ResultTemplate: Sendable, Equatable {
  /// The title.
  public let title: UntrustedText
  /// What is said; empty where there is nothing.
  public let text: UntrustedText
  /// What the buttons say.
  public let buttons: [UntrustedText]

  /// Whether it only has to be closed: nothing is wrong with what the person did.
  public let isClosing: Bool

  package init(title: String, text: String, buttons: [String], isClosing: Bool = false) {
    self.title = UntrustedText(title)
    self.text = UntrustedText(text)
    self.buttons = buttons.map(UntrustedText.init)
    self.isClosing = isClosing
  }
}
