/// Place where the person's browser ends: a redirect URI registered with a provider, or a service's own servers.
enum ReturnPlace: Sendable, Equatable {
  /// Loopback redirect (RFC 8252 §7.3): a path, and a port only if the provider requires a fixed one.
  case loopback(path: String, port: UInt16?)
  /// Exactly this redirect URI, with an app's scheme or of a website (RFC 8252 §7.1, §7.2); the address must be
  /// submitted.
  case registered(String)
  /// Servers of the service; the address there must be submitted.
  case hosts(Set<RedirectURL.Origin>)

  static let usual = loopback(path: "/signed-in", port: nil)

  /// Parses a redirect URI: `http://127.0.0.1/…`, `https://…`, or one of a scheme with a dot in it.
  init?(_ text: String) {
    let bytes = text.utf8
    if let url = try? RedirectURL(text) {
      guard url.query == nil, url.fragment == nil, url.path.utf8.count > 1 else { return nil }
      switch (url.scheme, url.host) {
      case (.https, _): self = .registered(url.text)
      case (.http, "127.0.0.1"):
        self = .loopback(path: url.path, port: url.port == 80 ? nil : url.port)
      default: return nil
      }
      return
    }
    // A scheme is a reversed domain name, because no two programs may have the same (RFC 8252 §7.1).
    let scheme = text.prefix { $0 != ":" }
    guard bytes.count <= 256, bytes.count > scheme.utf8.count + 1, scheme.contains("."),
      bytes.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains("?"), !text.contains("#"),
      scheme.utf8.allSatisfy({ Self.schemeCharacters.contains($0) })
    else { return nil }
    self = .registered(text)
  }

  /// Characters of a scheme (RFC 3986 §3.1), lower case.
  private static let schemeCharacters = Set("abcdefghijklmnopqrstuvwxyz0123456789+-.".utf8)

  var origins: Set<RedirectURL.Origin> {
    if case .hosts(let origins) = self { origins } else { [] }
  }

  /// Returns the parameters of an address at which a browser has ended, no name twice; `nil` for another place.
  func items(of address: String) -> [QueryItem]? {
    let items: [QueryItem]?
    switch self {
    case .loopback: return nil
    case .registered(let text):
      guard address.hasPrefix(text + "?") else { return nil }
      let query = address.dropFirst(text.count + 1).prefix { $0 != "#" }
      items = try? QueryItem.parse(query.utf8.map { $0 == 0x2B ? 0x20 : $0 })
    case .hosts(let origins):
      guard let url = try? RedirectURL(asBrowsersRead: address), url.scheme == .https,
        origins.contains(url.origin)
      else { return nil }
      // Earlier pages of the service have other parameters, or none.
      items =
        url.queryItems.contains { ["code", "error"].contains($0.name) } ? url.queryItems : nil
    }
    guard let items, Set(items.map(\.name)).count == items.count else { return nil }
    return items
  }
}
