/// SSC, the counter under every MAC: one block, big-endian, stepped before each command and each response.
struct SendSequenceCounter: Sendable {
  /// The whole block: 8 bytes with 3DES, 16 with AES.
  private(set) var bytes: [UInt8]

  /// Zero, as PACE and chip authentication leave it (Doc 9303-11 §9.8.6.3).
  init(for cipher: SessionCipher) {
    self.init([UInt8](repeating: 0, count: cipher.blockLength))
  }

  /// One, as key agreement of IAS ECC leaves it (§5.2.3.2.3): eight bytes.
  static var one: SendSequenceCounter {
    var counter = SendSequenceCounter(for: .tripleDES)
    counter.step()
    return counter
  }

  /// Any value: a whole block.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The last four bytes of either challenge, as device authentication (IAS ECC §5.2.3.5) and Basic Access Control
  /// (Doc 9303-11 §9.8.6.3) leave it.
  init(cardChallenge: [UInt8], terminalChallenge: [UInt8]) {
    self.init(cardChallenge.suffix(4) + terminalChallenge.suffix(4))
  }

  /// Adds one; after the last value comes zero.
  mutating func step() {
    for index in bytes.indices.reversed() {
      bytes[index] &+= 1
      if bytes[index] != 0 { return }
    }
  }
}
