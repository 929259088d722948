extension QRCode {
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
