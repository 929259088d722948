/// What the service's last page is like when the login succeeded, in the caller's words.
///
/// `text:Benvenuto` is a text that the page shows, `css:#profile` something that is in it (a subset of CSS, see
/// `Selector`), `url:https://service.example/profile` where it is. Without a prefix: what begins with `https://` or
/// `/` is an address, anything else a text or, where it has one of `#.[>`, either.
package struct LoginExpectation: Sendable, Equatable {
  private enum Sign: Sendable, Equatable {
    case text(String)
    case selector(Selector)
    case url(ExpectedURL)
  }

  private let signs: [Sign]

  /// Reads an expectation.
  ///
  /// - Throws: `.selector` or `.url` when a prefix says what it is and it is not that; `.empty`.
  package init(_ text: String) throws(ExpectationProblem) {
    if let rest = Self.rest(of: text, behind: "text:") {
      signs = [.text(try Self.words(rest))]
    } else if let rest = Self.rest(of: text, behind: "css:") {
      guard let selector = Selector(rest) else { throw .selector }
      signs = [.selector(selector)]
    } else if let rest = Self.rest(of: text, behind: "url:") {
      signs = [.url(try ExpectedURL(rest))]
    } else if text.hasPrefix("https://") || text.hasPrefix("/") {
      signs = [.url(try ExpectedURL(text))]
    } else {
      let selector = text.contains { "#.[>".contains($0) } ? Selector(text) : nil
      signs = [.text(try Self.words(text))] + (selector.map { [.selector($0)] } ?? [])
    }
  }

  /// Whether a page is like that.
  func isMet(by page: Page, at url: RedirectURL) -> Bool {
    signs.contains { sign in
      switch sign {
      case .text(let text): page.shows(text)
      case .selector(let selector): page.contains(selector)
      case .url(let expected): expected.isMet(by: url)
      }
    }
  }

  private static func rest(of text: String, behind prefix: String) -> String? {
    text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
  }

  /// White space counts as one space, as in a page.
  private static func words(_ text: String) throws(ExpectationProblem) -> String {
    let words = text.collapsed
    guard !words.isEmpty else { throw .empty }
    return words
  }
}

/// Why an expectation cannot be one.
package enum ExpectationProblem: Error, Sendable, Hashable {
  /// It says nothing.
  case empty
  /// Behind `css:` stands no selector of the known kinds.
  case selector
  /// Behind `url:` stands neither a URL nor a path.
  case url
}

/// An address: all that is written of it must be equal; a query only where one is written. `*` at the end stands for
/// whatever follows.
private struct ExpectedURL: Sendable, Equatable {
  /// `nil` for a path, at whichever origin.
  private let origin: RedirectURL.Origin?
  private let path: String
  private let query: String?
  private let isPrefix: Bool

  init(_ text: String) throws(ExpectationProblem) {
    isPrefix = text.hasSuffix("*")
    let text = isPrefix ? String(text.dropLast()) : text
    let isPath = text.hasPrefix("/")
    // Any host will do to read a path.
    guard let url = try? RedirectURL((isPath ? "https://path.invalid" : "") + text),
      url.scheme == .https
    else { throw .url }
    origin = isPath ? nil : url.origin
    path = url.path
    query = url.query
  }

  func isMet(by url: RedirectURL) -> Bool {
    guard origin == nil || origin == url.origin else { return false }
    guard isPrefix else { return path == url.path && (query == nil || query == url.query) }
    guard let query else { return url.path.hasPrefix(path) }
    return path == url.path && url.query?.hasPrefix(query) == true
  }
}
