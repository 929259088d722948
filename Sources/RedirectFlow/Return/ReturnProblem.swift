/// Why a URL that came back is not the answer to a hand-off. Names of parameters are those of the URL.
public enum ReturnProblem: Error, Sendable, Hashable {
  /// It is no URL.
  case url(URLProblem)
  /// It is not `https`.
  case notHTTPS
  /// It leads out of the environment.
  case foreignHost(URLOrigin)
  /// A page of the environment, but none on which a login goes on.
  case unknownPage
  /// A parameter that must be there.
  case missingParameter(String)
  /// A parameter that is there twice, whatever its values.
  case repeatedParameter(String)
  /// A parameter that this page does not take.
  case unexpectedParameter(String)
  /// A parameter whose value cannot be one.
  case malformedParameter(String)
  /// The answer to another login than ours.
  case otherSession
}
