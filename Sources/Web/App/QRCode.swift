internal import CQREncode

extension RedirectURL {
  /// A QR code (ISO/IEC 18004) of a text, to be photographed from a screen by a phone.
  ///
  /// It shows the text to every camera around: hand-off links only, never a completed URL.
  public struct QRCode: Sendable, Hashable {
    /// The light margin that the standard asks for, in modules.
    static let quietZone = 4

    /// Modules on each side, without the margin.
    public let width: Int
    /// Module colours, row by row: true is dark.
    private let modules: [Bool]

    /// Encodes a text as bytes, with as much error correction as fits: level M, else L.
    ///
    /// - Returns: `nil` for an empty text, and for more than the largest symbol holds: 2953 bytes (ISO/IEC 18004, table 7,
    ///   version 40-L).
    package init?(_ text: String) {
      let bytes = [UInt8](text.utf8)
      guard !bytes.isEmpty else { return nil }
      guard bytes.count <= 2953 else { return nil }
      guard
        let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
          ?? QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_L)
      else { return nil }
      defer { QRcode_free(code) }
      width = Int(code.pointee.width)
      // Bit 0 of each byte is the module's colour; the others give its purpose.
      modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map {
        $0 & 1 == 1
      }
    }

    /// Returns true for a dark module; those of the margin and beyond are light.
    public func isDark(row: Int, column: Int) -> Bool {
      let symbol = 0..<width
      return symbol.contains(row) && symbol.contains(column) && modules[row * width + column]
    }

    /// Rows or columns with the margin on both sides.
    var span: Range<Int> { -Self.quietZone..<width + Self.quietZone }
  }
}

extension RedirectURL.QRCode {
  /// The code as a picture (SVG 1.1): dark on white with its margin, one unit a module, one path for all.
  public var svg: String {
    let side = span.count
    var path = ""
    for row in 0..<width {
      var column = 0
      while column < width {
        let start = column
        while isDark(row: row, column: column) { column += 1 }
        if column > start {
          let run = column - start
          path += "M\(start + Self.quietZone) \(row + Self.quietZone)h\(run)v1h-\(run)z"
        } else {
          column += 1
        }
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" \
      shape-rendering="crispEdges">
      <path fill="#fff" d="M0 0h\(side)v\(side)h-\(side)z"/>
      <path d="\(path)"/>
      </svg>

      """
  }
}

extension RedirectURL.QRCode {
  /// The code for a terminal with light text on a dark ground: two rows of modules a line, light ones drawn as
  /// half blocks, margin included.
  public var terminalText: String {
    var text = ""
    for row in stride(from: span.lowerBound, to: span.upperBound, by: 2) {
      for column in span {
        // The row below the last of an odd number is neither light nor dark.
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
