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
    guard let title = content.title, title.uppercased().contains("ERRORE") else { return nil }
    return ErrorPage(number: nil)
  }

  /// The link that hands the login over: one that the policy knows, else what the page calls the way to the card.
  ///
  /// - Throws: `.noHandOff`.
  func handOff(
    _ policy: NavigationPolicy, in environment: LoginEnvironment
  ) throws(LoginError) -> String {
    let links = content.links
    if let known = links.first(where: { policy.decide($0.href, in: environment) == .handOff }) {
      return known.href
    }
    // A link that only looks right must be refused for what it is, not overlooked.
    if let named = links.first(where: { Self.namesCard($0.text) }) { return named.href }
    throw .noHandOff
  }

  /// "Entra con lettura carta CIE" (io-app, `ItwCieWebView.tsx`).
  private static func namesCard(_ text: String) -> Bool {
    text.lowercased().contains("lettura carta")
  }
}
