/// An `https` or `http` URL that has been judged: parsed by RFC 3986 to the letter, never searched in as a string.
///
/// Two programs must not be able to read such a URL differently: user information, backslashes, encoded
/// separators, dot segments and numbers that may be hosts are refused, not repaired.
public struct RedirectURL: Sendable, Hashable {
  /// The longest URL that is looked at, in bytes.
  public static let lengthLimit = 8 << 10

  /// Scheme, host and port.
  public let origin: URLOrigin
  /// The path as it was written; `/` when there was none.
  public let path: String
  /// The query as it was written, without its `?`.
  public let query: String?
  /// The fragment as it was written, without its `#`.
  public let fragment: String?
  /// The query's names and values in order, decoded once; a literal `+` stays a `+`.
  public let queryItems: [QueryItem]

  init(
    origin: URLOrigin, path: String, query: String?, fragment: String?, queryItems: [QueryItem]
  ) {
    self.origin = origin
    self.path = path
    self.query = query
    self.fragment = fragment
    self.queryItems = queryItems
  }

  /// The scheme.
  public var scheme: URLOrigin.Scheme { origin.scheme }
  /// Lower-case name, dotted-decimal IPv4 address, or IPv6 address in brackets.
  public var host: String { origin.host }
  /// The port, the scheme's own when none was written.
  public var port: UInt16 { origin.port }

  /// The whole URL: scheme and host in lower case, no superfluous port, all behind them as it was written.
  ///
  /// It may hold bearer secrets; `description` does not.
  public var text: String {
    "\(origin)" + path + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
  }

  /// The parts of the path between its slashes, as they were written.
  var segments: [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { $0 }
  }

  /// Whether two slashes stand in a row.
  var hasEmptySegment: Bool { segments.dropLast().contains { $0.isEmpty } }

  /// The only value of a query item; `nil` when it is absent or there more than once.
  public func value(of name: String) -> String? {
    let values = queryItems.filter { $0.name == name }
    return values.count == 1 ? values.first?.value : nil
  }
}

extension RedirectURL: Redacted {
  /// Where the URL leads, without what it carries.
  public var description: String {
    "\(origin)" + path + (query == nil ? "" : "?…") + (fragment == nil ? "" : "#…")
  }
}
