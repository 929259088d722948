internal import CLibXML2

/// Walks through the trees of libxml2.
enum NodeList {
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

  static func isText(_ node: xmlNodePtr) -> Bool {
    [XML_TEXT_NODE, XML_CDATA_SECTION_NODE].contains(node.pointee.type)
  }
}
