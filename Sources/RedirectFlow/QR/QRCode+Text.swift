extension QRCode {
  /// The code for a terminal with light text on a dark ground: two rows of modules a line, light ones drawn as
  /// half blocks, margin included.
  public var terminalText: String {
    var text = ""
    for row in stride(from: span.lowerBound, to: span.upperBound, by: 2) {
      for column in span {
        // Below the last row of an odd number there is nothing, neither light nor dark.
        let hasLower = span.contains(row + 1)
        let lower = hasLower && !isDark(row: row + 1, column: column)
        switch (!isDark(row: row, column: column), lower) {
        case (true, true): text += "█"
        case (true, false): text += "▀"
        case (false, true): text += "▄"
        case (false, false): text += " "
        }
      }
      text += "\n"
    }
    return text
  }
}
