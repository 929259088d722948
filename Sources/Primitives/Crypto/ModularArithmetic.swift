internal import COpenSSL

/// Big-endian unsigned integers modulo another one: raw RSA and finite-field Diffie–Hellman.
package enum ModularArithmetic {
  /// `base` to the power of a public exponent, modulo `modulus`.
  ///
  /// - Returns: exactly as many bytes as `modulus` has, left-padded with zeros.
  /// - Throws: `CryptoError` if the modulus is even or zero.
  package static func power(
    _ base: [UInt8], _ exponent: [UInt8], modulus: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    let exponent = Secret(exponent)
    return try secretPower(base, exponent, modulus: modulus)
  }

  /// `base` to the power of a secret exponent, modulo `modulus`, in constant time.
  ///
  /// - Returns: exactly as many bytes as `modulus` has, left-padded with zeros.
  package static func secretPower(
    _ base: [UInt8], _ exponent: borrowing Secret, modulus: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: modulus.count)
    let secret = try sharedSecret(base, exponent, modulus: modulus)
    secret.withBytes { bytes in for index in bytes.indices { result[index] = bytes[index] } }
    return result
  }

  /// As `secretPower`, for a result that is also secret.
  package static func sharedSecret(
    _ base: [UInt8], _ exponent: borrowing Secret, modulus: [UInt8]
  ) throws(CryptoError) -> Secret {
    let numbers = try Numbers()
    guard
      BN_bin2bn(base, CInt(base.count), numbers.base) != nil,
      exponent.withBytes({
        BN_bin2bn($0.baseAddress, CInt($0.count), numbers.exponent) != nil
      }),
      BN_bin2bn(modulus, CInt(modulus.count), numbers.modulus) != nil,
      BN_is_odd(numbers.modulus) == 1
    else { throw .fromQueue("modular exponentiation") }
    BN_set_flags(numbers.exponent, BN_FLG_CONSTTIME)
    guard
      BN_mod_exp(
        numbers.result, numbers.base, numbers.exponent, numbers.modulus, numbers.context) == 1
    else { throw .fromQueue("BN_mod_exp") }
    var isWritten = false
    let secret = Secret(count: modulus.count) { buffer in
      let bytes = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      isWritten = BN_bn2binpad(numbers.result, bytes, CInt(buffer.count)) == CInt(buffer.count)
    }
    guard isWritten else { throw .fromQueue("BN_bn2binpad") }
    return secret
  }

  /// Compares two unsigned integers of any length: negative, zero or positive like `memcmp`.
  package static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let left = left.drop { $0 == 0 }
    let right = right.drop { $0 == 0 }
    guard left.count == right.count else { return left.count - right.count }
    for (one, other) in zip(left, right) where one != other { return Int(one) - Int(other) }
    return 0
  }

  /// Owner of the OpenSSL numbers of one calculation, which it wipes in `deinit`.
  struct Numbers: ~Copyable {
    let base: OpaquePointer
    let exponent: OpaquePointer
    let modulus: OpaquePointer
    let result: OpaquePointer
    let context: OpaquePointer

    init() throws(CryptoError) {
      guard let base = BN_new(), let exponent = BN_new(), let modulus = BN_new(),
        let result = BN_new(), let context = BN_CTX_new()
      else { throw .fromQueue("BN_new") }
      self.base = base
      self.exponent = exponent
      self.modulus = modulus
      self.result = result
      self.context = context
    }

    deinit {
      BN_clear_free(base)
      BN_clear_free(exponent)
      BN_free(modulus)
      BN_clear_free(result)
      BN_CTX_free(context)
    }
  }
}

extension Array where Element == UInt8 {
  /// The number of significant bits of a big-endian unsigned integer; 0 for zero.
  package var bitLength: Int {
    guard let top = firstIndex(where: { $0 != 0 }) else { return 0 }
    return (count - top) * 8 - self[top].leadingZeroBitCount
  }

  package var isOdd: Bool { (last ?? 0) & 1 == 1 }

  /// A big-endian unsigned integer without leading zero bytes; zero becomes the empty array.
  package var withoutLeadingZeros: [UInt8] { [UInt8](drop { $0 == 0 }) }
}
