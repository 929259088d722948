/// The frame of a TrueType font (OpenType: a directory of tables, with checksums).
enum TrueType {
  /// A file of these tables, in the order of their names; `head` gets its checksum.
  static func file(_ tables: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    // For a search in the directory: the largest power of two in the number of tables, times 16.
    let power = 1 << (Int.bitWidth - 1 - tables.count.leadingZeroBitCount)
    var directory = words(
      1, 0, tables.count, 16 * power, power.trailingZeroBitCount, 16 * (tables.count - power))
    var contents: [UInt8] = []
    for table in tables {
      let offset = 12 + 16 * tables.count + contents.count
      let padded = table.bytes + [UInt8](repeating: 0, count: -table.bytes.count & 3)
      let sum = checksum(padded)
      let count = table.bytes.count
      directory += [UInt8](table.name.utf8)
      directory += words(sum >> 16, sum, offset >> 16, offset, count >> 16, count)
      contents += padded
    }
    var font = directory + contents
    let adjustment = 0xB1B0_AFBA - checksum(font)
    if let head = tables.firstIndex(where: { $0.name == "head" }) {
      let before = tables[..<head].reduce(0) { $0 + ($1.bytes.count + 3) & ~3 }
      let place = 12 + 16 * tables.count + before + 8
      font.replaceSubrange(place..<place + 4, with: words(adjustment >> 16, adjustment))
    }
    return font
  }

  /// The sum of all words of four bytes, modulo 2³².
  private static func checksum(_ bytes: [UInt8]) -> Int {
    stride(from: 0, to: bytes.count, by: 4).reduce(0) { sum, place in
      sum &+ bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } & 0xFFFF_FFFF
    }
  }

  /// Numbers of two bytes each, of which only the lowest 16 bits count.
  static func words(_ numbers: Int...) -> [UInt8] {
    numbers.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
  }
}
