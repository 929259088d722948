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

    var rest = bytes[...]
    guard let scheme = try Self.takeScheme(&rest) else { throw .missingScheme }
    guard rest.starts(with: "//".utf8) else { throw .missingAuthority }
    let parts = Parts(rest.dropFirst(2))
    let authority = parts.path.prefix { $0 != UInt8(ascii: "/") }
    let path = parts.path.dropFirst(authority.count)

    let origin = try Self.origin(scheme, authority)
    try Self.checkPath(path)
    if let query = parts.query { try Self.checkQuery(query) }
    if let fragment = parts.fragment {
      guard allowingFragment else { throw .fragment }
      try Self.checkQuery(fragment)
    }
    self.init(
      origin: origin, path: path.isEmpty ? "/" : String(decoding: path, as: UTF8.self),
      query: parts.query.map { String(decoding: $0, as: UTF8.self) },
      fragment: parts.fragment.map { String(decoding: $0, as: UTF8.self) },
      queryItems: try QueryItem.parse(parts.query ?? []))
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

  /// Host and optional port (RFC 3986 §3.2); user information is refused.
  private static func origin(
    _ scheme: Origin.Scheme, _ authority: ArraySlice<UInt8>
  ) throws(Problem) -> Origin {
    let (host, digits) = try URLHost.split(authority)
    let name = try URLHost.parse(host)
    guard let digits else { return Origin(scheme: scheme, host: name, port: scheme.defaultPort) }
    guard digits.first != UInt8(ascii: "0"), digits.allSatisfy(ASCII.isDigit),
      let port = UInt16(String(decoding: digits, as: UTF8.self))
    else { throw .invalidPort }
    return Origin(scheme: scheme, host: name, port: port)
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
