package import CIECard

/// A reproducible random source: SHA-256(seed ‖ block counter), block after block.
///
/// It makes recorded conversations repeatable; it is as secret as its seed.
package struct SeededRandom: RandomSource, Sendable {
  private let seed: [UInt8]
  private var counter: UInt64 = 0
  private var block: ArraySlice<UInt8> = []

  /// A source that always gives the same bytes for the same seed.
  init(seed: [UInt8]) { self.seed = seed }

  package init(seed name: String) { self.init(seed: [UInt8](name.utf8)) }

  package mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    for index in buffer.indices {
      if block.isEmpty {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) }
        block = try HashAlgorithm.sha256.hash(seed, number)[...]
        counter &+= 1
      }
      if let byte = block.popFirst() { buffer[index] = byte }
    }
  }
}
