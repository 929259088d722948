internal import COpenSSL

/// Content encryption of a token (RFC 7518 §5.2): AES in CBC mode, and an HMAC over all parts.
enum ContentEncryption: String {
  case aes128 = "A128CBC-HS256"
  case aes256 = "A256CBC-HS512"

  /// Length of the key in bytes, the same as of the hash: its first half authenticates, the second decrypts (§5.2.2.1).
  var keyLength: Int { self == .aes128 ? 32 : 64 }

  /// Checks the authentication tag, then decrypts (§5.2.2.2).
  ///
  /// - Parameter header: additional authenticated data: the first part of the token, encoded (RFC 7516 §5.2).
  /// - Throws: `decryptionFailed` for every defect of the token; `library`.
  func open(
    _ text: [UInt8], vector: [UInt8], tag: [UInt8], header: [UInt8], _ key: borrowing Secret
  ) throws(SignInError) -> [UInt8] {
    let expected = try self.tag(over: header, vector, text, key)
    guard ConstantTime.equal(expected, tag) else { throw .token(.decryptionFailed) }
    let half = keyLength / 2
    let cipherKey = Secret(count: half) { copy in
      key.withBytes { copy.copyBytes(from: $0.suffix(half)) }
    }
    // PKCS #7 (RFC 5652 §6.3); a padding error is no oracle, because the text is authenticated.
    guard let padded = try? AES.decrypt(text, key: cipherKey, iv: vector), let last = padded.last,
      (1...16).contains(last), padded.count >= Int(last),
      padded.suffix(Int(last)).allSatisfy({ $0 == last })
    else { throw .token(.decryptionFailed) }
    return [UInt8](padded.dropLast(Int(last)))
  }

  private func tag(
    over header: [UInt8], _ vector: [UInt8], _ text: [UInt8], _ key: borrowing Secret
  ) throws(SignInError) -> [UInt8] {
    let bits = withUnsafeBytes(of: (UInt64(header.count) * 8).bigEndian) { [UInt8]($0) }
    let input = header + vector + text + bits
    var (mac, length) = ([UInt8](repeating: 0, count: keyLength), 0)
    let half = keyLength / 2
    let isDone = key.withBytes { key in
      EVP_Q_mac(
        nil, "HMAC", nil, self == .aes128 ? "SHA256" : "SHA512", nil, key.baseAddress, half, input,
        input.count, &mac, mac.count, &length) != nil
    }
    guard isDone, length == mac.count else { throw .token(.library) }
    return [UInt8](mac.prefix(half))
  }
}
