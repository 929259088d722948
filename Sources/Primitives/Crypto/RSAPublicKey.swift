internal import COpenSSL

/// An RSA public key (RFC 8017 §3.1).
package struct RSAPublicKey: Sendable, Hashable {
  /// The modulus n: big-endian, odd, no leading zero byte.
  package let modulus: [UInt8]
  /// The public exponent e: big-endian, odd, at least 3, no leading zero byte, not longer than the
  /// modulus, and at most 64 bits with a modulus above 3072 bits.
  package let exponent: [UInt8]

  /// Accepted lengths of a modulus in bytes: 1024 to 8192 bits.
  ///
  /// A CIE has 2048 bits, document signers and CSCAs up to 4096. The limits, which for the exponent
  /// are OpenSSL's own, keep a hostile file from causing hours of arithmetic.
  static let modulusLengths = 128...1024
  /// Up to this length of a modulus in bytes, the exponent may be as long
  /// (OPENSSL_RSA_SMALL_MODULUS_BITS).
  private static let smallModulusLength = 384
  /// Maximum length of an exponent with a longer modulus (OPENSSL_RSA_MAX_PUBEXP_BITS).
  private static let maximumExponentLength = 8

  /// A key from its two numbers, big-endian; leading zero bytes are dropped.
  ///
  /// - Returns: `nil` if the numbers cannot be an RSA key, or are outside the limits.
  init?(modulus: [UInt8], exponent: [UInt8]) {
    let modulus = modulus.withoutLeadingZeros
    let exponent = exponent.withoutLeadingZeros
    guard Self.modulusLengths.contains(modulus.count), exponent.count <= modulus.count,
      modulus.isOdd, exponent.isOdd, exponent != [1],
      modulus.count <= Self.smallModulusLength || exponent.count <= Self.maximumExponentLength
    else { return nil }
    self.modulus = modulus
    self.exponent = exponent
  }

  /// Parses the RSAPublicKey structure (RFC 8017 §A.1.1) at the start of a file.
  ///
  /// EF.Int.Kpub and EF.Servizi_Int.Kpub of a CIE (chip specification annex A) contain one, which
  /// may be followed by padding.
  ///
  /// - Returns: `nil` if there is no such structure or no such key.
  package init?(cuttingPKCS1 file: [UInt8]) {
    guard let (key, _) = Self.parse(file) else { return nil }
    self = key
  }

  /// Parses an RSAPublicKey structure (RFC 8017 §A.1.1) that is the whole input.
  ///
  /// - Returns: `nil` if there is no such structure, no such key, or bytes after it.
  init?(pkcs1 der: [UInt8]) {
    guard let (key, consumed) = Self.parse(der), consumed == der.count else { return nil }
    self = key
  }

  /// Parses a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) that is the whole input.
  ///
  /// - Returns: `nil` if there is no such structure, another kind of key, or bytes after it.
  init?(subjectPublicKeyInfo der: [UInt8]) {
    guard let key = SubjectPublicKey(der), case .rsa(let rsa) = key.kind() else { return nil }
    self = rsa
  }

  /// The key of an OpenSSL key object.
  package init?(evp key: OpaquePointer) {
    guard let modulus = Self.number("n", of: key), let exponent = Self.number("e", of: key) else {
      return nil
    }
    self.init(modulus: modulus, exponent: exponent)
  }

  /// True if a key is an RSA key of usable size, or not an RSA key.
  package static func isBounded(_ key: OpaquePointer) -> Bool {
    defer { CryptoError.clearQueue() }
    let isRSA = [EVP_PKEY_RSA, EVP_PKEY_RSA_PSS].contains(EVP_PKEY_get_base_id(key))
    return !isRSA || RSAPublicKey(evp: key) != nil
  }

  private static func parse(_ input: [UInt8]) -> (RSAPublicKey, consumed: Int)? {
    defer { CryptoError.clearQueue() }
    return input.withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      guard let start = cursor, let parsed = d2i_PublicKey(EVP_PKEY_RSA, nil, &cursor, buffer.count)
      else { return nil }
      defer { EVP_PKEY_free(parsed) }
      guard let cursor, let key = RSAPublicKey(evp: parsed) else { return nil }
      return (key, cursor - start)
    }
  }

  private static func number(_ name: String, of key: OpaquePointer) -> [UInt8]? {
    var number: OpaquePointer?
    guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else { return nil }
    defer { BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: (Int(BN_num_bits(number)) + 7) / 8)
    BN_bn2bin(number, &bytes)
    return bytes
  }
}

extension RSAPublicKey {
  /// The raw public operation, signature^e mod n (RSAVP1, RFC 8017 §5.2.2).
  ///
  /// - Returns: as many bytes as the modulus, or `nil` if the signature does not have that length
  ///   or is not smaller than the modulus.
  func open(_ signature: [UInt8]) -> [UInt8]? {
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
  /// - Returns: T, possibly empty, or `nil` if the signature does not have this form.
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

/// An RSA private key in its second representation (RFC 8017 §3.2): the operation takes a third of the time.
package struct RSAPrivateKey: Sendable {
  package let modulus: [UInt8]
  /// p, q, dP, dQ, qInv; another number of parts is no key.
  let parts: [[UInt8]]

  package init(modulus: [UInt8], parts: [[UInt8]]) {
    self.modulus = modulus
    self.parts = parts
  }

  /// The raw private operation, without padding (RSASP1, RFC 8017 §5.2.1).
  package func apply(_ block: [UInt8]) throws(CryptoError) -> [UInt8] {
    guard parts.count == 5 else { throw CryptoError("RSA", reason: "no private key") }
    let (p, q, inverse) = (parts[0], parts[1], parts[4])
    let first = try ModularArithmetic.secretPower(block, Secret(parts[2]), modulus: p)
    let second = try ModularArithmetic.secretPower(block, Secret(parts[3]), modulus: q)
    let factor = try ModularArithmetic.multiply(
      ModularArithmetic.subtract(first, second, modulus: p), inverse, modulus: p)
    return try ModularArithmetic.add(
      second, ModularArithmetic.multiply(factor, q, modulus: modulus), modulus: modulus)
  }
}
