/// The rule by which URLs end the browsing and hand the login over: the two modes of the CieID iOS SDK.
///
/// Its rules, made exact: "identity provider URL" is an equal scheme, host and port instead of a substring; `nextUrl`
/// and `level` are query parameters, `livello1` and `livello2` whole path components; and a component counts at the
/// identity provider alone, because a link from elsewhere is refused anyway.
package enum NavigationPolicy: Sendable, Hashable, CaseIterable {
  /// Links with `nextUrl`, `livello1` and `livello2`.
  case `default`
  /// Links of the app's own path at level 2, with `nextUrl`, and `livello1`.
  case universal

  /// Checks whether a URL hands the login over: it is then not loaded.
  func handsOver(_ url: RedirectURL, in environment: LoginEnvironment) -> Bool {
    guard url.scheme == .https, environment.isIdentityProvider(url) else { return false }
    if url.queryItems.contains(where: { $0.name == "nextUrl" }) { return true }
    if url.segments.contains("livello1") { return true }
    return switch self {
    case .default: url.segments.contains("livello2")
    case .universal: url.isAppLogin(in: environment)
    }
  }

  /// Checks a text, which may be a link with its parameters straight after the slash or in an app's wrapper; a text
  /// that is no URL is left to the loader to refuse.
  package func handsOver(_ text: String, in environment: LoginEnvironment) -> Bool {
    var link = LinkText(text)
    link.separateParameters()
    // Read as by a browser: a link that `HandOff` will refuse must reach it, not be loaded.
    guard let url = try? RedirectURL(asBrowsersRead: link.url) else { return false }
    return handsOver(url, in: environment)
  }
}
