/// The signature algorithms that documents and their certificates may use (Doc 9303-12 §4.4.1): an
/// allow list, so that others, such as MD5, are never used.
package enum SignatureAlgorithm: Sendable, Equatable {
  /// RSASSA-PKCS1-v1_5 (RFC 8017 §8.2).
  case pkcs1(HashAlgorithm)
  /// RSASSA-PSS with MGF1 (RFC 8017 §8.1); the mask may use another hash function.
  case pss(HashAlgorithm, mask: HashAlgorithm)
  /// ECDSA (RFC 5758 §3.2; with SHA-1 RFC 3279 §2.2.3).
  case ecdsa(HashAlgorithm)
  /// ECDSA whose signature is r ‖ s, each as long as the order (BSI TR-03111 §5.2.1.1).
  case ecdsaPlain(HashAlgorithm)
  /// Only the kind of key is named, rsaEncryption or id-ecPublicKey (RFC 3370 §3.2): the hash
  /// function is that of the digest algorithm.
  case keyAlone

  /// - Parameter encoded: `SEQUENCE { algorithm OBJECT IDENTIFIER, parameters ANY OPTIONAL }` and
  ///   no more.
  /// - Returns: `nil` for any other algorithm.
  package init?(algorithmIdentifier encoded: [UInt8]) {
    do throws(TLVError) {
      var fields = try TLVCursor(inside: DER.sequence, of: encoded)
      let identifier = try fields.next(DER.objectIdentifier).bytes
      if identifier == Self.pss {
        self = try Self.pss(parameters: fields)
      } else if let simple = Self.simple[identifier] {
        self = simple
      } else if let hash = Self.plainHash(identifier) {
        self = .ecdsaPlain(hash)
      } else {
        return nil
      }
    } catch {
      return nil
    }
  }

  /// True if SHA-1 produces or protects the signed hash.
  ///
  /// - Parameter digest: the digest algorithm, used if the signature algorithm names no hash
  ///   function.
  package func usesSHA1(digest: HashAlgorithm?) -> Bool {
    switch self {
    case .pkcs1(let hash), .ecdsa(let hash), .ecdsaPlain(let hash): hash == .sha1
    case .pss(let hash, let mask): hash == .sha1 || mask == .sha1
    case .keyAlone: digest == .sha1
    }
  }

  /// pkcs-1, 1.2.840.113549.1.1 (RFC 8017 appendix C).
  private static let pkcs1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]
  private static let pss = pkcs1 + [0x0A]
  private static let maskGeneration1 = pkcs1 + [0x08]
  /// ansi-X9-62, 1.2.840.10045 (RFC 5480 §2.1.1).
  private static let x962: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D]

  /// Algorithms without significant parameters, by the content octets of their object identifiers.
  private static let simple: [[UInt8]: SignatureAlgorithm] = [
    pkcs1 + [0x01]: .keyAlone, x962 + [0x02, 0x01]: .keyAlone,
    pkcs1 + [0x05]: .pkcs1(.sha1), pkcs1 + [0x0E]: .pkcs1(.sha224),
    pkcs1 + [0x0B]: .pkcs1(.sha256), pkcs1 + [0x0C]: .pkcs1(.sha384),
    pkcs1 + [0x0D]: .pkcs1(.sha512),
    x962 + [0x04, 0x01]: .ecdsa(.sha1), x962 + [0x04, 0x03, 0x01]: .ecdsa(.sha224),
    x962 + [0x04, 0x03, 0x02]: .ecdsa(.sha256), x962 + [0x04, 0x03, 0x03]: .ecdsa(.sha384),
    x962 + [0x04, 0x03, 0x04]: .ecdsa(.sha512),
  ]

  /// The hash function of one of the ecdsa-plain-signatures, 0.4.0.127.0.7.1.1.4.1 (BSI TR-03111 §5.2.1); nil for another
  /// algorithm, and for RIPEMD-160, the sixth.
  ///
  /// - Parameter identifier: content octets.
  package static func plainHash(_ identifier: [UInt8]) -> HashAlgorithm? {
    let plain: [UInt8] = [0x04, 0x00, 0x7F, 0x00, 0x07, 0x01, 0x01, 0x04, 0x01]
    guard identifier.starts(with: plain), identifier.count == plain.count + 1 else { return nil }
    switch identifier.last {
    case 1: return .sha1
    case 2: return .sha224
    case 3: return .sha256
    case 4: return .sha384
    case 5: return .sha512
    default: return nil
    }
  }

  /// `RSASSA-PSS-params ::= SEQUENCE { [0] hashAlgorithm DEFAULT sha1, [1] maskGenAlgorithm DEFAULT mgf1SHA1, [2]
  /// saltLength DEFAULT 20, [3] trailerField DEFAULT 1 }` (RFC 8017 appendix A.2.3). Salt and trailer are judged with the
  /// signature itself.
  private static func pss(parameters: TLVCursor) throws(TLVError) -> SignatureAlgorithm {
    var outer = parameters
    var (hash, mask) = (HashAlgorithm.sha1, HashAlgorithm.sha1)
    guard !outer.isAtEnd else { return .pss(hash, mask: mask) }
    let fields = try outer.next(DER.sequence).contents.all()
    try outer.finish()
    for field in fields {
      var inside = field.contents
      switch field.tag {
      case 0xA0: hash = try hashAlgorithm(&inside)
      case 0xA1:
        var generation = try inside.next(DER.sequence).contents
        guard try generation.next(DER.objectIdentifier).bytes == maskGeneration1 else {
          throw .invalidValue(tag: field.tag)
        }
        mask = try hashAlgorithm(&generation)
      case 0xA2, 0xA3: continue
      default: throw .invalidTag
      }
      try inside.finish()
    }
    return .pss(hash, mask: mask)
  }

  /// The length of the salt of RSASSA-PSS in bytes (RFC 8017 appendix A.2.3).
  ///
  /// - Returns: nil for another algorithm, and for a trailer that is not defined.
  package static func saltLength(algorithmIdentifier encoded: [UInt8]) -> Int? {
    do throws(TLVError) {
      var fields = try TLVCursor(inside: DER.sequence, of: encoded)
      guard try fields.next(DER.objectIdentifier).bytes == Self.pss else { return nil }
      guard !fields.isAtEnd else { return 20 }
      var length = 20
      for field in try fields.next(DER.sequence).contents.all() {
        var inside = field.contents
        if field.tag == 0xA2 { length = try inside.nextNumber() }
        if field.tag == 0xA3, try inside.nextNumber() != 1 { return nil }
      }
      return length
    } catch { return nil }
  }

  private static func hashAlgorithm(_ cursor: inout TLVCursor) throws(TLVError) -> HashAlgorithm {
    var fields = try cursor.next(DER.sequence).contents
    guard let hash = HashAlgorithm(objectIdentifier: try fields.next(DER.objectIdentifier).bytes)
    else { throw .invalidValue(tag: DER.objectIdentifier) }
    return hash
  }
}
