/// Signatures of ISO/IEC 9796-2 scheme 1 with SHA-256 and trailer BC, under a 2048-bit RSA key:
/// 6A ‖ M1 (222 bytes) ‖ H (32 bytes) ‖ BC.
enum SignatureWithRecovery {
  /// The bytes of message that a signature carries.
  static let messageLength = AuthorityKey.modulusLength - HashAlgorithm.sha256.length - 2

  private static let head: UInt8 = 0x6A
  private static let trailer: UInt8 = 0xBC

  /// Signs with a published exponent.
  ///
  /// - Parameters:
  ///   - recovered: exactly 222 bytes, M1.
  ///   - hashing: everything that H covers.
  static func sign(
    recovered: [UInt8], hashing message: [UInt8], exponent: [UInt8], modulus: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    guard recovered.count == messageLength else {
      throw CryptoError("ISO 9796-2", reason: "message length")
    }
    let hash = try HashAlgorithm.sha256.hash(message)
    return try ModularArithmetic.power(
      [head] + recovered + hash + [trailer], exponent, modulus: modulus)
  }

  /// Opens a signature with a public key.
  ///
  /// - Returns: M1 and H; `nil` when the block does not begin with 6A and end with BC, or the signature is not a
  ///   number below the modulus.
  static func open(
    _ signature: [UInt8], exponent: [UInt8], modulus: [UInt8]
  ) throws(CryptoError) -> (recovered: [UInt8], hash: [UInt8])? {
    guard signature.count == AuthorityKey.modulusLength,
      ModularArithmetic.compare(signature, modulus) < 0
    else { return nil }
    let block = try ModularArithmetic.power(signature, exponent, modulus: modulus)
    guard block.first == head, block.last == trailer else { return nil }
    let content = block.dropFirst().dropLast()
    return (
      recovered: [UInt8](content.prefix(messageLength)),
      hash: [UInt8](content.dropFirst(messageLength))
    )
  }
}
