/// What to do with a URL that a page wants to go to.
public enum NavigationDecision: Sendable, Hashable {
  /// Load it like any other.
  case allow
  /// Do not load it: it hands the login over.
  case handOff
}

/// Which URLs end the browsing and hand the login over: the two modes of the CieID iOS SDK.
///
/// Its rules, made exact: "identity provider URL" is an equal scheme, host and port instead of a text found
/// anywhere; `nextUrl` and `level` are query parameters, `livello1` and `livello2` whole path components; and a
/// component counts at the identity provider alone, because a link from elsewhere is refused anyway.
public enum NavigationPolicy: Sendable, Hashable, CaseIterable {
  /// Links with `nextUrl`, `livello1` and `livello2`.
  case `default`
  /// Links of the app's own path at level 2, with `nextUrl`, and `livello1`.
  case universal

  /// Decides about a URL.
  public func decide(
    _ url: RedirectURL, in environment: LoginEnvironment
  ) -> NavigationDecision {
    guard url.scheme == .https, environment.isIdentityProvider(url) else { return .allow }
    if url.queryItems.contains(where: { $0.name == "nextUrl" }) { return .handOff }
    if url.segments.contains("livello1") { return .handOff }
    let isLevelTwo =
      switch self {
      case .default: url.segments.contains("livello2")
      case .universal: url.isAppLogin(in: environment)
      }
    return isLevelTwo ? .handOff : .allow
  }

  /// Decides about a text, which may be a link with its parameters straight after the slash or in an app's wrapper;
  /// what is no URL is allowed, that is: left to the loader to refuse.
  public func decide(_ text: String, in environment: LoginEnvironment) -> NavigationDecision {
    var link = LinkText(text)
    link.separateParameters()
    // As a browser would read it: a link that the judge of links refuses must come to him, not be loaded.
    guard let url = try? RedirectURL(asBrowsersRead: link.url) else { return .allow }
    return decide(url, in: environment)
  }
}
