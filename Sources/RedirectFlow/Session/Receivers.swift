/// Who may get what the identity provider tells: whoever the login began with, and those that the caller allows.
struct Receivers: Sendable {
  /// The origin of the page where the login began.
  let start: URLOrigin
  /// The others, in a stable order.
  let allowed: [URLOrigin]

  init(start: URLOrigin, allowed: Set<URLOrigin>) {
    self.start = start
    self.allowed = allowed.subtracting([start]).sorted { "\($0)" < "\($1)" }
  }

  /// Looks at where the form goes to and at what the response in it says about that (SAML 2.0 Core §3.2.2,
  /// `Destination`).
  ///
  /// - Throws: `.receiver`.
  func check(_ submission: FormSubmission, _ response: SAMLResponse) throws(LoginError) {
    let receiver = submission.url.origin
    guard receiver == start || allowed.contains(receiver) else {
      throw .receiver(.notWhereTheLoginBegan(start, receiver))
    }
    guard let destination = response.destination else { return }
    let named = try? RedirectURL(destination, allowingFragment: true)
    guard named?.origin == receiver else {
      throw .receiver(.notTheDestination(receiver, named?.origin))
    }
  }
}

/// Why a response is not handed over: it would tell somebody else about the person.
public enum ReceiverProblem: Error, Sendable, Hashable {
  /// The login began at the first; the identity provider's form goes to the second.
  case notWhereTheLoginBegan(URLOrigin, URLOrigin)
  /// The form goes to the first; the response in it was made for the second, or for what is no address.
  case notTheDestination(URLOrigin, URLOrigin?)
}
