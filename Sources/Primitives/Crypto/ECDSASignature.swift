/// The encodings of an ECDSA signature, a pair of numbers.
package enum ECDSASignature {
  /// The DER encoding of a plain signature: r ‖ s, each as long as the order (BSI TR-03111 §5.2.1.1).
  ///
  /// - Returns: nil for another length.
  package static func encoded(plain signature: [UInt8], orderLength: Int) -> [UInt8]? {
    guard signature.count == 2 * orderLength else { return nil }
    return encoded(
      [UInt8](signature.prefix(orderLength)), [UInt8](signature.dropFirst(orderLength)))
  }

  /// `SEQUENCE { r INTEGER, s INTEGER }` (RFC 3279 §2.2.3) of two big-endian numbers.
  package static func encoded(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
    TLV.encode(DER.sequence, [integer(r), integer(s)])
  }

  /// An INTEGER that is not negative, with the fewest bytes (ISO/IEC 8825-1 §8.3).
  private static func integer(_ number: [UInt8]) -> [UInt8] {
    let digits = number.withoutLeadingZeros
    let isNegative = digits.first.map { $0 & 0x80 != 0 } ?? true
    return TLV.encode(DER.integer, (isNegative ? [0] : []) + digits)
  }
}
