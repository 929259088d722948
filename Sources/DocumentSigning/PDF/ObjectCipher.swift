internal import Primitives

/// Encrypts the strings and the data of an object in an encrypted file (ISO 32000-2 §7.6.3).
struct ObjectCipher {
  private let handler: SecurityHandler
  /// Object and generation number, as algorithm 1 takes them.
  private let suffix: [UInt8]

  init(_ handler: SecurityHandler, number: Int, generation: Int) {
    self.handler = handler
    suffix =
      [0, 8, 16].map { UInt8(truncatingIfNeeded: number >> $0) }
      + [0, 8].map { UInt8(truncatingIfNeeded: generation >> $0) }
  }

  func string(_ bytes: [UInt8]) throws(DocumentError) -> [UInt8] {
    try encrypted(bytes, handler.strings)
  }

  /// Data of a stream.
  func stream(_ bytes: [UInt8]) throws(DocumentError) -> [UInt8] {
    try encrypted(bytes, handler.streams)
  }

  /// Algorithms 1 and 1.A. AES has a random initial vector in front, and 1 to 16 bytes of padding.
  private func encrypted(
    _ bytes: [UInt8], _ method: SecurityHandler.Method
  ) throws(DocumentError) -> [UInt8] {
    do throws(CryptoError) {
      switch method {
      case .none: return bytes
      case .rc4: return try RC4.apply(bytes, key: key([]))
      case .aes128: return try Self.padded(bytes, key: key([UInt8]("sAlT".utf8)))
      case .aes256: return try Self.padded(bytes, key: handler.key)
      }
    } catch { throw .crypto(error) }
  }

  private func key(_ salt: [UInt8]) throws(CryptoError) -> [UInt8] {
    [UInt8](try MD5.hash(handler.key, suffix, salt).prefix(min(16, handler.key.count + 5)))
  }

  private static func padded(_ bytes: [UInt8], key: [UInt8]) throws(CryptoError) -> [UInt8] {
    var random = SystemRandom()
    let vector = try random.bytes(AES.blockLength)
    let count = AES.blockLength - bytes.count % AES.blockLength
    let padding = [UInt8](repeating: UInt8(count), count: count)
    return vector + (try AES.encrypt(bytes + padding, key: Secret(key), iv: vector))
  }
}
