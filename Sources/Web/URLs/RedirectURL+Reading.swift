internal import Primitives

extension RedirectURL {
  /// The longest address of a page that is looked at, in bytes.
  static let pageLengthLimit = 64 << 10

  /// Reads an address as browsers do (URL Living Standard §4.4, the part for `https` and `http`): the text of servers
  /// and pages, or one pasted by a person. White space around it, backslashes, missing slashes, dots, escapes and
  /// numbers are brought into the canonical form, in which all addresses are compared and sent.
  ///
  /// Stricter than browsers in two points: no user information, and only hosts that DNS allows.
  ///
  /// - Parameters:
  ///   - text: any text of at most `pageLengthLimit` bytes.
  ///   - base: the page on which it stands; without one it must be absolute.
  /// - Throws: the first `RedirectURL.Problem` found.
  public init(asBrowsersRead text: String, on base: RedirectURL? = nil) throws(Problem) {
    var rest = Self.trimmed(text)
    guard rest.count <= Self.pageLengthLimit else { throw .tooLong }
    var scheme = base?.scheme
    if let written = try Self.takeScheme(&rest) {
      // `https:page` on a page of https is relative.
      if written != scheme || rest.starts(with: "//".utf8) {
        self = try Self.absolute(written, rest)
        return
      }
      scheme = written
    }
    guard let base, let scheme else { throw rest.isEmpty ? .empty : .missingScheme }
    if rest.prefix(2).count == 2, rest.prefix(2).allSatisfy(Self.isSlash) {
      self = try Self.absolute(scheme, rest)
      return
    }
    let parts = Parts(rest)
    let path: String
    switch parts.path.first {
    case nil: path = base.path
    case let first? where Self.isSlash(first): path = Self.path(parts.path.dropFirst(), in: [])
    default: path = Self.path(parts.path, in: base.segments.dropLast().map { Array($0.utf8) })
    }
    let query = parts.query.map { Self.escaped($0, Self.queryEscapes) }
    self.init(
      base.origin, path: path, query: parts.path.isEmpty ? query ?? base.query : query,
      fragment: parts.fragment)
  }

  /// A reference as it stands in a page or a header, as an absolute address. One with another scheme stays
  /// unchanged, for `HandOff` to check.
  ///
  /// - Parameter base: the page on which it stands; without one only such a reference has a target.
  /// - Returns: `nil` when it leads to no address.
  package static func target(of reference: String, on base: RedirectURL?) -> String? {
    let text = trimmed(reference)
    let scheme = text.prefix { $0 != UInt8(ascii: ":") }
    let rest = text.dropFirst(scheme.count + 1)
    let isOwn = ASCII.lowercased(scheme) == base?.scheme.rawValue && !rest.starts(with: "//".utf8)
    if scheme.count < text.count, ASCII.isScheme(scheme), !isOwn {
      return String(decoding: text, as: UTF8.self)
    }
    guard let base else { return nil }
    return try? RedirectURL(asBrowsersRead: reference, on: base).text
  }

  private static func absolute(
    _ scheme: Origin.Scheme, _ text: ArraySlice<UInt8>
  ) throws(Problem) -> RedirectURL {
    let parts = Parts(text.drop(while: isSlash))
    // The authority is the rest of the path up to its first slash.
    let authority = parts.path.prefix { !isSlash($0) }
    return RedirectURL(
      try PageHost.origin(scheme, authority),
      path: path(parts.path.dropFirst(authority.count + 1), in: []),
      query: parts.query.map { escaped($0, queryEscapes) }, fragment: parts.fragment)
  }

  private init(
    _ origin: Origin, path: String, query: String?, fragment: ArraySlice<UInt8>?
  ) {
    self.init(
      origin: origin, path: path, query: query,
      fragment: fragment.map { Self.escaped($0, Self.fragmentEscapes) },
      queryItems: QueryItem.read((query ?? "").utf8))
  }

  /// The rest of a URL after its authority, or of a reference.
  struct Parts {
    let path: ArraySlice<UInt8>
    let query: ArraySlice<UInt8>?
    let fragment: ArraySlice<UInt8>?

    init(_ text: ArraySlice<UInt8>) {
      let front = text.prefix { $0 != UInt8(ascii: "#") }
      fragment = front.count < text.count ? text.dropFirst(front.count + 1) : nil
      path = front.prefix { $0 != UInt8(ascii: "?") }
      query = path.count < front.count ? front.dropFirst(path.count + 1) : nil
    }
  }
}

extension RedirectURL {
  /// The text without control characters and spaces at both ends, and without tabs and line ends at any place.
  private static func trimmed(_ text: String) -> ArraySlice<UInt8> {
    [UInt8](text.utf8).trimmed { $0 <= 0x20 }.filter { ![0x09, 0x0A, 0x0D].contains($0) }[...]
  }

  /// Removes a scheme and its colon from the front (RFC 3986 §3.1); `nil` without one.
  static func takeScheme(
    _ text: inout ArraySlice<UInt8>
  ) throws(Problem) -> Origin.Scheme? {
    let name = text.prefix { $0 != UInt8(ascii: ":") }
    guard name.count < text.count, ASCII.isScheme(name) else { return nil }
    guard let scheme = Origin.Scheme(rawValue: ASCII.lowercased(name)) else {
      throw .unsupportedScheme
    }
    text = text.dropFirst(name.count + 1)
    return scheme
  }

  private static func isSlash(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }

  /// The path that segments lead to from a folder, with dots resolved, escaped ones too.
  private static func path(_ text: ArraySlice<UInt8>, in folder: [[UInt8]]) -> String {
    var kept = folder
    let segments = text.split(omittingEmptySubsequences: false, whereSeparator: isSlash)
    for (number, segment) in segments.enumerated() {
      let dots = dotCount(segment)
      // In place: a copy without the last one, for each of them, would take quadratic time.
      if dots == 2 { _ = kept.popLast() }
      if dots == 0 {
        kept.append(Array(escaped(segment, pathEscapes).utf8))
      } else if number == segments.count - 1 {
        kept.append([])
      }
    }
    return "/" + String(decoding: Array(kept.joined(separator: "/".utf8)), as: UTF8.self)
  }

  /// 1 or 2 for a segment of one or two dots alone, each of which may be written `%2e`; else 0.
  private static func dotCount(_ segment: ArraySlice<UInt8>) -> Int {
    guard segment.count <= 6 else { return 0 }
    switch ASCII.lowercased(segment) {
    case ".", "%2e": return 1
    case "..", ".%2e", "%2e.", "%2e%2e": return 2
    default: return 0
    }
  }

  /// The percent-encode sets of §1.3, without the controls and all that is no ASCII, which are in each of them.
  private static let fragmentEscapes = Set(" \"<>`".utf8)
  private static let queryEscapes = Set(" \"#<>'".utf8)
  private static let pathEscapes = Set(" \"#<>?^`{}".utf8)

  /// Keeps escapes as they are, and also a `%` that begins no escape.
  private static func escaped(_ text: ArraySlice<UInt8>, _ escapes: Set<UInt8>) -> String {
    PercentEncoding.encode(text) { (0x20...0x7E).contains($0) && !escapes.contains($0) }
  }
}
