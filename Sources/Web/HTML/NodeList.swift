internal import CLibXML2

/// The functions that both parsers use on the trees of libxml2.
enum NodeList {
  /// A node and its later siblings.
  static func siblings(_ first: xmlNodePtr?) -> some Sequence<xmlNodePtr> {
    sequence(state: first) { node in
      defer { node = node?.pointee.next }
      return node
    }
  }

  /// A text of libxml2; empty for a null pointer.
  static func string(_ text: UnsafePointer<xmlChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }

  /// Checks whether a node is character data.
  static func isText(_ node: xmlNodePtr) -> Bool {
    [XML_TEXT_NODE, XML_CDATA_SECTION_NODE].contains(node.pointee.type)
  }
}
