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
    if let known = links.first(where: { policy.decide($0.target, in: environment) == .handOff }) {
      return known.target
    }
    // A link that only looks right must be refused for what it is, not overlooked.
    if let named = links.first(where: { Self.namesCard($0.text) }) { return named.target }
    if let built = scriptedLink(in: environment) { return built }
    throw .noHandOff
  }

  /// "Entra con lettura carta CIE" (io-app, `ItwCieWebView.tsx`).
  private static func namesCard(_ text: String) -> Bool {
    text.lowercased().contains("lettura carta")
  }

  /// The link whose parts the page's script holds in the constants a, b, c, d and f (io-cie-ios-sdk of 2020,
  /// `ViewController.swift`; io-app). Where it leads comes from the environment.
  private func scriptedLink(in environment: LoginEnvironment) -> String? {
    guard let name = content.constant("a"), let value = content.constant("b"),
      let request = content.constant("c"), let next = environment.nextPaths.sorted().first
    else { return nil }
    let origin = environment.identityProvider.origin
    var items = [
      QueryItem("nextUrl", "\(origin)\(next)"), QueryItem("name", name),
      QueryItem("value", value), QueryItem("authnRequestString", request),
    ]
    if let purpose = content.constant("d") { items.append(QueryItem("OpText", purpose)) }
    if let logo = content.constant("f") { items.append(QueryItem("imgUrl", logo)) }
    return "\(origin)/OpenApp?" + items.encoded
  }
}
