internal import Primitives

/// Readers of the identity provider's pages.
///
/// Their real mark-up is not published; all assumptions about it are here and in `ConsentForm`.
extension LoadedPage {
  /// - Throws: `.errorPage` if this is one, with the number of `ErrorCode nrXX` (cie-eid-saml-docs, error codes): io-app
  ///   recognises it by this word in the title.
  func refuseErrorPage(at stage: LoginStage) throws(LoginError) {
    guard content.title.uppercased().includes("ERRORE") else { return }
    let words = content.text.split(separator: " ")
    throw LoginError(.errorPage(code: words.lazy.compactMap(Self.number).first, stage))
  }

  /// `nr` and one or two digits.
  private static func number(_ word: Substring) -> Int? {
    guard word.hasPrefix("nr"), (3...4).contains(word.utf8.count) else { return nil }
    let digits = word.dropFirst(2)
    return digits.utf8.allSatisfy(ASCII.isDigit) ? Int(digits) : nil
  }

  /// The link that hands the login over: one that the policy knows, else the one that the page labels as the card
  /// login, else the one that its script would put together.
  func handOff(
    _ policy: NavigationPolicy, in environment: LoginEnvironment
  ) throws(LoginError) -> String {
    let links = content.links
    if let known = links.first(where: { policy.handsOver($0.target, in: environment) }) {
      return known.target
    }
    // A link that only looks right must be refused for its own fault, not overlooked.
    if let named = links.first(where: { Self.namesCard($0.text) && leadsElsewhere($0.target) }) {
      return named.target
    }
    let targets = content.scriptTargets
    if let known = targets.first(where: { policy.handsOver($0, in: environment) }) {
      return known
    }
    if let built = scriptedLink(in: environment) { return built }
    throw LoginError(.noHandOff)
  }

  /// Returns false for a link to this page, as it only starts a script.
  private func leadsElsewhere(_ target: String) -> Bool {
    let place = { (text: String) in text.prefix { $0 != "#" } }
    return place(target) != place(content.url) && !target.lowercased().hasPrefix("javascript:")
  }

  /// "Entra con lettura carta CIE" (io-app, `ItwCieWebView.tsx`).
  private static func namesCard(_ text: String) -> Bool {
    text.lowercased().includes("lettura carta")
  }

  /// The link whose parts the page's script holds in the constants a, b, c, d and f (io-cie-ios-sdk of 2020,
  /// `ViewController.swift`; io-app). Its origin is the page's own, where the environment knows that, else the
  /// environment's.
  ///
  /// Both concatenate the parts unchanged, and so does this, because the page has encoded them. Parts that the page's
  /// own script encodes at use are encoded here.
  private func scriptedLink(in environment: LoginEnvironment) -> String? {
    guard content.constant("a") != nil, content.constant("b") != nil,
      content.constant("c") != nil, let next = environment.nextPaths.sorted().first
    else { return nil }
    // The card's calls may have a separate port, which carries no links.
    let origin =
      environment.mayCarryHandOff(url) ? url.origin : environment.identityProvider.origin
    var link = "\(origin)/OpenApp?nextUrl=\(origin)\(next)"
    for (constant, parameter) in [
      ("a", "name"), ("b", "value"), ("c", "authnRequestString"), ("d", "OpText"), ("f", "imgUrl"),
    ] {
      guard let value = content.constant(constant) else { continue }
      let isRaw = content.encodes(constant)
      link +=
        "&\(parameter)="
        + (isRaw ? PercentEncoding.encode(value) : PercentEncoding.encodeIllegal(value))
    }
    return link
  }
}
