/// A scan of a document before a parser reads it (XML 1.0 §2): for markup that is never needed here, and for bounds.
package enum XMLScan {
  /// The reason why a document is not read.
  package enum Fault: Error {
    /// Markup that does not end, bytes that are not UTF-8, or a zero byte.
    case notXML
    /// A document type, or another declaration.
    case documentType
    /// Elements nested deeper, or with more attributes, than the limits.
    case tooComplex
  }

  /// The deepest nesting; a signed assertion has about ten, a trusted list about twenty.
  static let depthLimit = 64
  /// The most attributes of one element: the time that libxml2 takes grows with their square.
  private static let attributeLimit = 64

  package static func check(_ document: [UInt8]) throws(Fault) {
    // Other encodings would read differently here and in the parser.
    guard String(validating: document, as: UTF8.self) != nil, !document.contains(0) else {
      throw .notXML
    }
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
        throw .documentType
      } else if rest.first == UInt8(ascii: "/") {
        depth -= 1
      } else {
        depth += try tagIsOpen(&rest) ? 1 : 0
        guard depth <= depthLimit else { throw .tooComplex }
      }
    }
  }

  private static func skip(
    _ end: StaticString, _ rest: inout ArraySlice<UInt8>
  ) throws(Fault) {
    let end = Array("\(end)".utf8)
    while !rest.isEmpty, !rest.starts(with: end) { rest = rest.dropFirst() }
    guard !rest.isEmpty else { throw .notXML }
    rest = rest.dropFirst(end.count)
  }

  /// Goes to the end of a start tag, whose quoted values may hold any `>`.
  ///
  /// - Returns: `true` if the element has content.
  private static func tagIsOpen(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> Bool {
    var attributes = 0
    var previous: UInt8 = 0
    var quote: UInt8?
    while let byte = rest.popFirst() {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        attributes += 1
        guard attributes <= attributeLimit else { throw .tooComplex }
      } else if byte == UInt8(ascii: ">") {
        return previous != UInt8(ascii: "/")
      }
      previous = byte
    }
    throw .notXML
  }
}
