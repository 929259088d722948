public import CIECard
internal import Primitives

/// Additions to a signature by which it can be judged later, without the card: levels T, LT and LTA (EN 319 122-1 §6,
/// EN 319 142-1 §6).
public struct SignatureExtension: Sendable {
  /// Levels above B, each with all of the lower ones.
  public enum Level: Sendable, Comparable {
    /// A time stamp.
    case t
    /// The certificates and their revocation status.
    case lt
    /// A time stamp of all of these, which can be repeated before its algorithms grow weak.
    case lta
  }

  let level: Level
  let authority: TimeStampAuthority
  /// Certificates at which the signers' paths may end; nil for any that are self-signed.
  let issuers: [Certificate]?
  let service: RevocationService

  /// - Parameters:
  ///   - level: what the file is to have afterwards.
  ///   - authority: asked once for each signature without a time stamp, and once more for level LTA.
  ///   - issuers: certificates of the signers' issuers; nil to get them by the addresses in the certificates.
  ///   - service: the issuers' services, which are asked from level LT.
  public init(
    _ level: Level, stampedBy authority: TimeStampAuthority, issuers: TrustStore? = nil,
    evidence service: RevocationService
  ) {
    (self.level, self.authority, self.service) = (level, authority, service)
    self.issuers = issuers?.certificates
  }

  /// The steps to a signed file with what its signatures lack for the level. Nothing is asked or bought for a file with a
  /// false signature.
  ///
  /// - Parameters:
  ///   - source: the signed file.
  ///   - content: the file to which a detached signature belongs, needed for level LTA.
  ///   - password: of an encrypted PDF.
  public func steps(
    for source: ByteSource, content: ByteSource? = nil, password: [UInt8] = []
  ) throws(DocumentError) -> SigningSteps {
    let judge = DocumentJudge(trust: nil, at: service.time)
    guard try !judge.judge(source, content: content, password: password).isDisproved else {
      throw .signatureFalse
    }
    switch try InputForm(source) {
    case .timeStamp: throw .otherType(CMSObject.dotted(CMSObject.timeStampInfo))
    case .pdf(let pdf):
      return SigningSteps(
        .pdf(PDFRaising(try PDFFile.read(pdf), password: password, self)), service)
    case .cms(let signed):
      let data = try SignedData(signed)
      guard level > .t || data.signers.contains(where: { $0.timeStamp == nil }) else {
        throw .nothingToStamp
      }
      let hashed: CMSRaising.Contents? =
        if let ranges = data.content {
          .parts(signed, ranges)
        } else {
          content.map { .parts($0, [0..<$0.count]) }
        }
      return SigningSteps(
        .cms(CMSRaising(data, data.signers.indices, hashed, self)), service,
        contents: try data.content.map { (ranges) throws(DocumentError) in
          try ContentBlocks(signed, ranges)
        }, length: data.content?.length)
    }
  }
}
