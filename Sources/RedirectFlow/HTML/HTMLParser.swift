/// HTML as browsers read it (HTML Living Standard §13.2), which accepts any input and repairs it; without scripts.
enum HTMLParser {
  static let sizeLimit = 4 << 20
  /// The deepest nesting, as deep as browsers build a page.
  static let depthLimit = 512
  /// The most elements of a page: each takes some hundred bytes of memory.
  static let elementLimit = 200_000
  /// The most attributes of one element.
  static let attributeLimit = 2000

  static func parse(_ body: [UInt8]) throws(PageError) -> HTMLElement {
    guard body.count <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
    var builder = TreeBuilder(decode(body))
    try builder.build()
    guard builder.hasContent, let root = builder.open.first else { throw .empty }
    return try builder.tree.element(root)
  }

  /// UTF-16 with its mark, UTF-8, or otherwise windows-1252, converted to UTF-8 without mark.
  private static func decode(_ body: [UInt8]) -> [UInt8] {
    if let units = unitsOfUTF16(body) { return Array(String(decoding: units, as: UTF16.self).utf8) }
    guard String(validating: body, as: UTF8.self) != nil else { return Windows1252.decode(body) }
    return body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
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
}
