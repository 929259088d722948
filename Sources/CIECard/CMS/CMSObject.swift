/// Object identifiers of CMS, as content octets.
package enum CMSObject {
  /// pkcs, 1.2.840.113549.1.
  package static let pkcs: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01]
  /// id-data (RFC 5652 §4).
  package static let data = pkcs + [0x07, 0x01]
  /// id-signedData (RFC 5652 §5.1).
  package static let signedData = pkcs + [0x07, 0x02]
  /// contentType (RFC 5652 §11.1).
  package static let contentType = pkcs + [0x09, 0x03]
  /// messageDigest (RFC 5652 §11.2).
  package static let messageDigest = pkcs + [0x09, 0x04]
  /// signingTime (RFC 5652 §11.3).
  package static let signingTime = pkcs + [0x09, 0x05]

  /// The dotted form (ISO/IEC 8825-1 §8.19).
  package static func dotted(_ octets: [UInt8]) -> String {
    var numbers: [UInt64] = []
    var value: UInt64 = 0
    for octet in octets {
      value = value << 7 | UInt64(octet & 0x7F)
      guard octet & 0x80 == 0 else { continue }
      if numbers.isEmpty {
        let first = min(value / 40, 2)
        numbers = [first, value - 40 * first]
      } else {
        numbers.append(value)
      }
      value = 0
    }
    return numbers.map { String($0) }.joined(separator: ".")
  }

  /// The object identifier of an AlgorithmIdentifier (RFC 5280 §4.1.1.2), which may have any parameters.
  package static func ofAlgorithm(_ encoded: [UInt8]) -> [UInt8]? {
    var fields = try? TLVCursor(inside: DER.sequence, of: encoded)
    return try? fields?.next(DER.objectIdentifier).bytes
  }
}
