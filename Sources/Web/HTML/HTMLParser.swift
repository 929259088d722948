internal import CLibXML2

/// HTML as libxml2 reads it, which accepts any input and repairs it where it can.
package enum HTMLParser {
  package static let sizeLimit = 4 << 20
  /// The deepest nesting, as deep as browsers build a page; libxml2 itself would cut it silently at 256.
  static let depthLimit = 512
  /// The most elements of a page: each takes some hundred bytes of memory.
  static let elementLimit = 200_000
  /// The most attributes of one element: the time that libxml2 takes grows with their square.
  static let attributeLimit = 2000

  package static func parse(_ body: [UInt8]) throws(PageError) -> HTMLElement {
    guard body.count <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
    let text = decode(body)
    guard !hasTooManyAttributes(text) else { throw .tooManyAttributes(limit: attributeLimit) }
    guard let context = htmlNewParserCtxt() else { throw .empty }
    defer { htmlFreeParserCtxt(context) }
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    count.initialize(to: 0)
    defer { count.deallocate() }
    context.pointee._private = UnsafeMutableRawPointer(count)
    context.pointee.sax?.pointee.startElement = { context, name, attributes in
      guard let context else { return }
      let parser = context.assumingMemoryBound(to: xmlParserCtxt.self)
      let count = parser.pointee._private?.assumingMemoryBound(to: Int.self)
      count?.pointee += 1
      if parser.pointee.nameNr > HTMLParser.depthLimit
        || count.map({ $0.pointee > HTMLParser.elementLimit }) != false
      {
        xmlStopParser(parser)
      } else {
        // Without this option libxml2 has its own limit of depth; the one above takes its place.
        parser.pointee.options |= CInt(bitPattern: XML_PARSE_HUGE.rawValue)
        xmlSAX2StartElement(context, name, attributes)
      }
    }
    context.pointee.sax?.pointee.initialized = UInt32(XML_SAX2_MAGIC)
    context.pointee.sax?.pointee.serror = { context, error in
      // After a failed allocation libxml2 2.9 reads no further, but in some loops waits for the end of the text.
      guard error?.pointee.code == CInt(XML_ERR_NO_MEMORY.rawValue),
        let parser = context?.assumingMemoryBound(to: xmlParserCtxt.self),
        let input = parser.pointee.input
      else { return }
      input.pointee.cur = input.pointee.end
    }
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue | HTML_PARSE_NODEFDTD.rawValue
    let document = text.withUnsafeBytes { buffer in
      htmlCtxtReadMemory(
        context, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(buffer.count), nil,
        "UTF-8", CInt(bitPattern: options))
    }
    defer { xmlFreeDoc(document) }
    guard context.pointee.errNo != XML_ERR_USER_STOP.rawValue else {
      throw count.pointee > elementLimit
        ? .tooManyElements(limit: elementLimit) : .tooDeep(limit: depthLimit)
    }
    guard context.pointee.errNo != XML_ERR_NO_MEMORY.rawValue else { throw .noMemory }
    guard let document, let root = xmlDocGetRootElement(document) else { throw .empty }
    return element(root)
  }

  /// UTF-16 with its mark, UTF-8, or otherwise ISO 8859-1, converted to UTF-8 without NUL, the only encoding set in the
  /// parser.
  private static func decode(_ body: [UInt8]) -> [UInt8] {
    var text = body
    if let units = unitsOfUTF16(body) {
      text = Array(String(decoding: units, as: UTF16.self).utf8)
    } else if String(validating: body, as: UTF8.self) == nil {
      text = body.flatMap { Array(String(UnicodeScalar($0)).utf8) }
    }
    for index in text.indices where text[index] == 0 { text[index] = UInt8(ascii: " ") }
    return text
  }

  /// The units of UTF-16 that begins with its byte order mark (Encoding Standard §6, BOM sniff).
  private static func unitsOfUTF16(_ bytes: [UInt8]) -> [UInt16]? {
    let isBig = bytes.starts(with: [0xFE, 0xFF])
    guard isBig || bytes.starts(with: [0xFF, 0xFE]) else { return nil }
    return stride(from: 2, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBig ? first << 8 | second : second << 8 | first
    }
  }

  /// Counts the words between the start of a tag and the next `>`, quoted or not.
  private static func hasTooManyAttributes(_ text: [UInt8]) -> Bool {
    var words: Int?
    var previous = UInt8(ascii: " ")
    for byte in text {
      switch byte {
      case UInt8(ascii: ">"): words = nil
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"), UInt8(ascii: "\\"),
        0x09...0x0D, 0x20:
        if let count = words { words = count + 1 }
      default:
        // Only a letter makes `<` the start of a tag.
        if previous == UInt8(ascii: "<"), words == nil, (0x61...0x7A).contains(byte | 0x20) {
          words = 0
        }
      }
      if let count = words, count > 2 * attributeLimit { return true }
      previous = byte
    }
    return false
  }

  /// The nesting is limited, and therefore this recursion, too.
  private static func element(_ node: xmlNodePtr) -> HTMLElement {
    var attributes: [String: String] = [:]
    var attribute = node.pointee.properties
    while let current = attribute {
      let name = NodeList.string(current.pointee.name)
      if attributes[name] == nil {
        let texts = NodeList.siblings(current.pointee.children)
        attributes[name] = texts.map { NodeList.string($0.pointee.content) }.joined()
      }
      attribute = current.pointee.next
    }
    let children = NodeList.siblings(node.pointee.children).compactMap {
      child -> HTMLElement.Node? in
      if child.pointee.type == XML_ELEMENT_NODE { return .element(element(child)) }
      return NodeList.isText(child) ? .text(NodeList.string(child.pointee.content)) : nil
    }
    return HTMLElement(
      name: NodeList.string(node.pointee.name).lowercased(), attributes: attributes,
      children: children)
  }
}

/// A page cannot be read. Its content is not repeated here.
package enum PageError: Error, Sendable, Equatable {
  case tooLarge(limit: Int)
  case tooDeep(limit: Int)
  case tooManyElements(limit: Int)
  case tooManyAttributes(limit: Int)
  /// Reading it takes more work than this, for its size: texts in texts in texts.
  case tooComplicated(limit: Int)
  case noMemory
  case empty
}
