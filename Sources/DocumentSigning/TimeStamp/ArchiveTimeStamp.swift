internal import CIECard
internal import Primitives

/// An archive time stamp: the time of a signature together with everything that proves it (archive-time-stamp-v3,
/// EN 319 122-1 §5.5.3).
struct ArchiveTimeStamp {
  let token: TimeStampToken
  let index: Index

  /// - Throws: `otherType` for one with an index of an older version of the standard.
  init(_ encoded: [UInt8]) throws(DocumentError) {
    token = try TimeStampToken(encoded)
    let indices = token.data.signers[0].values(of: CMSObject.archiveIndex)
    guard !indices.isEmpty else { throw .otherType(CMSObject.dotted(CMSObject.archiveTimeStamp)) }
    guard indices.count == 1 else { throw .malformed(.attributes) }
    index = try mapError(try Index(indices[0])) { (_: TLVError) in
      DocumentError.malformed(.attributes)
    }
  }

  /// ats-hash-index-v3 (EN 319 122-1 §5.5.2): the hashes of certificates, evidence of revocations and unsigned attributes.
  struct Index {
    let encoded: [UInt8]
    private let algorithm: HashAlgorithm
    private var lists: [Set<[UInt8]>] = []

    fileprivate init(_ encoded: [UInt8]) throws(TLVError) {
      self.encoded = encoded
      var outer = TLVCursor(encoded)
      var fields = try outer.next(DER.sequence).contents
      let algorithm = CMSObject.hash([UInt8](try fields.next(DER.sequence).encoded))
      guard let algorithm, algorithm != .sha1 else { throw .invalidTag }
      self.algorithm = algorithm
      for _ in 0..<3 {
        let hashes = try fields.next(DER.sequence).contents.all()
        guard hashes.allSatisfy({ $0.tag == DER.octetString }) else { throw .invalidTag }
        lists.append(Set(hashes.map { $0.bytes }))
      }
      try fields.finish()
    }

    init(of signer: SignerInfo, in data: SignedData) throws(DocumentError) {
      algorithm = .sha256
      let lists = try Self.parts(of: signer, in: data).map { (parts) throws(DocumentError) in
        TLV.encode(
          DER.sequence,
          try parts.map { (part) throws(DocumentError) in
            TLV.encode(DER.octetString, try ByteSource(part).hash(.sha256))
          })
      }
      encoded = TLV.encode(DER.sequence, [CMSObject.sha256] + lists)
    }

    /// The parts that are listed; of an attribute, its type with each value.
    private static func parts(of signer: SignerInfo, in data: SignedData) -> [[[UInt8]]] {
      let attributes = signer.unsignedAttributes.flatMap { attribute in
        attribute.values.map { TLV.encode(DER.objectIdentifier, attribute.type) + $0.encoded }
      }
      return [data.certificateSet, data.revocation, attributes]
    }

    /// True if it names nothing but what is in the file: a hash without its object means that one was taken away.
    func isComplete(for signer: SignerInfo, in data: SignedData) throws(DocumentError) -> Bool {
      for (list, parts) in zip(lists, Self.parts(of: signer, in: data)) {
        let present = try parts.map { (part) throws(DocumentError) in
          try ByteSource(part).hash(algorithm)
        }
        guard list.isSubset(of: present) else { return false }
      }
      return true
    }

    func covers(_ token: [UInt8]) throws(DocumentError) -> Bool {
      let attribute = TLV.encode(DER.objectIdentifier, CMSObject.timeStampToken) + token
      return lists[2].contains(try ByteSource(attribute).hash(algorithm))
    }

    /// The stamped bytes.
    ///
    /// - Parameter content: the hash of the contents, by the algorithm of the token.
    func message(
      for signer: SignerInfo, in data: SignedData, content: [UInt8]
    ) throws(DocumentError) -> [UInt8] {
      TLV.encode(DER.objectIdentifier, data.contentType) + content + (try signer.signedFields())
        + encoded
    }
  }
}
