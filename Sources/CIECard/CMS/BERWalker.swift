/// Walks along BER objects of a source (ISO/IEC 8825-1 §8.1) without reading their values: contents
/// of gigabytes stay in their file. Unlike `TLVCursor` it takes indefinite lengths.
struct BERWalker<Source: EncodedSource> {
  private let source: Source
  /// The place of the next byte.
  private(set) var position: Int
  /// Nothing may be read from here on.
  private let limit: Int
  /// True if the objects end at an end-of-contents (ISO/IEC 8825-1 §8.1.5), not at the limit.
  private let isIndefinite: Bool

  init(_ source: Source) {
    (self.source, position, limit, isIndefinite) = (source, 0, source.count, false)
  }

  private init(_ outer: BERWalker, _ object: Object) {
    (source, position, isIndefinite) = (outer.source, object.contents, object.length == nil)
    limit = object.length.map { object.contents + $0 } ?? outer.limit
  }

  struct Object {
    let tag: UInt32
    let start: Int
    /// The place of the first byte of the value.
    let contents: Int
    /// Length of the value; nil for an indefinite one.
    let length: Int?
  }

  func isAtEnd() throws(Source.Failure) -> Bool {
    guard isIndefinite else { return position >= limit }
    guard limit - position >= 2 else { throw Self.malformed(.encoding) }
    return try source.head(position..<position + 2) == [0, 0]
  }

  /// The next object's tag and length; the walk stays before it.
  func peek() throws(Source.Failure) -> Object {
    guard position < limit else { throw Self.malformed(.encoding) }
    let head = try source.head(position..<min(position + 10, limit))
    // Tags of several bytes do not occur on this level.
    guard head.count >= 2, head[0] & 0x1F != 0x1F else { throw Self.malformed(.encoding) }
    let count = Int(head[1] & 0x7F)
    var length: Int? = count
    if head[1] == 0x80 {
      guard head[0] & 0x20 != 0 else { throw Self.malformed(.encoding) }
      length = nil
    } else if head[1] & 0x80 != 0 {
      guard count <= 7, head.count >= 2 + count else { throw Self.malformed(.encoding) }
      length = head[2..<2 + count].reduce(0) { $0 << 8 | Int($1) }
    }
    let contents = position + 2 + (head[1] & 0x80 != 0 && length != nil ? count : 0)
    if let length {
      guard length <= limit - contents else { throw Self.malformed(.encoding) }
    }
    return Object(tag: UInt32(head[0]), start: position, contents: contents, length: length)
  }

  func enter(_ tag: UInt32, _ part: SignedDataPart) throws(Source.Failure) -> BERWalker {
    let object = try peek()
    guard object.tag == tag else { throw Self.malformed(part) }
    return BERWalker(self, object)
  }

  /// Goes on behind an object that was entered, all of which must have been read.
  mutating func leave(_ inner: BERWalker) throws(Source.Failure) {
    guard try inner.isAtEnd() else { throw Self.malformed(.encoding) }
    position = inner.position + (inner.isIndefinite ? 2 : 0)
  }

  /// The ranges of an OCTET STRING, which BER may divide (ISO/IEC 8825-1 §8.7.3).
  mutating func octets(depth: Int = 0) throws(Source.Failure) -> [Range<Int>] {
    let object = try peek()
    if let length = object.length, object.tag == DER.octetString {
      position = object.contents + length
      return [object.contents..<position]
    }
    guard object.tag == DER.octetString | 0x20, depth < 4 else { throw Self.malformed(.contents) }
    var inner = BERWalker(self, object)
    var ranges: [Range<Int>] = []
    while try !inner.isAtEnd() { ranges += try inner.octets(depth: depth + 1) }
    try leave(inner)
    return ranges
  }

  /// The next object, read as a whole; indefinite lengths become definite ones.
  mutating func next(depth: Int = 0) throws(Source.Failure) -> [UInt8] {
    let object = try peek()
    if let length = object.length {
      guard length <= Self.largest else { throw Source.failure(.tooLarge(limit: Self.largest)) }
      position = object.contents + length
      return try source.bytes(object.start..<position)
    }
    guard depth < Source.indefiniteLevels else { throw Self.malformed(.encoding) }
    var inner = BERWalker(self, object)
    var value: [UInt8] = []
    while try !inner.isAtEnd() {
      value += try inner.next(depth: depth + 1)
      guard value.count <= Self.largest else {
        throw Source.failure(.tooLarge(limit: Self.largest))
      }
    }
    try leave(inner)
    return TLV.encode(object.tag, value)
  }

  /// The most bytes of a part that is not contents: thousands of certificates.
  private static var largest: Int { 16 << 20 }

  /// The value of the next object, which is not long.
  mutating func value(
    _ tag: UInt32, _ part: SignedDataPart
  ) throws(Source.Failure) -> [UInt8] {
    var cursor = TLVCursor(try next())
    return try mapError(try cursor.next(tag).bytes) { (_: TLVError) in Self.malformed(part) }
  }

  /// The encodings of the members of a set, in order.
  mutating func members(
    _ tag: UInt32, _ part: SignedDataPart
  ) throws(Source.Failure) -> [[UInt8]] {
    let set = TLVCursor(try value(tag, part))
    return try mapError(try set.all().map { [UInt8]($0.encoded) }) { (_: TLVError) in
      Self.malformed(part)
    }
  }

  private static func malformed(_ part: SignedDataPart) -> Source.Failure {
    Source.failure(.malformed(part))
  }
}
