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
