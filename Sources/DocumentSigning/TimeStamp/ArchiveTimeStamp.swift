internal import CIECard
internal import Primitives

/// An archive time stamp: the time of a signature together with everything that proves it (archive-time-stamp-v3,
/// EN 319 122-1 §5.5.3).
struct ArchiveTimeStamp {
  let token: TimeStampToken
  /// The encoding of ats-hash-index-v3.
  private let index: [UInt8]
  /// The algorithm of the hashes in the index.
  private let algorithm: HashAlgorithm
  private let certificates: Set<[UInt8]>
  private let revocation: Set<[UInt8]>
  private let attributes: Set<[UInt8]>

  /// - Throws: `CMSError.malformed`.
  init(_ encoded: [UInt8]) throws(CMSError) {
    let token = try TimeStampToken(encoded)
    let indices = token.data.signers[0].values(of: CMSObject.archiveIndex)
    guard indices.count == 1 else { throw .malformed(.attributes) }
    let lists = try CMSError.parsing(.attributes) {
      () throws(TLVError) -> (HashAlgorithm, Set<[UInt8]>, Set<[UInt8]>, Set<[UInt8]>) in
      var outer = TLVCursor(indices[0])
      var fields = try outer.next(DER.sequence).contents
      let algorithm = CMSObject.hash([UInt8](try fields.next(DER.sequence).encoded))
      guard let algorithm, algorithm != .sha1 else { throw .invalidTag }
      let certificates = try Self.hashes(fields.next(DER.sequence))
      let revocation = try Self.hashes(fields.next(DER.sequence))
      let attributes = try Self.hashes(fields.next(DER.sequence))
      try fields.finish()
      return (algorithm, certificates, revocation, attributes)
    }
    (self.token, index) = (token, indices[0])
    (algorithm, certificates, revocation, attributes) = lists
  }

  private static func hashes(_ list: TLV) throws(TLVError) -> Set<[UInt8]> {
    Set(
      try list.contents.all().map { (field) throws(TLVError) in
        guard field.tag == DER.octetString else { throw .invalidTag }
        return field.bytes
      })
  }

  /// True if the index names nothing but what is in the file: a hash without its object means that one was taken away.
  func isComplete(for signer: SignerInfo, in data: SignedData) throws(CryptoError) -> Bool {
    let present = try Self.hashes(of: signer, SignedDataParts(data), algorithm)
    return certificates.isSubset(of: present.certificates)
      && revocation.isSubset(of: present.revocation)
      && attributes.isSubset(of: present.attributes)
  }

  /// True if it was made about a time stamp token of the signer.
  func covers(_ token: [UInt8], type: [UInt8] = CMSObject.timeStampToken) throws(CryptoError)
    -> Bool
  {
    attributes.contains(
      try algorithm.hash(TLV.encode(DER.objectIdentifier, type) + token))
  }

  /// The stamped bytes.
  ///
  /// - Parameter content: the hash of the contents, by the algorithm of the token.
  /// - Throws: `CMSError`.
  func message(for signer: SignerInfo, _ type: [UInt8], content: [UInt8]) throws(CMSError)
    -> [UInt8]
  {
    try Self.message(signer, type, content: content, index: index)
  }

  /// The same before there is a token.
  static func message(
    _ signer: SignerInfo, _ type: [UInt8], content: [UInt8], index: [UInt8]
  ) throws(CMSError) -> [UInt8] {
    TLV.encode(DER.objectIdentifier, type) + content
      + (try CMSError.parsing(.signer, signer.signedFields)) + index
  }

  /// The hashes of the parts that an index lists; of an attribute, those of its type with each value.
  static func hashes(
    of signer: SignerInfo, _ parts: SignedDataParts, _ algorithm: HashAlgorithm
  ) throws(CryptoError) -> (
    certificates: [[UInt8]], revocation: [[UInt8]], attributes: [[UInt8]]
  ) {
    let values = signer.unsignedAttributes.flatMap { attribute in
      attribute.values.map { TLV.encode(DER.objectIdentifier, attribute.type) + $0 }
    }
    func hash(_ parts: [[UInt8]]) throws(CryptoError) -> [[UInt8]] {
      try parts.map { (part) throws(CryptoError) in try algorithm.hash(part) }
    }
    return (try hash(parts.certificateSet), try hash(parts.revocation), try hash(values))
  }
}
