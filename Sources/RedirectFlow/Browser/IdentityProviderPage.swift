/// What is read in the identity provider's pages.
///
/// Their real mark-up is not published; all that is assumed about it is here and in `ConsentForm`.
extension LoadedPage {
  /// An error page, and the code that it names.
  struct ErrorPage {
    /// The number of `ErrorCode nrXX` (cie-eid-saml-docs, error codes).
    let number: Int?
  }

  /// What the page is if it is the error page: io-app takes a title with this word for it.
  var errorPage: ErrorPage? {
    guard content.title.uppercased().contains("ERRORE") else { return nil }
    let words = content.elements(named: "body").first?.text.split(separator: " ") ?? []
    return ErrorPage(number: words.lazy.compactMap(Self.number).first)
  }

  /// `nr` and one or two digits.
  private static func number(_ word: Substring) -> Int? {
    guard word.hasPrefix("nr"), (3...4).contains(word.utf8.count) else { return nil }
    let digits = word.dropFirst(2)
    return digits.utf8.allSatisfy(ASCII.isDigit) ? Int(digits) : nil
  }

  /// The link that hands the login over: one that the policy knows, else what the page calls the way to the card,
  /// else what its script would put together.
  ///
  /// - Throws: `.noHandOff`.
  func handOff(
    _ policy: NavigationPolicy, in environment: LoginEnvironment
  ) throws(LoginError) -> String {
    let links = content.links
    if let known = links.first(where: { policy.handsOver($0.target, in: environment) }) {
      return known.target
    }
    // A link that only looks right must be refused for what it is, not overlooked.
    if let named = links.first(where: { Self.namesCard($0.text) && leadsElsewhere($0.target) }) {
      return named.target
    }
    let targets = content.scriptTargets
    if let known = targets.first(where: { policy.handsOver($0, in: environment) }) {
      return known
    }
    if let built = scriptedLink(in: environment) { return built }
    throw .noHandOff
  }

  /// Not to this page, as a link that only starts a script does.
  private func leadsElsewhere(_ target: String) -> Bool {
    let place = { (text: String) in text.prefix { $0 != "#" } }
    return place(target) != place(content.url) && !target.lowercased().hasPrefix("javascript:")
  }

  /// "Entra con lettura carta CIE" (io-app, `ItwCieWebView.tsx`).
  private static func namesCard(_ text: String) -> Bool {
    text.lowercased().contains("lettura carta")
  }

  /// The link whose parts the page's script holds in the constants a, b, c, d and f (io-cie-ios-sdk of 2020,
  /// `ViewController.swift`; io-app). Where it leads comes from the page's own
  /// origin, where the environment knows that, and from the environment.
  ///
  /// Both put the parts behind each other as they stand, and so does this: a page encodes what has to be. Where the
  /// page's own script is seen to encode them at the last moment, they are.
  private func scriptedLink(in environment: LoginEnvironment) -> String? {
    guard content.constant("a") != nil, content.constant("b") != nil,
      content.constant("c") != nil, let next = environment.nextPaths.sorted().first
    else { return nil }
    // The card's calls may have a port of their own, which carries no links.
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
