/// The lines of Netscape's cookie file, as libcurl writes them: seven fields with tabs between, the first the domain.
enum CookieLine {
  /// The lines that a host would be sent: the session there, not the one at the identity provider.
  static func lines(_ all: [String], for host: String) -> [String] {
    all.filter { line in
      var domain = line.prefix { $0 != "\t" }
      if domain.hasPrefix("#HttpOnly_") { domain = domain.dropFirst("#HttpOnly_".count) }
      if domain.hasPrefix(".") { domain = domain.dropFirst() }
      return host == domain || host.hasSuffix("." + domain)
    }
  }
}

/// Which side set which cookies. A jar separates them by host alone (RFC 6265 §8.5), and the two providers may share
/// one, on different ports.
struct CookieSetters {
  private var byService: Set<String> = []
  private var byIdentityProvider: Set<String> = []

  /// Takes note of the names that a response sets.
  mutating func note(_ response: HTTPResponse, isIdentityProvider: Bool) {
    for header in response.headers where header.name == "set-cookie" {
      let name = String(header.value.prefix { $0 != "=" && $0 != ";" })
      if isIdentityProvider {
        byIdentityProvider.insert(name)
      } else {
        byService.insert(name)
      }
    }
  }

  /// Those lines that are not the identity provider's alone.
  func withoutIdentityProvider(_ lines: [String]) -> [String] {
    lines.filter { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      let name = fields.count > 5 ? String(fields[5]) : ""
      return byService.contains(name) || !byIdentityProvider.contains(name)
    }
  }
}
