internal import COpenSSL

/// Two-key triple DES in CBC mode (NIST SP 800-67, ISO/IEC 18033-3).
///
/// Secure messaging of IAS ECC and of Doc 9303 uses it with a zero IV for every message.
package enum TripleDES: CBCCipher {
  package static let blockLength = 8
  /// Length of a two-key key, K1 ‖ K2, in bytes; parity bits are ignored.
  package static let keyLength = 16

  package static func mode(keyLength: Int) -> OpaquePointer? { EVP_des_ede_cbc() }
}

/// ISO/IEC 9797-1 MAC algorithm 3 with DES ("retail MAC"), zero IV, eight bytes.
package enum RetailMAC {
  package static let length = 8

  /// The MAC over a message that is already padded to whole blocks.
  ///
  /// X = CBC-MAC with K1; MAC = E_K1(D_K2(X)). OpenSSL 3 has no single DES in its default provider, so single
  /// DES runs as DES-EDE with K ‖ K; and the last block, E_K1(D_K2(E_K1(·))), is exactly two-key triple DES.
  ///
  /// - Parameters:
  ///   - padded: at least one block, a multiple of 8 bytes.
  ///   - key: 16 bytes, K1 ‖ K2.
  package static func compute(
    _ padded: [UInt8], key: borrowing Secret
  ) throws(CryptoError) -> [UInt8] {
    let block = TripleDES.blockLength
    guard !padded.isEmpty, padded.count % block == 0, key.count == TripleDES.keyLength else {
      throw CryptoError("retail MAC", reason: "key or data length")
    }
    let head = [UInt8](padded.dropLast(block))
    let last = [UInt8](padded.suffix(block))
    guard !head.isEmpty else { return try TripleDES.encrypt(last, key: key) }
    let firstKeyTwice = Secret(count: TripleDES.keyLength) { twice in
      key.withBytes { key in
        for index in 0..<block {
          twice[index] = key[index]
          twice[index + block] = key[index]
        }
      }
    }
    let chained = try TripleDES.encrypt(head, key: firstKeyTwice)
    return try TripleDES.encrypt(last, key: key, iv: [UInt8](chained.suffix(block)))
  }
}
