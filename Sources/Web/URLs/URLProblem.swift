extension RedirectURL {
  /// The reason why a text is not an accepted URL. The first reason found is reported.
  public enum Problem: Error, Sendable, Hashable, CaseIterable {
    case empty
    case tooLong
    /// A character outside ASCII: RFC 3986 requires percent-encoding, and look-alike letters could disguise a host.
    case notASCII
    /// A control character: line breaks in a URL are header injection.
    case controlCharacter
    case space
    /// A backslash, which browsers read as a slash.
    case backslash
    /// Another character at a place where it is not allowed (RFC 3986 §2).
    case forbiddenCharacter
    /// No scheme at the start (RFC 3986 §3.1).
    case missingScheme
    /// A scheme other than `https` and `http`.
    case unsupportedScheme
    /// No `//` after the scheme.
    case missingAuthority
    /// User information before an `@` in the authority (RFC 3986 §3.2.1): the classic disguise of a host.
    case userInformation
    case emptyHost
    /// Neither letters-digits-hyphens labels (RFC 1123 §2.1) nor an address.
    case invalidHost
    /// A last label that looks like a number, but no dotted-decimal IPv4 address: programs read those differently.
    case ambiguousNumericHost
    /// Brackets around something other than an IPv6 address (RFC 3986 §3.2.2); zone identifiers are refused.
    case invalidIPv6
    /// A port that is not a decimal number from 1 to 65535 without leading zeros.
    case invalidPort
    /// A `%` without two hexadecimal digits.
    case malformedEscape
    /// Percent-encoded bytes that are not UTF-8, over-long forms included.
    case notUTF8
    /// A slash or backslash hidden in the path as `%2F` or `%5C`.
    case encodedSeparator
    /// A full stop hidden in the path as `%2E`.
    case encodedDot
    /// A control character hidden in the path, such as `%00`.
    case encodedControl
    /// A path segment `.` or `..`, with or without parameters after a semicolon.
    case dotSegment
    /// Two slashes in a row in the path. Only hand-off links must not have them; elsewhere they are legal.
    case emptySegment
    case fragment
  }
}
