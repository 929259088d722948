internal import Glibc
internal import Primitives

/// Signature dictionaries of a file that its form does not reach, as those of a revision that the newest cross-reference
/// leaves out: they are not judged, and that is told.
enum UnreachedSignatures {
  /// True if a ByteRange of four numbers stands in the bytes that is none of the judged signatures' (ISO 32000-2 §12.8.1).
  ///
  /// One inside of a stream is that of an embedded file; usage rights and codes of authentication (ISO/TS 32004) are no
  /// signatures of persons.
  static func exist(in file: PDFFile, beside signatures: [EmbeddedSignature]) -> Bool {
    let others = [
      file.root["Perms"]["UR3"], file.root["Perms"]["UR"], file.trailer["AuthCode"],
    ].map { $0["ByteRange"].items?.map { $0.integer ?? -1 } ?? [] }
    let known = Set(signatures.map(\.byteRange) + others)
    let found = places(of: "/ByteRange", in: file.bytes).filter { place in
      range(at: place, in: file.bytes).map { !known.contains($0) } ?? false
    }
    guard let last = found.last else { return false }
    let streams = streams(in: file.bytes, to: last)
    return found.contains { place in !streams.contains { $0.contains(place) } }
  }

  /// The numbers behind the key; nil if it has other values.
  private static func range(at place: Int, in bytes: [UInt8]) -> [Int]? {
    var reader = PDFValueReader(bytes, at: place, end: place + 256)
    guard (try? reader.take("/ByteRange")) != nil else { return nil }
    reader.skipSpace()
    guard let items = (try? reader.value())?.items, items.count == 4 else { return nil }
    let numbers = items.compactMap(\.integer)
    return numbers.count == 4 ? numbers : nil
  }

  /// The bytes between the words stream and endstream.
  private static func streams(in bytes: [UInt8], to end: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start: Int?
    for place in places(of: "stream", in: bytes) {
      if bytes[..<place].suffix(3).elementsEqual("end".utf8) {
        if let begin = start { found.append(begin..<place) }
        start = nil
        if place > end { break }
      } else if start == nil, let next = bytes[place...].dropFirst(6).first,
        next == 0x0A || next == 0x0D
      {
        start = place
      }
    }
    return found
  }

  private static func places(of word: String, in bytes: [UInt8]) -> [Int] {
    let word = [UInt8](word.utf8)
    return bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress, let first = word.first else { return [] }
      var found: [Int] = []
      var start = 0
      while start + word.count <= all.count,
        let hit = memchr(base + start, CInt(first), all.count - start)
      {
        start = base.distance(to: hit) + 1
        if all.count - start >= word.count - 1, memcmp(hit, word, word.count) == 0 {
          found.append(start - 1)
        }
      }
      return found
    }
  }
}
