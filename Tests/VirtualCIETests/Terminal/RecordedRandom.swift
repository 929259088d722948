import CIECard

/// A random source that returns the recorded bytes, and then fails.
struct RecordedRandom: RandomSource {
  private var rest: ArraySlice<UInt8>

  init(_ values: [UInt8]...) { rest = values.flatMap { $0 }[...] }

  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    guard rest.count >= buffer.count else { throw CryptoError("recording", reason: "at its end") }
    buffer.copyBytes(from: rest.prefix(buffer.count))
    rest = rest.dropFirst(buffer.count)
  }
}
