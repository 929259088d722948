/// Words of the page that ends an exchange through a browser, without markup.
public struct ReturnWords: Sendable, Equatable {
  /// The language of the words (BCP 47).
  public var language = "en"
  /// The title of the page.
  public var title = "Login"
  /// The answer was received.
  public var accepted = "Login received: you may close this page and go back to the program."
  /// Another request was made.
  public var refused = "Not a valid request."

  /// English words that name no program.
  public init() {}
}

extension ReturnPage {
  package init(_ words: ReturnWords) {
    self.init()
    language = words.language
    title = words.title
    acceptance = words.accepted
    refusal = words.refused
  }
}
