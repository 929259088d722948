/// A scan of a document before a parser reads it (XML 1.0 §2): for markup that is never needed here, and for bounds.
package enum XMLScan {
  /// The reason why a document is not read.
  package enum Fault {
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

  /// - Returns: nil for a document that the parser may read.
  package static func fault(in document: [UInt8]) -> Fault? {
    // Other encodings would read differently here and in the parser.
    guard String(validating: document, as: UTF8.self) != nil, !document.contains(0) else {
      return .notXML
    }
    var rest = document[...]
    var depth = 0
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...].dropFirst()
      if rest.starts(with: "!--".utf8) {
        guard skip("-->", &rest) else { return .notXML }
      } else if rest.starts(with: "![CDATA[".utf8) {
        guard skip("]]>", &rest) else { return .notXML }
      } else if rest.first == UInt8(ascii: "?") {
        guard skip("?>", &rest) else { return .notXML }
      } else if rest.first == UInt8(ascii: "!") {
        return .documentType
      } else if rest.first == UInt8(ascii: "/") {
        depth -= 1
      } else {
        guard let tag = tag(&rest) else { return .notXML }
        depth += tag.isOpen ? 1 : 0
        guard tag.attributes <= attributeLimit, depth <= depthLimit else { return .tooComplex }
      }
    }
    return nil
  }

  /// - Returns: false if the end is not there.
  private static func skip(_ end: StaticString, _ rest: inout ArraySlice<UInt8>) -> Bool {
    let end = Array("\(end)".utf8)
    while !rest.isEmpty, !rest.starts(with: end) { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return false }
    rest = rest.dropFirst(end.count)
    return true
  }

  /// Goes to the end of a start tag, whose quoted values may hold any `>`, or to the first attribute above the limit.
  ///
  /// - Returns: its attributes, and `true` if the element has content; nil if it does not end.
  private static func tag(
    _ rest: inout ArraySlice<UInt8>
  ) -> (attributes: Int, isOpen: Bool)? {
    var attributes = 0
    var previous: UInt8 = 0
    var quote: UInt8?
    while let byte = rest.popFirst() {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        attributes += 1
        guard attributes <= attributeLimit else { return (attributes, true) }
      } else if byte == UInt8(ascii: ">") {
        return (attributes, previous != UInt8(ascii: "/"))
      }
      previous = byte
    }
    return nil
  }
}
