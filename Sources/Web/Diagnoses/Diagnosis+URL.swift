public import Primitives

extension Diagnosis {
  /// A text that is no address.
  public init(_ problem: RedirectURL.Problem) {
    self.init(
      .usage, "malformed-url", ["limit": RedirectURL.lengthLimit], key: "url-\(problem.part)",
      advice: Message("format.do"))
  }
}

extension RedirectURL.Problem: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }

  /// The part of an address that is not valid.
  fileprivate var part: String {
    switch self {
    case .empty: "empty"
    case .tooLong: "length"
    case .notASCII, .controlCharacter, .space, .backslash, .forbiddenCharacter: "character"
    case .missingScheme, .unsupportedScheme, .missingAuthority: "scheme"
    case .userInformation, .emptyHost, .invalidHost, .ambiguousNumericHost, .invalidIPv6: "host"
    case .invalidPort: "port"
    case .malformedEscape, .notUTF8: "escape"
    case .encodedSeparator, .encodedDot, .encodedControl, .dotSegment, .emptySegment: "path"
    case .fragment: "fragment"
    }
  }
}
