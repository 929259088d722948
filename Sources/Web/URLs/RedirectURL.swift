/// An `https` or `http` URL that has been checked: parsed once, never searched as a string.
///
/// It is made at one of two levels of strictness, and is the same kind of value afterwards, compared by scheme, host
/// and port:
///
/// - `init(_:allowingFragment:)`, for links that hand a login over, addresses that come back from an app, and files:
///   RFC 3986 to the letter. Other programs get these texts too and must not be able to read them differently: user
///   information, backslashes, encoded separators, dot segments and numbers that may be hosts are refused, not
///   repaired.
/// - `init(asBrowsersRead:on:)`, for the targets of a login's pages. Only this program goes there, and it compares and
///   sends the address in canonical form: the original is not used again.
public struct RedirectURL: Sendable, Hashable {
  /// The longest URL that the strict parser accepts, in bytes.
  package static let lengthLimit = 8 << 10

  /// Scheme, host and port.
  public let origin: Origin
  /// The path as it is sent; `/` when there was none.
  public let path: String
  /// The query as it is sent, without its `?`.
  public internal(set) var query: String?
  /// The fragment, without its `#`.
  public internal(set) var fragment: String?
  /// The query's names and values in order, decoded once; a literal `+` stays a `+`.
  package internal(set) var queryItems: [QueryItem] = []

  /// The scheme.
  public var scheme: Origin.Scheme { origin.scheme }
  /// Lower-case name, dotted-decimal IPv4 address, or IPv6 address in brackets.
  public var host: String { origin.host }
  /// The port, by default the scheme's own.
  public var port: UInt16 { origin.port }

  /// The whole URL: scheme and host in lower case, no superfluous port.
  ///
  /// It may hold bearer secrets; `description` does not.
  public var text: String {
    "\(origin)" + path + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
  }

  /// The parts of the path between its slashes, unchanged.
  var segments: [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { $0 }
  }

  var hasEmptySegment: Bool { segments.dropLast().contains { $0.isEmpty } }

  /// The only value of a query item; `nil` when it is absent or there more than once.
  func value(of name: String) -> String? {
    let values = queryItems.filter { $0.name == name }
    return values.count == 1 ? values.first?.value : nil
  }
}

extension RedirectURL: Redacted {
  /// The address without query and fragment.
  public var description: String {
    "\(origin)" + path + (query == nil ? "" : "?…") + (fragment == nil ? "" : "#…")
  }
}

extension RedirectURL {
  /// This URL with further query items, each strictly encoded; the fragment is dropped.
  package func adding(_ items: [QueryItem]) -> RedirectURL {
    let query = [query, items.encoded].compactMap { $0 }.filter { !$0.isEmpty }
    return RedirectURL(
      origin: origin, path: path, query: query.isEmpty ? nil : query.joined(separator: "&"),
      queryItems: queryItems + items)
  }

  /// A path below this one, from this module's own tables; query and fragment are dropped.
  package func appending(_ path: StaticString) -> RedirectURL {
    RedirectURL(origin: origin, path: self.path + "\(path)")
  }

  /// A path below this one by segments that may come from a server, each encoded; `nil` for one that would lead
  /// elsewhere.
  package func appending(segments: [String]) -> RedirectURL? {
    guard !segments.contains(where: { ["", ".", ".."].contains($0) }) else { return nil }
    let path = segments.map(PercentEncoding.encode).joined(separator: "/")
    return RedirectURL(origin: origin, path: self.path + path)
  }

  /// The URL without its fragment, which stays in the browser (RFC 9110 §4.2.5).
  package var withoutFragment: RedirectURL {
    var url = self
    url.fragment = nil
    return url
  }
}
