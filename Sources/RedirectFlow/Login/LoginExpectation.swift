/// The signs of a successful login on the service's last page, in the caller's words.
///
/// `text:Benvenuto` is a text that the page shows, `css:#profile` an element in it (a subset of CSS, see `Selector`),
/// `url:https://service.example/profile` its address. Without a prefix: a text that begins with `https://` or `/` is an
/// address, any other a text or, if it has one of `#.[>`, either.
package struct LoginExpectation: Sendable, Equatable {
  private enum Sign: Sendable, Equatable {
    case text(String)
    case selector(Selector)
    case url(ExpectedURL)
  }

  private let signs: [Sign]

  /// - Returns: `nil` when the rest does not fit the prefix: no selector of the known kinds, neither a URL nor a path, no text.
  package init?(_ text: String) {
    if let rest = Self.rest(of: text, behind: "text:") {
      guard let words = Self.words(rest) else { return nil }
      signs = [.text(words)]
    } else if let rest = Self.rest(of: text, behind: "css:") {
      guard let selector = Selector(rest) else { return nil }
      signs = [.selector(selector)]
    } else if let rest = Self.rest(of: text, behind: "url:") {
      guard let url = ExpectedURL(rest) else { return nil }
      signs = [.url(url)]
    } else if text.hasPrefix("https://") || text.hasPrefix("/") {
      guard let url = ExpectedURL(text) else { return nil }
      signs = [.url(url)]
    } else {
      guard let words = Self.words(text) else { return nil }
      let selector = text.contains { "#.[>".contains($0) } ? Selector(text) : nil
      signs = [.text(words)] + (selector.map { [.selector($0)] } ?? [])
    }
  }

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
  private static func words(_ text: String) -> String? {
    let words = text.collapsed
    return words.isEmpty ? nil : words
  }
}

/// An address: all written parts must be equal; a query only if one is written. `*` at the end stands for any rest.
private struct ExpectedURL: Sendable, Equatable {
  /// The origin; `nil` for a path, at any origin.
  private let origin: RedirectURL.Origin?
  private let path: String
  private let query: String?
  private let isPrefix: Bool

  init?(_ text: String) {
    isPrefix = text.hasSuffix("*")
    let text = isPrefix ? String(text.dropLast()) : text
    let isPath = text.hasPrefix("/")
    // Any host will do to read a path.
    guard let url = try? RedirectURL((isPath ? "https://path.invalid" : "") + text),
      url.scheme == .https
    else { return nil }
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
