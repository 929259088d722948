/// A table in columns of fixed width: the first three to the left, numbers to the right.
enum BenchmarkTable {
  private static let widths = [10, 10, 10, 6, 7, 7, 9, 12, 9, 12]

  /// The head of the table with a line under it.
  static func title(_ cells: String...) -> String {
    let head = row(cells)
    return head + "\n" + String(repeating: "-", count: head.count)
  }

  /// One line.
  static func row(_ cells: String...) -> String { row(cells) }

  /// One decimal place.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }

  private static func row(_ cells: [String]) -> String {
    zip(cells, widths).enumerated().map { index, pair in
      let padding = String(repeating: " ", count: max(0, pair.1 - pair.0.count))
      return index < 3 ? pair.0 + padding : padding + pair.0
    }.joined(separator: " ")
  }
}
