internal import CIECard

extension LoggedIn.Cookie {
  /// Reads a line of Netscape's cookie file, as libcurl writes it: seven fields with tabs between.
  init?(netscapeLine line: String) {
    let isHTTPOnly = line.hasPrefix(Self.httpOnly)
    let fields = line.dropFirst(isHTTPOnly ? Self.httpOnly.count : 0)
      .split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 7, let expires = Int64(fields[4]) else { return nil }
    self.init(
      domain: fields[0], includesSubdomains: fields[1] == "TRUE", path: fields[2],
      isSecure: fields[3] == "TRUE", isHTTPOnly: isHTTPOnly,
      expires: expires == 0 ? nil : UTCTime(seconds: expires), name: fields[5], value: fields[6])
  }

  /// True if it is a cookie of the session at this host, not of the one at the identity provider.
  func belongs(to host: String) -> Bool {
    let domain = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
    return host == domain || host.hasSuffix("." + domain)
  }
}

/// A record of which side set which cookies. A jar separates them by host alone (RFC 6265 §8.5), and the two providers
/// may share one, on different ports.
struct CookieSetters {
  private var byService: Set<String> = []
  private var byIdentityProvider: Set<String> = []

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

  /// Checks whether the identity provider alone set a cookie of this name.
  func isIdentityProviders(_ name: String) -> Bool {
    byIdentityProvider.contains(name) && !byService.contains(name)
  }
}
