/// A scan of a document before a parser reads it (XML 1.0 §2): for markup that is never needed here, and for bounds.
enum XMLScan {
  /// - Throws: `documentType`, `tooComplex`, or `notXML` for markup that does not end.
  static func check(_ document: [UInt8]) throws(HandOffError) {
    var rest = document[...]
    var depth = 0
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...].dropFirst()
      if rest.starts(with: "!--".utf8) {
        try skip("-->", &rest)
      } else if rest.starts(with: "![CDATA[".utf8) {
        try skip("]]>", &rest)
      } else if rest.first == UInt8(ascii: "?") {
        try skip("?>", &rest)
      } else if rest.first == UInt8(ascii: "!") {
        throw .response(.documentType)
      } else if rest.first == UInt8(ascii: "/") {
        depth -= 1
      } else {
        depth += try tagIsOpen(&rest) ? 1 : 0
        guard depth <= XMLParser.depthLimit else { throw .response(.tooComplex) }
      }
    }
  }

  private static func skip(
    _ end: StaticString, _ rest: inout ArraySlice<UInt8>
  ) throws(HandOffError) {
    let end = Array("\(end)".utf8)
    while !rest.isEmpty, !rest.starts(with: end) { rest = rest.dropFirst() }
    guard !rest.isEmpty else { throw .response(.notXML) }
    rest = rest.dropFirst(end.count)
  }

  /// Goes to the end of a start tag, whose quoted values may hold any `>`.
  ///
  /// - Returns: `true` if the element has content.
  private static func tagIsOpen(_ rest: inout ArraySlice<UInt8>) throws(HandOffError) -> Bool {
    var attributes = 0
    var previous: UInt8 = 0
    var quote: UInt8?
    while let byte = rest.popFirst() {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        attributes += 1
        guard attributes <= XMLParser.attributeLimit else { throw .response(.tooComplex) }
      } else if byte == UInt8(ascii: ">") {
        return previous != UInt8(ascii: "/")
      }
      previous = byte
    }
    throw .response(.notXML)
  }
}
