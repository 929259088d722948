/// Domain parameters of an elliptic curve over a prime field, written out (ECParameters, RFC 3279 §2.3.5; BSI
/// TR-03111 §5.1). Numbers are big-endian without leading zero bytes.
struct ExplicitCurve: Sendable, Equatable {
  /// p, the prime of the field.
  let prime: [UInt8]
  /// a of y² = x³ + ax + b.
  let a: [UInt8]
  /// b of y² = x³ + ax + b.
  let b: [UInt8]
  /// G, the base point as encoded: 04 and both coordinates, or compressed.
  let generator: [UInt8]
  /// n, the order of G.
  let order: [UInt8]
  /// h; absent in some keys.
  let cofactor: [UInt8]?

  /// prime-field, 1.2.840.10045.1.1 (RFC 3279 §2.3.5).
  private static let primeField: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x01, 0x01]

  /// `SEQUENCE { version, fieldID { prime-field, p }, curve { a, b, seed OPTIONAL }, base, order, cofactor OPTIONAL }`.
  init(_ parameters: TLV) throws(TLVError) {
    var outer = TLVCursor(parameters.encoded)
    var fields = try outer.next(DER.sequence).contents
    _ = try fields.nextNumber()
    var field = try fields.next(DER.sequence).contents
    let kind = try field.next(DER.objectIdentifier)
    guard kind.value.elementsEqual(Self.primeField) else {
      throw .invalidValue(tag: DER.objectIdentifier)
    }
    prime = try field.nextUnsigned()
    try field.finish()
    var curve = try fields.next(DER.sequence).contents
    a = try curve.next(DER.octetString).bytes.withoutLeadingZeros
    b = try curve.next(DER.octetString).bytes.withoutLeadingZeros
    if !curve.isAtEnd { _ = try curve.next(DER.bitString) }
    try curve.finish()
    generator = try fields.next(DER.octetString).bytes
    order = try fields.nextUnsigned()
    cofactor = fields.isAtEnd ? nil : try fields.nextUnsigned()
    try fields.finish()
  }
}
