/// Search by the bytes of UTF-8, because the standard library's functions for it are in its library of regular expressions,
/// which adds 2 MB to the package.
extension StringProtocol {
  /// True if a text stands in this one; an empty one always does.
  package func includes(_ text: some StringProtocol) -> Bool {
    let wanted = Array(text.utf8)
    return wanted.isEmpty || range(of: wanted, from: startIndex) != nil
  }

  /// The parts between the places of a separator, empty ones included.
  package func parts(between separator: String) -> [SubSequence] {
    let wanted = Array(separator.utf8)
    var parts: [SubSequence] = []
    var start = startIndex
    while let place = range(of: wanted, from: start) {
      parts.append(self[start..<place.lowerBound])
      start = place.upperBound
    }
    return parts + [self[start...]]
  }

  /// The text with others in the places of some words.
  package func exchanging(_ words: String, for others: String) -> String {
    parts(between: words).joined(separator: others)
  }

  private func range(of wanted: [UInt8], from start: Index) -> Range<Index>? {
    guard let first = wanted.first else { return nil }
    var rest = utf8[start...]
    while let place = rest.firstIndex(of: first) {
      rest = rest[place...]
      if rest.starts(with: wanted) { return place..<rest.index(place, offsetBy: wanted.count) }
      rest = rest.dropFirst()
    }
    return nil
  }
}
