internal import CIECard
internal import Primitives

extension ArchiveTimeStamp {
  /// Adds an archive time stamp to a signer.
  ///
  /// - Parameters:
  ///   - parts: the file, with everything that is to be covered.
  ///   - content: SHA-256 of the contents.
  /// - Throws: `SigningError`.
  static func adding(
    to signer: SignerInfo, in parts: SignedDataParts, content: [UInt8],
    by authority: TimeStampAuthority
  ) throws(SigningError) -> SignerInfo {
    let (index, bytes) = try SigningError.reading { () throws(CMSError) in
      let found = try CMSError.calculating { () throws(CryptoError) in
        try hashes(of: signer, parts, .sha256)
      }
      let lists = [found.certificates, found.revocation, found.attributes].map { list in
        TLV.encode(DER.sequence, list.map { TLV.encode(DER.octetString, $0) })
      }
      let index = TLV.encode(DER.sequence, [CMSObject.sha256] + lists)
      return (index, try message(signer, parts.contentType, content: content, index: index))
    }
    let token = try SigningError.stamping { () throws(TimeStampError) in
      try authority.token(for: bytes)
    }
    return try SigningError.reading { () throws(CMSError) in
      let indexed = try TimeStampToken(token).adding(CMSObject.archiveIndex, index)
      return try signer.adding(CMSObject.archiveTimeStamp, indexed)
    }
  }
}
