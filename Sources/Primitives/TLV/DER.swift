/// Universal tags (ISO/IEC 8824-1 §8.4).
package enum DER {
  package static let boolean: UInt32 = 0x01
  package static let integer: UInt32 = 0x02
  package static let bitString: UInt32 = 0x03
  package static let octetString: UInt32 = 0x04
  package static let null: UInt32 = 0x05
  package static let objectIdentifier: UInt32 = 0x06
  package static let printableString: UInt32 = 0x13
  package static let generalizedTime: UInt32 = 0x18
  package static let sequence: UInt32 = 0x30
  package static let set: UInt32 = 0x31
}

extension TLVCursor {
  /// Reads an INTEGER that is not negative, as a number.
  ///
  /// - Throws: `TLVError.invalidValue` if it has more than four significant bytes.
  package mutating func nextNumber() throws(TLVError) -> Int {
    let bytes = try nextUnsigned()
    guard bytes.count <= 4 else { throw .invalidValue(tag: DER.integer) }
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Reads an INTEGER as an unsigned big-endian number without leading zero bytes; zero is the empty array.
  ///
  /// A number without the leading zero byte of the sign, an encoder's mistake, is read as positive,
  /// because no number in a travel document is negative.
  package mutating func nextUnsigned() throws(TLVError) -> [UInt8] {
    let value = try next(DER.integer).bytes
    guard !value.isEmpty else { throw .invalidValue(tag: DER.integer) }
    return value.withoutLeadingZeros
  }

  /// Reads a BIT STRING of whole bytes (ISO/IEC 8825-1 §8.6).
  package mutating func nextWholeBits() throws(TLVError) -> [UInt8] {
    var value = try next(DER.bitString).bytes
    guard value.first == 0 else { throw .invalidValue(tag: DER.bitString) }
    value.removeFirst()
    return value
  }
}
