extension SignInError {
  /// Reason of a failure, as far as a program decides by it.
  public enum Reason: Sendable, Equatable {
    /// No account has this name.
    case userNotFound
    /// The name has not the form of a user name.
    case invalidUserName
    /// Name and password do not match.
    case invalidPassword
    /// The account has no password, or it must be changed at the provider first.
    case passwordUnusable
    /// The code is wrong.
    case invalidCode
    /// The choice is not on the list, or not available.
    case unknownProvider
    /// The submitted address is not that at which the sign-in ends.
    case returnAddress
    /// The person must continue in a browser, at the provider.
    case browserRequired
    /// The provider requires a second factor that is not supported here.
    case secondFactor
    /// The provider has locked this way in for the account.
    case methodBlocked
    /// The client does not get the requested scope.
    case invalidScope
    /// The person or the provider refused; the provider's text.
    case denied(UntrustedText)
    /// The provider ends the sign-in with a result page in its own words.
    case template(ResultTemplate)
    /// An identity provider's SAML response has an error status; its number in SPID's table.
    case saml(number: Int?)
    /// The person or the program cancelled.
    case cancelled
    /// The person did not return in time.
    case timedOut
    /// The code, or the request that it belongs to, has expired or was used.
    case expired
    /// The session cannot be renewed: a new sign-in is needed.
    case refreshTokenExpired
    /// There is no account.
    case notSignedIn
    /// The response belongs to another state, process or issuer, or the account was replaced meanwhile.
    case otherSession
    /// The method has no such step.
    case notOffered
    /// A server was not reached.
    case network
    /// A server returned this status without a known error code.
    case status(Int)
    /// A server rejects the number of requests; the seconds to wait, if it names them.
    case tooManyRequests(retryAfter: Int?)
    /// A response cannot be used.
    case answerUnusable
    /// A token failed verification, or a provider is not trusted.
    case notBelieved
    /// The service description, its files or its registration at the provider must be corrected.
    case service
    /// This machine cannot store the session, listen for the browser, or compute.
    case thisMachine
  }

  /// Reason of the failure.
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
