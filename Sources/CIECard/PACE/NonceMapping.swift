/// The nonce becomes a new generator that only who knows the password can find (Doc 9303-11 §4.4.3.3).
enum NonceMapping {
  /// Generic mapping (§4.4.3.3.1): ĝ = g^s · h, where h comes from a key agreement of its own.
  ///
  /// - Parameters:
  ///   - nonce: s, taken as a number.
  ///   - cardValue: the card's public value of this agreement; already found safe.
  /// - Returns: `nil` when the result is trivial.
  static func generic(
    _ nonce: borrowing Secret, cardValue: [UInt8], own: borrowing EphemeralKey,
    in domain: AgreementDomain
  ) throws(CryptoError) -> [UInt8]? {
    let agreed = try domain.power(cardValue, own.scalar)
    let raised = try domain.power(domain.generator, nonce)
    let generator = try domain.combine(raised, agreed)
    return try domain.isSafe(generator) ? generator : nil
  }

  /// Integrated mapping (§4.4.3.3.2): both nonces are hashed into the group.
  ///
  /// - Parameters:
  ///   - nonce: s of the card, at least as long as the cipher's key.
  ///   - terminalNonce: t, as long as the cipher's key.
  /// - Returns: `nil` when the result is trivial.
  static func integrated(
    _ nonce: borrowing Secret, terminalNonce: borrowing Secret, cipher: SessionCipher,
    in domain: AgreementDomain
  ) throws(CryptoError) -> [UInt8]? {
    switch domain {
    case .finiteField(let field):
      let number = try PseudoRandomFunction.number(
        from: nonce, key: terminalNonce, cipher: cipher, modulus: field.prime)
      let cofactor = try ModularArithmetic.cofactor(of: field.prime, order: field.order)
      let generator = try ModularArithmetic.power(number, cofactor, modulus: field.prime)
      return try domain.isSafe(generator) ? generator : nil
    case .curve(let curve):
      let number = try PseudoRandomFunction.number(
        from: nonce, key: terminalNonce, cipher: cipher, modulus: curve.prime)
      return try PointEncoding(curve).point(for: number)
    }
  }
}
