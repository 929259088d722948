/// SSC, the counter under every MAC: eight bytes, big-endian, stepped before each command and each response.
struct SendSequenceCounter: Sendable {
  private var value: UInt64

  init(_ value: UInt64) { self.value = value }

  /// The counter that device authentication leaves: the last four bytes of either challenge (IAS ECC §5.2.3.5).
  init(cardChallenge: [UInt8], terminalChallenge: [UInt8]) {
    let bytes = cardChallenge.suffix(4) + terminalChallenge.suffix(4)
    value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }

  /// Adds one; after the last value comes zero.
  mutating func step() { value &+= 1 }

  /// The eight bytes.
  var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) } }
}
