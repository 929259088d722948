// Deliberately written apart from CIECard: ISO 9796-2 as the card uses it.

internal import CIECard

/// ISO/IEC 9796-2 scheme 1 with SHA-256 and a one-byte trailer: 6A ‖ recoverable part ‖ hash ‖ BC.
enum RecoverableSignature {
  /// Bytes of the message that fit into a 2048-bit signature: 256 − 32 − 2.
  static let recoverableLength = 222

  /// Opens a raw RSA result: the recoverable part and the hash; nil when the frame is not there.
  static func open(_ block: [UInt8]) -> (recovered: [UInt8], hash: [UInt8])? {
    guard block.count == 256, block.first == 0x6A, block.last == 0xBC else { return nil }
    let inner = block.dropFirst().dropLast()
    return ([UInt8](inner.prefix(recoverableLength)), [UInt8](inner.suffix(32)))
  }

  /// Frames a recoverable part and a hash for the raw RSA operation.
  static func frame(_ recoverable: [UInt8], hash: [UInt8]) -> [UInt8] {
    [0x6A] + recoverable + hash + [0xBC]
  }
}
