/// The bytes of one input of the fuzzer, used up from the front: the host's actions are drawn from them.
struct Input {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// True if all is used up; from then on everything drawn is zero.
  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// One of so many choices.
  mutating func choice(of count: Int) -> Int { Int(byte()) % count }

  /// True in one case of so many.
  mutating func isRare(_ count: Int) -> Bool { choice(of: count) == count - 1 }

  /// A handle, a slot, a type, a count: mostly a small number, sometimes one at an edge, or any.
  mutating func number() -> UInt {
    let drawn = byte()
    switch drawn {
    case 0..<160: return UInt(drawn)
    case 160..<240: return Self.edges[Int(drawn - 160) % Self.edges.count]
    default: return (0..<8).reduce(0) { sum, _ in sum << 8 | UInt(byte()) }
    }
  }

  private static let edges: [UInt] = [
    255, 256, 257, 0x210, 1023, 1024, 1025, 4096, 65_535, 65_536, 65_537, 200_000,
    1 << 31, 1 << 32, UInt(Int.max), UInt(Int.max) + 1, .max - 7, .max - 1, .max,
    0x4000_0600, 0x8000_0000, 0xFFFF_FFFF,
  ]
}
