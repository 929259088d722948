package import Primitives

/// Error of what hands a login over: a page's link, the code of the card's call, an app's answer, a SAML response.
package enum HandOffError: Error, Sendable, Equatable {
  case link(HandOffProblem)
  case code(LoginCodeProblem)
  /// No app's answer came back to this machine.
  case listener(ListenerProblem)
  case appReturn(ReturnProblem)
  case response(SAMLProblem)
}

/// The reason why a link is not a hand-off that may be acted on. Names of parameters are those of the link.
package enum HandOffProblem: Sendable, Hashable {
  case url(RedirectURL.Problem)
  case notHTTPS
  /// The link comes from a host and port that may not carry hand-offs in this environment.
  case foreignHost(RedirectURL.Origin)
  /// A URL of the environment, but none that hands a login over.
  case notAHandOff
  /// A parameter that must be there and must not be empty.
  case missingParameter(String)
  /// A parameter that is there twice, whatever its values.
  case repeatedParameter(String)
  /// A parameter of the server's calls that no link has: it was injected.
  case injectedParameter(String)
  case malformedParameter(String)
  /// `nextUrl`, or a hybrid link's `IdPName`, is no URL.
  case nestedURL(String, RedirectURL.Problem)
  /// `nextUrl`, or a hybrid link's `IdPName`, is not `https`.
  case nestedNotHTTPS(String)
  /// `nextUrl`, or a hybrid link's `IdPName`, leads out of the environment.
  case nestedElsewhere(String, RedirectURL.Origin)
  /// `nextUrl`, or a hybrid link's `IdPName`, has a path that the environment does not know.
  case nestedPath(String)
  /// `nextUrl`, or a hybrid link's `IdPName`, has a query.
  case nestedQuery(String)
}

/// The reason why an answer to the card's call holds no code. The answer itself is not repeated: it may hold a secret.
package enum LoginCodeProblem: Sendable, Hashable {
  case empty
  /// More than 1024 bytes.
  case tooLong
  /// Something other than `codice:` at the start.
  case noMarker
  /// Something other than ASCII digits behind the marker.
  case notDigits
  /// Digits, but not 16.
  case wrongLength(Int)
}

/// The reason why no URL came back to the loopback listener.
package enum ListenerProblem: Sendable, Equatable {
  /// A call of the system failed; its name and the error number.
  case system(call: String, errno: Int32)
  case random(CryptoError)
  case timedOut
  case cancelled
  /// The listener has ended already: it takes one URL in its life.
  case ended
}

/// The reason why a returned URL is not the answer to a hand-off. Names of parameters are those of the URL.
package enum ReturnProblem: Sendable, Hashable {
  case url(RedirectURL.Problem)
  case notHTTPS
  /// It leads out of the environment.
  case foreignHost(RedirectURL.Origin)
  /// A page of the environment, but none that continues a login.
  case unknownPage
  case missingParameter(String)
  /// A parameter that is there twice, whatever its values.
  case repeatedParameter(String)
  /// A parameter that this page does not take.
  case unexpectedParameter(String)
  case malformedParameter(String)
  case otherSession
}

/// The reason why a SAML response cannot be read. Its content is not repeated here.
package enum SAMLProblem: Sendable, Hashable {
  /// The form's field is not base64 (SAML 2.0 Bindings §3.5.4).
  case notBase64
  /// Not well-formed XML in UTF-8.
  case notXML
  /// It has a document type declaration, which could define entities and include files.
  case documentType
  /// Nested too deeply, or an element with too many attributes, for a response.
  case tooComplex
  case tooLarge(limit: Int)
  /// The document is no `Response` of SAML 2.0.
  case notAResponse
  /// It does not have exactly one `Status` with a `StatusCode` (SAML 2.0 Core §3.2.2).
  case noStatus
}
