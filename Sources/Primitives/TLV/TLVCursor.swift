/// Reads data objects one after the other, never past the end.
///
/// Lengths may be longer than necessary (cards write `82 00 10`), but not indefinite, and have at
/// most four length bytes. A length that points past the end is refused before anything is copied.
package struct TLVCursor: Sendable {
  private var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  package init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// A cursor over the contents of an object that is all of the bytes.
  package init(inside tag: UInt32, of bytes: [UInt8]) throws(TLVError) {
    var outer = TLVCursor(bytes)
    self = try outer.next(tag).contents
    try outer.finish()
  }

  package var isAtEnd: Bool { rest.isEmpty }

  var remaining: Int { rest.count }

  package mutating func next() throws(TLVError) -> TLV {
    let start = rest
    let tag = try readTag()
    let length = try readLength()
    guard length <= rest.count else { throw .truncated }
    let value = rest.prefix(length)
    rest = rest.dropFirst(length)
    return TLV(tag: tag, value: value, encoded: start.prefix(start.count - rest.count))
  }

  /// Reads the next object, which must have this tag.
  package mutating func next(_ tag: UInt32) throws(TLVError) -> TLV {
    let object = try next()
    guard object.tag == tag else { throw .unexpectedTag(found: object.tag, expected: tag) }
    return object
  }

  package func finish() throws(TLVError) {
    guard rest.isEmpty else { throw .trailingBytes(count: rest.count) }
  }

  package func all() throws(TLVError) -> [TLV] {
    var cursor = self
    var objects: [TLV] = []
    while !cursor.isAtEnd { objects.append(try cursor.next()) }
    return objects
  }

  /// The one object with this tag among the remaining ones, in any order.
  package func first(_ tag: UInt32) throws(TLVError) -> TLV {
    let found = try all().filter { $0.tag == tag }
    guard let object = found.first else { throw .missing(tag: tag) }
    guard found.count == 1 else { throw .repeated(tag: tag) }
    return object
  }

  /// The total length of the object at the start of `bytes`, from its tag and length fields alone.
  ///
  /// It gives the length of a file before the file is read; the value need not be there yet.
  package static func encodedLength(of bytes: [UInt8]) throws(TLVError) -> Int {
    var cursor = TLVCursor(bytes)
    _ = try cursor.readTag()
    let length = try cursor.readLength()
    return bytes.count - cursor.remaining + length
  }

  /// ISO/IEC 8825-1 §8.1.2: bits 5 to 1 all set announce further tag bytes.
  private mutating func readTag() throws(TLVError) -> UInt32 {
    guard let first = rest.popFirst() else { throw .truncated }
    var tag = UInt32(first)
    guard first & 0x1F == 0x1F else { return tag }
    for position in 1...2 {
      guard let byte = rest.popFirst() else { throw .truncated }
      if position == 1, byte & 0x7F == 0 { throw .invalidTag }
      tag = tag << 8 | UInt32(byte)
      if byte & 0x80 == 0 { return tag }
    }
    throw .invalidTag
  }

  /// ISO/IEC 8825-1 §8.1.3: one byte below 80, else the number of length bytes.
  private mutating func readLength() throws(TLVError) -> Int {
    guard let first = rest.popFirst() else { throw .truncated }
    guard first & 0x80 != 0 else { return Int(first) }
    let count = Int(first & 0x7F)
    guard (1...4).contains(count) else { throw .invalidLength }
    var length = 0
    for _ in 0..<count {
      guard let byte = rest.popFirst() else { throw .truncated }
      length = length << 8 | Int(byte)
    }
    return length
  }
}
