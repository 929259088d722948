extension StringProtocol {
  /// The words with one space between them, as a page shows white space.
  var collapsed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
