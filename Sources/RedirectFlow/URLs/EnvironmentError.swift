/// Why an environment file cannot be used.
public enum EnvironmentError: Error, Sendable, Hashable {
  /// The file cannot be opened or read; the system's error number.
  case unreadable(errno: Int32)
  /// More than 64 KiB.
  case tooLarge
  /// Not one JSON value (RFC 8259); where reading stopped, in bytes.
  case notJSON(offset: Int)
  /// JSON, but no object.
  case notAnObject
  /// A member that does not exist.
  case unknownMember(String)
  /// A member that is there twice.
  case repeatedMember(String)
  /// A member that must be there.
  case missingMember(String)
  /// A member with the wrong type of value, or an empty one.
  case wrongType(String)
  /// A name other than 1 to 64 letters, digits, `.`, `-` and `_`, or the name of a built-in environment.
  case invalidName
  /// A member whose text is no URL, or no host with a port.
  case url(String, URLProblem)
  /// A member whose URL is not `https`.
  case notHTTPS(String)
  /// The `idp` has a query, or a path that does not end in `/`.
  case notABase
  /// A host of the built-in environments or in their domain.
  case builtInHost(String)
  /// A path in `nextPaths` that does not begin with `/`, or that no judged URL can have.
  case invalidPath(String)
  /// A `method` that does not exist.
  case unknownMethod(String)
}
