internal import CIECard
/// A signature from C_SignInit on: the mechanism, and the data collected so far.
final class SigningOperation: Sendable {
  let mechanism: SigningMechanism
  /// Length of every signature with this key, in bytes.
  let signatureLength: Int
  private let pieces = Lock(Pieces())

  private struct Pieces: ~Copyable {
    var isInParts = false
    var hash: RunningHash?
    var bytes: [UInt8] = []
  }

  init(_ mechanism: SigningMechanism, signatureLength: Int) {
    self.mechanism = mechanism
    self.signatureLength = signatureLength
  }

  /// True after C_SignUpdate was called.
  var isInParts: Bool { pieces.withLock { $0.isInParts } }

  /// Takes a piece of the data (C_SignUpdate).
  func add(_ piece: [UInt8]) throws(ReturnValue) {
    try pieces.withLock { (pieces) throws(ReturnValue) in
      pieces.isInParts = true
      try Self.add(piece, to: &pieces, mechanism)
    }
  }

  /// The data in the form that the card signs.
  ///
  /// - Throws: `.dataLenRange` if the card cannot sign that many bytes, or that few.
  func finish() throws(ReturnValue) -> CardInput {
    try pieces.withLock { (pieces) throws(ReturnValue) in
      guard let algorithm = mechanism.digest else {
        guard let input = RawSigningInput(pieces.bytes) else { throw .dataLenRange }
        return .raw(input)
      }
      if pieces.hash == nil { try Self.add([], to: &pieces, mechanism) }
      guard let hash = pieces.hash.take(), let value = try? hash.finish(),
        let digest = Digest(algorithm, bytes: value)
      else { throw .functionFailed }
      return .digest(digest)
    }
  }

  private static func add(
    _ piece: [UInt8], to pieces: inout Pieces, _ mechanism: SigningMechanism
  ) throws(ReturnValue) {
    guard let algorithm = mechanism.digest else {
      guard piece.count <= RawSigningInput.maximumLength - pieces.bytes.count else {
        throw .dataLenRange
      }
      pieces.bytes += piece
      return
    }
    do throws(CryptoError) {
      if pieces.hash == nil { pieces.hash = try RunningHash(algorithm.hash) }
      try pieces.hash?.update(piece)
    } catch { throw .functionFailed }
  }
}
