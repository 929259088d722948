/// Errors of an exchange with a service. No case has sent or received content.
package enum ExchangeProblem: Sendable, Equatable {
  /// The server was not reached, is not trusted, or closed the connection.
  case http(HTTPError)
  case notHTTPS
  case foreignHost(RedirectURL.Origin)
  /// Redirect, which is not followed because the request has secrets.
  case redirected(status: Int)
  case notJSON(status: Int)
  case repeatedMember(String)
  /// Member that is missing, not a string, or empty.
  case missingMember(String)
  case wrongMember(String)
  /// Token with characters that a header field must not have.
  case unusableToken
}

/// Reasons why the client's own key cannot be used.
package enum ClientKeyProblem: Sendable, Hashable {
  case unreadable
  /// Other users can read or write the file.
  case exposed
  case unusable
  /// The provider encrypts to this client, and the file has no key for that.
  case onlySigns
}

/// Reasons why a session is not stored or loaded; no case has a byte of the session.
package enum SessionProblem: Sendable, Equatable {
  /// The key went with the user's last process, or the file was changed: the session cannot be read.
  case keyLost
  case tooLarge
  /// The folder or the file could come from another user, or the system refused access.
  case folder(PrivateFolder.Failure)
  case crypto(CryptoError)
}

/// The reason why a description of a service cannot be used.
package enum ServiceProblem: Sendable, Equatable {
  case unreadable(errno: Int32)
  /// The description is larger than 64 KiB.
  case tooLarge
  /// The text is not one JSON value (RFC 8259); the byte offset at which parsing stopped.
  case notJSON(offset: Int)
  case notAnObject
  case repeatedMember(String)
  case missingMember(String)
  /// Member with a value of the wrong type, or an empty one.
  case wrongMember(String)
  case unknownMember(String)
  case notHTTPS(String)
  /// Member whose address does not end in `/`, or has a query.
  case notABase(String)
  case repeatedMethod(String)
  case noMethod
  /// The environment of the card's login cannot be used.
  case environment(LoginEnvironment.FileError)
  /// A description from the network names files of this machine.
  case fileFromNetwork(String)
}

extension SignInError {
  /// Error of an exchange; a cancelled one is the end of the sign-in.
  static func exchange(_ problem: ExchangeProblem) -> SignInError {
    SignInError(problem == .http(.cancelled) ? .cancelled : .exchange(problem))
  }

  static func token(_ problem: TokenProblem) -> SignInError { SignInError(.token(problem)) }

  static func store(_ problem: SessionProblem) -> SignInError { SignInError(.store(problem)) }

  static func of(_ problem: ServiceProblem) -> SignInError { SignInError(.description(problem)) }
}
