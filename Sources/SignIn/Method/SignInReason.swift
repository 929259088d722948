public import RedirectFlow

extension SignInError {
  /// Why it failed, as far as a program decides on it.
  public enum Reason: Sendable, Equatable {
    /// No account has this name.
    case userNotFound
    /// The name has not the form of one.
    case invalidUserName
    /// Name and password do not belong together.
    case invalidPassword
    /// The account has no password, or it must be changed at the provider first.
    case passwordUnusable
    /// The code is wrong.
    case invalidCode
    /// The choice is not on the list, or not at work.
    case unknownProvider
    /// The address is not that at which the sign-in ends.
    case returnAddress
    /// The person must go on in a browser, at the provider.
    case browserRequired
    /// The provider asks for a second factor that cannot be had here.
    case secondFactor
    /// The provider has locked this way in for the account.
    case methodBlocked
    /// The client does not get the scope that it asks for.
    case invalidScope
    /// The person or the provider said no, in the provider's word.
    case denied(UntrustedText)
    /// The provider ends the sign-in with a result in its own words.
    case template(ResultTemplate)
    /// An identity provider's SAML answer says no; its number of SPID's table.
    case saml(number: Int?)
    /// The person gave up, or the program did.
    case cancelled
    /// The person did not come back in time.
    case timedOut
    /// The code, or the request that it belongs to, is too old or was used.
    case expired
    /// The session cannot be renewed: a new sign-in is needed.
    case refreshTokenExpired
    /// There is no account.
    case notSignedIn
    /// The answer belongs to another state, process or issuer, or the account was replaced meanwhile.
    case otherSession
    /// The step is not part of this way in.
    case notOffered
    /// A server was not reached.
    case network
    /// A server answered with this status, without a word of its table.
    case status(Int)
    /// A server was asked too often; the seconds to wait, where it says so.
    case tooManyRequests(retryAfter: Int?)
    /// An answer is of no use.
    case answerUnusable
    /// A token or a provider is not to be believed.
    case notBelieved
    /// The service's description, its files or its registration at the provider must be mended.
    case service
    /// This machine cannot keep the session, listen for the browser, or compute.
    case thisMachine
  }

  /// Why it failed.
  public var reason: Reason {
    switch cause {
    case .exchange(.http): .network
    case .exchange: .answerUnusable
    case .status(let status): .status(status)
    case .tooManyRequests(let seconds): .tooManyRequests(retryAfter: seconds)
    case .userNotFound: .userNotFound
    case .invalidUserName: .invalidUserName
    case .invalidCredentials, .invalidPassword: .invalidPassword
    case .noPassword, .passwordResetRequired: .passwordUnusable
    case .invalidCode: .invalidCode
    case .expired: .expired
    case .methodBlocked: .methodBlocked
    case .invalidChallenge, .registrationRequired: .secondFactor
    case .browserRequired: .browserRequired
    case .invalidScope: .invalidScope
    case .refreshTokenExpired: .refreshTokenExpired
    case .clientRefused, .badRequest, .clientKey, .description, .file: .service
    case .denied(let word): .denied(word)
    case .template(let template): .template(template)
    case .saml(let number): .saml(number: number)
    case .token, .openID: .notBelieved
    case .otherSession: .otherSession
    case .unknownProvider: .unknownProvider
    case .notOffered: .notOffered
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    case .notSignedIn: .notSignedIn
    case .store, .listener, .cryptography: .thisMachine
    case .returnAddress: .returnAddress
    }
  }
}
