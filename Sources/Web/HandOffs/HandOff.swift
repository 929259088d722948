internal import Primitives

/// A link with which the identity provider's page hands a login to an app, or to this program.
package indirect enum HandOff: Sendable, Hashable {
  /// Level 3: a card and its PIN. This program can do it itself.
  case card(CardHandOff)
  /// Levels 1 and 2: the identity provider's app. This program can only pass the link on.
  case app(AppHandOff)
  /// Level 3 begun on a computer and ended by a phone that reads the card.
  case hybrid(HybridHandOff)

  /// Checks a link in any of its known forms.
  ///
  /// The content of the link decides on the form: `nextUrl` or `OpenApp` make it the card's, a path component
  /// `livello1` or `livello2` or the app's own path the app's, `erroreQr.jsp` the hybrid one's.
  package init(_ text: String, in environment: LoginEnvironment) throws(HandOffError) {
    var link = LinkText(text)
    link.splitSourceApp()
    link.separateParameters()
    let url = try mapError(try RedirectURL(link.url)) { HandOffError.link(.url($0)) }
    guard url.scheme == .https else { throw .link(.notHTTPS) }
    guard environment.mayCarryHandOff(url) else { throw .link(.foreignHost(url.origin)) }

    let sourceApp = link.sourceApp.map { [QueryItem("sourceApp", $0)] } ?? []
    let parameters = try HandOffParameters(url.queryItems + sourceApp)
    // Repeated slashes are refused here and not with the path, where they are legal.
    guard !url.hasEmptySegment else { throw .link(.url(.emptySegment)) }
    if parameters.has("nextUrl") || url.path == "/OpenApp" {
      self = .card(try CardHandOff(url, parameters, in: environment))
    } else if url.path == environment.identityProvider.path + HybridHandOff.page {
      self = .hybrid(try HybridHandOff(url, parameters, in: environment))
    } else if let level = AppHandOff.level(of: url, in: environment) {
      self = .app(try AppHandOff(url, level, parameters))
    } else {
      throw .link(.notAHandOff)
    }
  }

  /// The checked link, without wrapper and without the callback scheme.
  package var url: RedirectURL {
    switch self {
    case .card(let handOff): handOff.url
    case .app(let handOff): handOff.url
    case .hybrid(let handOff): handOff.url
    }
  }

  /// The link as an app of the identity provider takes it: `CIEID://https://…`, with the scheme to call back by
  /// (cieid-ios-sdk, `CieIDWKWebViewController.swift`).
  ///
  /// - Parameter scheme: a URL scheme of the desktop; without one the app cannot call back.
  package func appLink(returningTo scheme: String?) -> String {
    "CIEID://" + url.adding(scheme.map { [QueryItem("sourceApp", $0)] } ?? []).text
  }
}
