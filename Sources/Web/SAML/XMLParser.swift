internal import CLibXML2
internal import Primitives

/// XML as libxml2 reads it, without document types, entity declarations, or external resources.
enum XMLParser {
  static let sizeLimit = 1 << 20

  static func parse(_ document: [UInt8]) throws(HandOffError) -> XMLElement {
    guard document.count <= sizeLimit else { throw .response(.tooLarge(limit: sizeLimit)) }
    if let fault = XMLScan.fault(in: document) { throw .response(Self.problem(fault)) }
    guard let context = xmlNewParserCtxt() else { throw .response(.notXML) }
    defer { xmlFreeParserCtxt(context) }
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
      | XML_PARSE_NOCDATA.rawValue
    let parsed = document.withUnsafeBytes { buffer in
      xmlCtxtReadMemory(
        context, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(buffer.count), nil,
        "UTF-8", CInt(bitPattern: options))
    }
    defer { xmlFreeDoc(parsed) }
    guard let parsed, context.pointee.wellFormed == 1, context.pointee.nsWellFormed == 1,
      parsed.pointee.intSubset == nil, parsed.pointee.extSubset == nil,
      let root = xmlDocGetRootElement(parsed)
    else { throw .response(.notXML) }
    return element(root)
  }

  private static func problem(_ fault: XMLScan.Fault) -> SAMLProblem {
    switch fault {
    case .notXML: .notXML
    case .documentType: .documentType
    case .tooComplex: .tooComplex
    }
  }

  /// The scan has limited the nesting, and therefore this recursion, too.
  private static func element(_ node: xmlNodePtr) -> XMLElement {
    var attributes: [String: String] = [:]
    var attribute = node.pointee.properties
    while let current = attribute {
      if current.pointee.ns == nil {
        attributes[NodeList.string(current.pointee.name)] = text(current.pointee.children)
      }
      attribute = current.pointee.next
    }
    let elements = NodeList.siblings(node.pointee.children)
      .filter { $0.pointee.type == XML_ELEMENT_NODE }
    return XMLElement(
      namespace: NodeList.string(node.pointee.ns?.pointee.href),
      name: NodeList.string(node.pointee.name), attributes: attributes,
      children: elements.map(element), text: text(node.pointee.children))
  }

  /// The texts in a list of nodes. A comment between two of them does not split the text: both count.
  private static func text(_ first: xmlNodePtr?) -> String {
    NodeList.siblings(first).filter(NodeList.isText)
      .map { NodeList.string($0.pointee.content) }.joined()
  }
}

/// An element of an XML document, its name resolved by namespace: prefixes have no meaning.
struct XMLElement: Sendable {
  /// The namespace's URI; empty without one.
  let namespace: String
  let name: String
  /// The attributes without a namespace, by name.
  let attributes: [String: String]
  let children: [XMLElement]
  /// The character data of this element alone.
  let text: String

  func children(_ name: String, in namespace: String) -> [XMLElement] {
    children.filter { $0.name == name && $0.namespace == namespace }
  }

  /// This element and all its descendants in a namespace, in the order of their start tags.
  func all(in namespace: String) -> [XMLElement] {
    var found: [XMLElement] = []
    collect(namespace, into: &found)
    return found
  }

  private func collect(_ namespace: String, into found: inout [XMLElement]) {
    if self.namespace == namespace { found.append(self) }
    for child in children { child.collect(namespace, into: &found) }
  }

  var trimmedText: String {
    String(text.unicodeScalars.trimmed(\.properties.isWhitespace))
  }
}

extension XMLElement: Redacted {
  var description: String { "<\(name)>" }
}

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
