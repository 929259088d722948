internal import Primitives

extension RedirectURL {
  /// Parses a text that must be a URL from its first to its last byte.
  ///
  /// - Parameters:
  ///   - text: the URL, at most `lengthLimit` bytes.
  ///   - allowingFragment: whether a `#…` may end it; final pages may have one, links may not.
  /// - Throws: the first `RedirectURL.Problem` found.
  public init(_ text: String, allowingFragment: Bool = false) throws(Problem) {
    let bytes = [UInt8](text.utf8)
    try Self.checkCharacters(bytes)

    let scheme = try Self.scheme(of: bytes)
    var rest = bytes[...].dropFirst(scheme.rawValue.utf8.count + 1)
    guard rest.starts(with: "//".utf8) else { throw .missingAuthority }
    rest = rest.dropFirst(2)

    let authority = rest.prefix { !Self.endsAuthority($0) }
    rest = rest.dropFirst(authority.count)
    let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    rest = rest.dropFirst(path.count)
    var query: ArraySlice<UInt8>?
    if rest.first == UInt8(ascii: "?") {
      let part = rest.dropFirst().prefix { $0 != UInt8(ascii: "#") }
      rest = rest.dropFirst(part.count + 1)
      query = part
    }
    let fragment = rest.isEmpty ? nil : rest.dropFirst()

    let origin = try Self.origin(scheme, authority)
    try Self.checkPath(path)
    if let query { try Self.checkQuery(query) }
    if let fragment {
      guard allowingFragment else { throw .fragment }
      try Self.checkQuery(fragment)
    }
    self.init(
      origin: origin, path: path.isEmpty ? "/" : String(decoding: path, as: UTF8.self),
      query: query.map { String(decoding: $0, as: UTF8.self) },
      fragment: fragment.map { String(decoding: $0, as: UTF8.self) },
      queryItems: try QueryItem.parse(query ?? []))
  }

  private static func checkCharacters(_ bytes: [UInt8]) throws(Problem) {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= lengthLimit else { throw .tooLong }
    for byte in bytes {
      if byte >= 0x80 { throw .notASCII }
      if ASCII.isControl(byte) { throw .controlCharacter }
      if byte == UInt8(ascii: " ") { throw .space }
      if byte == UInt8(ascii: "\\") { throw .backslash }
    }
  }

  /// The text before the first `:`, provided that it can be a scheme (RFC 3986 §3.1).
  private static func scheme(of bytes: [UInt8]) throws(Problem) -> Origin.Scheme {
    let name = bytes.prefix { $0 != UInt8(ascii: ":") }
    guard name.count < bytes.count, ASCII.isScheme(name) else { throw .missingScheme }
    guard let scheme = Origin.Scheme(rawValue: ASCII.lowercased(name)) else {
      throw .unsupportedScheme
    }
    return scheme
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(byte)
  }

  /// Host and optional port (RFC 3986 §3.2); user information is refused.
  private static func origin(
    _ scheme: Origin.Scheme, _ authority: ArraySlice<UInt8>
  ) throws(Problem) -> Origin {
    guard !authority.contains(UInt8(ascii: "@")) else { throw .userInformation }
    // The colons of an IPv6 address stand before its closing bracket.
    let bracket = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
    guard let colon = authority[bracket...].firstIndex(of: UInt8(ascii: ":")) else {
      return Origin(
        scheme: scheme, host: try URLHost.parse(authority), port: scheme.defaultPort)
    }
    return Origin(
      scheme: scheme, host: try URLHost.parse(authority[..<colon]),
      port: try port(authority[colon...].dropFirst()))
  }

  private static func port(_ digits: ArraySlice<UInt8>) throws(Problem) -> UInt16 {
    guard digits.first != UInt8(ascii: "0"), digits.allSatisfy(ASCII.isDigit),
      let port = UInt16(String(decoding: digits, as: UTF8.self))
    else { throw .invalidPort }
    return port
  }

  /// Checks RFC 3986 §3.3, and that no part can be decoded into another path by a server.
  private static func checkPath(_ path: ArraySlice<UInt8>) throws(Problem) {
    let slash = UInt8(ascii: "/")
    let percent = UInt8(ascii: "%")
    guard path.allSatisfy({ ASCII.isPathCharacter($0) || $0 == slash || $0 == percent }) else {
      throw .forbiddenCharacter
    }
    for segment in path.split(separator: slash) {
      let escapes = segment.split(separator: percent, omittingEmptySubsequences: false).dropFirst()
      for escape in escapes { try checkPathEscape(escape) }
      _ = try PercentEncoding.decodeText(segment)
      // Servlet containers drop `;parameters` before they resolve dots.
      let name = segment.prefix { $0 != UInt8(ascii: ";") }
      guard !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) else {
        throw .dotSegment
      }
    }
  }

  /// Checks the part from one `%` to the next: the first two digits count.
  private static func checkPathEscape(_ escape: ArraySlice<UInt8>) throws(Problem) {
    let digits = escape.prefix(2).compactMap(UInt8.init(hexadecimalDigit:))
    guard digits.count == 2 else { throw .malformedEscape }
    let byte = digits.reduce(0) { $0 << 4 | $1 }
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "\\"): throw .encodedSeparator
    case UInt8(ascii: "."): throw .encodedDot
    case _ where ASCII.isControl(byte): throw .encodedControl
    default: return
    }
  }

  /// RFC 3986 §3.4 and §3.5.
  private static func checkQuery(_ query: ArraySlice<UInt8>) throws(Problem) {
    let others = [UInt8]("/?%".utf8)
    guard query.allSatisfy({ ASCII.isPathCharacter($0) || others.contains($0) }) else {
      throw .forbiddenCharacter
    }
    _ = try PercentEncoding.decode(query)
  }
}
