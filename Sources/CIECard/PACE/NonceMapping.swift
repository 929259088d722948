/// Maps the nonce to a new generator that only a party with the password can find (Doc 9303-11
/// §4.4.3.3).
enum NonceMapping {
  /// Generic mapping (§4.4.3.3.1): ĝ = g^s · h, where h comes from a separate key agreement.
  ///
  /// - Parameters:
  ///   - nonce: s, read as a number.
  ///   - cardValue: the card's public value of this agreement, already checked.
  /// - Returns: `nil` if the result is trivial.
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
  /// - Returns: `nil` if the result is trivial.
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

/// R_p(s, t) of integrated mapping (Doc 9303-11 §4.4.3.3.2, figure 2): two nonces become a number modulo p.
enum PseudoRandomFunction {
  /// - Parameters:
  ///   - input: s; its length determines the constants.
  ///   - key: t, the first key.
  /// - Returns: a number as long as the modulus.
  static func number(
    from input: borrowing Secret, key: borrowing Secret, cipher: SessionCipher, modulus: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    guard let constants = Self.constants(input.count), input.count >= cipher.keyLength,
      key.count == cipher.keyLength
    else {
      throw CryptoError("integrated mapping", reason: "length of a nonce")
    }
    var state = try cipher.encrypt(secret: input, key: key, iv: nil)
    var output: [UInt8] = []
    // n is the least with n · l ≥ bits of p + 64, so that the remainder modulo p has no bias.
    while output.count * 8 < modulus.bitLength + 64 {
      let next = Secret([UInt8](state.prefix(cipher.keyLength)))
      output += try cipher.encrypt(secret: Secret(constants.output), key: next, iv: nil)
      state = try cipher.encrypt(secret: Secret(constants.key), key: next, iv: nil)
    }
    return try ModularArithmetic.reduce(output, modulus: modulus)
  }

  /// c0, which yields the next key, and c1, which yields a part of the output (Doc 9303-11
  /// §4.4.3.3.2).
  private static func constants(_ inputLength: Int) -> (key: [UInt8], output: [UInt8])? {
    let texts: (key: String, output: String)? =
      switch inputLength {
      case 16: ("A668892A7C41E3CA739F40B057D85904", "A4E136AC725F738B01C1F60217C188AD")
      case 32:
        (
          "D463D65234124EF7897054986DCA0A174E28DF758CBAA03F240616414D5A1676",
          "54BD7255F0AAF831BEC3423FCF39D69B6CBF066677D0FAAE5AADD99DF8E53517"
        )
      default: nil
      }
    guard let texts, let key = [UInt8](hexadecimal: texts.key),
      let output = [UInt8](hexadecimal: texts.output)
    else { return nil }
    return (key, output)
  }
}
