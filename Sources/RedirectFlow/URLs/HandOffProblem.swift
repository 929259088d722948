/// Why a link is not a hand-off that may be acted on. Names of parameters are those of the link.
public enum HandOffProblem: Error, Sendable, Hashable {
  /// The link is no URL.
  case url(URLProblem)
  /// The link is not `https`.
  case notHTTPS
  /// The link comes from a host and port that may not carry hand-offs in this environment.
  case foreignHost(URLOrigin)
  /// A URL of the environment, but none that hands a login over.
  case notAHandOff
  /// A parameter that must be there and must not be empty.
  case missingParameter(String)
  /// A parameter that is there twice, whatever its values.
  case repeatedParameter(String)
  /// A parameter of the server's calls that no link has: somebody put it there.
  case injectedParameter(String)
  /// A parameter whose value cannot be one.
  case malformedParameter(String)
  /// `nextUrl`, or a hybrid link's `IdPName`, is no URL.
  case nestedURL(String, URLProblem)
  /// `nextUrl`, or a hybrid link's `IdPName`, is not `https`.
  case nestedNotHTTPS(String)
  /// `nextUrl`, or a hybrid link's `IdPName`, leads out of the environment.
  case nestedElsewhere(String, URLOrigin)
  /// `nextUrl`, or a hybrid link's `IdPName`, has a path that the environment does not know.
  case nestedPath(String)
  /// `nextUrl`, or a hybrid link's `IdPName`, has a query of its own.
  case nestedQuery(String)
}
