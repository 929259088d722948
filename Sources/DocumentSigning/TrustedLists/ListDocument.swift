internal import CLibXML2
internal import Primitives

/// An XML document as libxml2 holds it, read without document type, entities or external resources.
final class ListDocument {
  let pointer: xmlDocPtr
  private let rootPointer: xmlNodePtr

  var root: ListNode { ListNode(pointer: rootPointer, document: self) }

  init(_ bytes: [UInt8]) throws(TrustedListProblem) {
    let limit = TrustedListUpdate.longestList
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    guard XMLScan.fault(in: bytes) == nil, let context = xmlNewParserCtxt() else { throw .notXML }
    defer { xmlFreeParserCtxt(context) }
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    let parsed = bytes.withUnsafeBytes { buffer in
      xmlCtxtReadMemory(
        context, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(buffer.count), nil,
        "UTF-8", CInt(bitPattern: options))
    }
    guard let parsed else { throw .notXML }
    guard context.pointee.wellFormed == 1, context.pointee.nsWellFormed == 1,
      parsed.pointee.intSubset == nil, parsed.pointee.extSubset == nil,
      let root = xmlDocGetRootElement(parsed)
    else {
      xmlFreeDoc(parsed)
      throw .notXML
    }
    pointer = parsed
    rootPointer = root
  }

  deinit { xmlFreeDoc(pointer) }
}

/// An element of a document, which it keeps alive.
struct ListNode {
  let pointer: xmlNodePtr
  let document: ListDocument

  /// The local name.
  var name: String { Self.string(pointer.pointee.name) }
  /// The namespace's URI; empty without one.
  var namespace: String { Self.string(pointer.pointee.ns?.pointee.href) }

  var children: [ListNode] {
    Self.siblings(pointer.pointee.children)
      .filter { $0.pointee.type == XML_ELEMENT_NODE }
      .map { ListNode(pointer: $0, document: document) }
  }

  /// The character data of this element alone, without white space around it.
  var text: String { Self.text(pointer.pointee.children) }

  /// The attributes; the name of one in the namespace of XML itself begins with `xml:`, of one in another with `*:`.
  var attributes: [String: String] {
    var attributes: [String: String] = [:]
    var attribute = pointer.pointee.properties
    while let current = attribute {
      let prefix =
        current.pointee.ns.map {
          Self.string($0.pointee.href) == ListNamespace.xml ? "xml:" : "*:"
        } ?? ""
      attributes[prefix + Self.string(current.pointee.name)] = Self.text(current.pointee.children)
      attribute = current.pointee.next
    }
    return attributes
  }

  func all(_ name: String, in namespace: String = ListNamespace.list) -> [ListNode] {
    children.filter { $0.name == name && $0.namespace == namespace }
  }

  func first(_ name: String, in namespace: String = ListNamespace.list) -> ListNode? {
    Self.siblings(pointer.pointee.children)
      .lazy.filter { $0.pointee.type == XML_ELEMENT_NODE }
      .map { ListNode(pointer: $0, document: document) }
      .first { $0.name == name && $0.namespace == namespace }
  }

  /// The child of this name.
  ///
  /// - Throws: `form`, if there is not exactly one.
  func only(
    _ name: String, in namespace: String = ListNamespace.list
  ) throws(TrustedListProblem) -> ListNode {
    let found = all(name, in: namespace)
    guard found.count == 1, let child = found.first else { throw .form(name) }
    return child
  }

  private static func siblings(_ first: xmlNodePtr?) -> some Sequence<xmlNodePtr> {
    sequence(state: first) { node in
      defer { node = node?.pointee.next }
      return node
    }
  }

  /// A comment between two texts does not split the text: both count.
  private static func text(_ first: xmlNodePtr?) -> String {
    let whole = siblings(first)
      .filter { [XML_TEXT_NODE, XML_CDATA_SECTION_NODE].contains($0.pointee.type) }
      .map { string($0.pointee.content) }.joined()
    return String(whole.unicodeScalars.trimmed(\.properties.isWhitespace))
  }

  private static func string(_ text: UnsafePointer<xmlChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }
}

/// The namespaces of trusted lists and their signatures.
enum ListNamespace {
  static let xml = "http://www.w3.org/XML/1998/namespace"
  /// ETSI TS 119 612 annex C.
  static let list = "http://uri.etsi.org/02231/v2#"
  static let additional = "http://uri.etsi.org/02231/v2/additionaltypes#"
  static let qualifications =
    "http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#"
  static let signature = "http://www.w3.org/2000/09/xmldsig#"
  /// ETSI EN 319 132-1.
  static let properties = "http://uri.etsi.org/01903/v1.3.2#"
}
