internal import COpenSSL

/// What a public key says of a signature.
extension RSAPublicKey {
  /// The raw public operation, signature^e mod n (RSAVP1, RFC 8017 §5.2.2).
  ///
  /// - Returns: as many bytes as the modulus, or `nil` when the signature is not of that length or not smaller
  ///   than the modulus.
  package func open(_ signature: [UInt8]) -> [UInt8]? {
    guard signature.count == modulus.count,
      ModularArithmetic.compare(signature, modulus) < 0
    else { return nil }
    do throws(CryptoError) {
      return try ModularArithmetic.power(signature, exponent, modulus: modulus)
    } catch {
      return nil
    }
  }

  /// Opens a signature with PKCS #1 v1.5 padding: `00 01 FF…FF 00 ‖ T` (EMSA-PKCS1-v1_5, RFC 8017 §9.2).
  ///
  /// Every byte is checked: the padding has at least eight `FF` and fills the whole block.
  ///
  /// - Returns: T, possibly empty, or `nil` when the signature is not of this form.
  package func openPKCS1Type1(_ signature: [UInt8]) -> [UInt8]? {
    open(signature).flatMap(Self.unpadPKCS1Type1)
  }

  /// The content T of a padded block.
  static func unpadPKCS1Type1(_ block: [UInt8]) -> [UInt8]? {
    guard block.starts(with: [0x00, 0x01]) else { return nil }
    let afterType = block.dropFirst(2)
    let padding = afterType.prefix { $0 == 0xFF }
    let rest = afterType.dropFirst(padding.count)
    guard padding.count >= 8, rest.first == 0x00 else { return nil }
    return [UInt8](rest.dropFirst())
  }
}
