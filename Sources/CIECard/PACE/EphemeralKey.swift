/// A key pair for one run.
struct EphemeralKey: ~Copyable {
  let scalar: Secret
  /// The public value in the form on the wire.
  let publicValue: [UInt8]

  /// Maximum number of draws. Most succeed: more than half of all values are below the order, and
  /// one number in 256 begins with a zero byte.
  private static let maximumDraws = 128

  /// Draws a key: 1 ≤ x < order, uniformly.
  ///
  /// A number that begins with a zero byte is drawn again, because some chips would send or hash it
  /// without the zero, and the tokens would then differ.
  ///
  /// - Parameter generator: the standard one, or the mapped one.
  static func generate(
    in domain: AgreementDomain, generator: [UInt8], random: inout some RandomSource
  ) throws(CryptoError) -> EphemeralKey {
    let order = domain.order
    let unusedBits = UInt8(order.count * 8 - order.bitLength)
    for _ in 0..<maximumDraws {
      let scalar = try Secret(count: order.count) { (buffer) throws(CryptoError) in
        try random.fill(buffer)
        if !buffer.isEmpty { buffer[0] &= UInt8(0xFF) >> unusedBits }
      }
      let isInRange = scalar.withBytes { bytes in
        bytes.contains { $0 != 0 } && ModularArithmetic.compare([UInt8](bytes), order) < 0
      }
      guard isInRange else { continue }
      let publicValue = try domain.power(generator, scalar)
      if publicValue.first != 0 {
        return EphemeralKey(scalar: scalar, publicValue: publicValue)
      }
    }
    throw CryptoError("key generation", reason: "the random source gives no usable number")
  }
}

/// T: the authentication token by which each side proves the new keys (Doc 9303-11 §4.4.3.4).
enum AuthenticationToken {
  /// The MAC over the public key object of the *other* side: 7F49 { 06 protocol, 84 number or 86 point }.
  ///
  /// - Parameters:
  ///   - publicValue: in the form on the wire.
  ///   - protocol: the content octets of the object identifier.
  static func compute(
    over publicValue: [UInt8], method: KeyAgreementMethod, protocol identifier: [UInt8],
    keys: borrowing SessionKeys
  ) throws(CryptoError) -> [UInt8] {
    let tag: UInt32 =
      switch method {
      case .dh: 0x84
      case .ecdh: 0x86
      }
    var input = TLV.encode(
      0x7F49, [TLV.encode(0x06, identifier), TLV.encode(tag, publicValue)])
    // CMAC pads internally; unlike in secure messaging, no padding is added before.
    if keys.cipher == .tripleDES { BlockPadding.pad(&input, to: keys.cipher.blockLength) }
    return try keys.cipher.authenticate(input, key: keys.authentication)
  }
}
