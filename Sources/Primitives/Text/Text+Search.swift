/// Search by the bytes of UTF-8, because the standard library's functions for it are in its library of regular expressions,
/// which adds 2 MB to the package.
extension StringProtocol {
  /// True if a text stands in this one; an empty one always does.
  package func includes(_ text: some StringProtocol) -> Bool {
    utf8.place(of: text.utf8) != nil
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
    let rest = utf8[start...]
    return wanted.isEmpty
      ? nil : rest.place(of: wanted).map { $0..<rest.index($0, offsetBy: wanted.count) }
  }
}

extension Collection<UInt8> {
  /// The first place at which these bytes stand.
  package func place(of wanted: some Collection<UInt8>) -> Index? {
    guard let first = wanted.first else { return startIndex }
    var rest = self[...]
    while let place = rest.firstIndex(of: first) {
      rest = rest[place...]
      if rest.starts(with: wanted) { return place }
      rest = rest.dropFirst()
    }
    return nil
  }
}

extension BidirectionalCollection {
  /// The slice without such elements at both ends.
  package func trimmed(_ isBlank: (Element) -> Bool) -> SubSequence {
    var rest = drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
    return rest
  }
}
