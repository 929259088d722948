extension PersonalDetails {
  /// A name in the form of travel documents: two fillers part the surname from the given names, one filler parts words
  /// (Doc 9303-3 §4.6, Doc 9303-10 §4.7.11).
  public struct Name: Sendable, Hashable {
    /// The primary identifier.
    public let surname: String
    /// The secondary identifiers; empty for people with one name.
    public let givenNames: String

    init(_ text: String) {
      let characters = Array(text)
      let gap = zip(characters, characters.dropFirst()).enumerated()
        .first { $0.element == ("<", "<") }?.offset
      let end = gap ?? characters.count
      surname = Self.words(characters.prefix(end))
      givenNames = Self.words(characters.dropFirst(end))
    }

    private static func words(_ characters: ArraySlice<Character>) -> String {
      characters.split(separator: "<").map { String($0) }.joined(separator: " ")
    }
  }
}
