/// A hash value to be signed.
public struct Digest: Sendable, Hashable {
  /// The hash functions that the holder's key signs with.
  public enum Algorithm: String, Sendable, Hashable, CaseIterable {
    case sha256
    case sha384
    case sha512

    package var hash: HashAlgorithm {
      switch self {
      case .sha256: .sha256
      case .sha384: .sha384
      case .sha512: .sha512
      }
    }

  }

  /// The hash function.
  public let algorithm: Algorithm
  /// The hash value, of the algorithm's length.
  public let bytes: [UInt8]

  /// Takes a hash value that was computed elsewhere.
  ///
  /// - Returns: `nil` if its length is not the algorithm's.
  public init?(_ algorithm: Algorithm, bytes: [UInt8]) {
    guard bytes.count == algorithm.hash.length else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Hashes a message.
  public init(_ algorithm: Algorithm, hashing message: [UInt8]) throws(CryptoError) {
    self.algorithm = algorithm
    bytes = try algorithm.hash.hash(message)
  }

  /// DigestInfo (RFC 8017 §9.2): SEQUENCE { SEQUENCE { OID, NULL }, OCTET STRING }; 51, 67 or 83 bytes.
  var information: [UInt8] {
    TLV.encode(
      0x30,
      [
        TLV.encode(
          0x30, [TLV.encode(0x06, algorithm.hash.objectIdentifier), TLV.encode(0x05, [UInt8]())]),
        TLV.encode(0x04, bytes),
      ])
  }
}
