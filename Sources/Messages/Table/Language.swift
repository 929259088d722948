/// A language that the table of messages has. What scripts read is the same in all of them.
public struct Language: RawRepresentable, Hashable, Sendable, CaseIterable {
  /// Its code (ISO 639-1).
  public let rawValue: String

  /// - Returns: `nil` for a language that the table does not have.
  public init?(rawValue: String) {
    guard let language = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = language
  }

  private init(_ code: String) { rawValue = code }

  /// Those in which the row `language` gives its name.
  public static let allCases = MessageTable.shared.languages(of: "language").map(Language.init)

  /// The one for everybody whose own is not in the table.
  public static let english = Language("en")

  /// The language of a locale such as `it_IT.UTF-8`.
  public init(locale: String?) {
    self = Self.allCases.first { locale?.hasPrefix($0.rawValue) == true } ?? .english
  }
}
