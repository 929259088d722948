// Deliberately written apart from CIECard.

internal import CIECard

/// The proof of chip authentication mapping (Doc 9303-11 §4.4.3.5).
enum ChipAuthenticationData {
  /// CA_IC: the number that takes the chip's static public key to its mapping key.
  static func factor(
    mappingScalar: [UInt8], staticScalar: [UInt8], order: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    try ModularArithmetic.multiply(
      mappingScalar, ModularArithmetic.inverse(staticScalar, modulus: order), modulus: order)
  }

  /// A_IC: the number under KSenc, with −1 encrypted as IV.
  static func encrypt(_ factor: [UInt8], _ keys: SessionKeys) throws(CryptoError) -> [UInt8] {
    let minusOne = [UInt8](repeating: 0xFF, count: keys.suite.blockLength)
    return try keys.suite.encrypt(
      keys.suite.pad(factor), key: Secret(keys.encryption),
      iv: keys.suite.initialVector(minusOne, key: Secret(keys.encryption)))
  }
}
