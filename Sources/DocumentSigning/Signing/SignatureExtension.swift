public import CIECard
internal import Primitives

/// Additions to a signature by which it can be judged later, without the card: levels T, LT and LTA (EN 319 122-1 §6,
/// EN 319 142-1 §6).
public struct SignatureExtension: Sendable {
  /// Levels above B, each with all of the lower ones.
  public enum Level: Int, Sendable, Comparable {
    /// A time stamp.
    case t
    /// The certificates and their revocation status.
    case lt
    /// A time stamp of all of these, which can be repeated before its algorithms grow weak.
    case lta

    /// True if the left level is lower.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  let level: Level
  let authority: TimeStampAuthority
  /// Certificates at which the signers' paths may end; nil for any that are self-signed.
  private let issuers: [Certificate]?
  let service: RevocationService

  /// - Parameters:
  ///   - level: the level to reach.
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

  /// Writes a signed file with what its signatures lack for the level.
  ///
  /// - Parameters:
  ///   - source: the file, in any form of CMS, or a PDF.
  ///   - content: the file to which a detached signature belongs, needed for level LTA.
  ///   - password: of an encrypted PDF.
  ///   - write: takes the next bytes; what was written before an error is to be thrown away.
  /// - Throws: `SigningError`.
  public func write(
    _ source: ByteSource, content: ByteSource? = nil, password: [UInt8] = [],
    to write: ([UInt8]) throws(CMSError) -> Void
  ) throws(SigningError) {
    let form: InputForm
    do throws(JudgementError) { form = try InputForm(source) } catch { throw .input(error) }
    switch form {
    case .timeStamp: throw .input(.cms(.otherType(CMSObject.dotted(CMSObject.timeStampInfo))))
    case .pdf(let pdf):
      let bytes = try SigningError.writing { () throws(PDFError) in try PreparedPDF.read(pdf) }
      let raised = try raise(pdf: bytes, password: password)
      try SigningError.reading { () throws(CMSError) in try write(raised) }
    case .cms(let signed):
      let data = try SigningError.reading { () throws(CMSError) in try SignedData(signed) }
      guard level > .t || data.signers.contains(where: { $0.timeStamp == nil }) else {
        throw .nothingToStamp
      }
      let parts = try raise(SignedDataParts(data), data.signers.indices) {
        () throws(CMSError) in
        if let ranges = data.content { return try signed.hash(of: ranges, .sha256) }
        guard let content else { throw .noContents }
        return try content.hash(of: [0..<content.count], .sha256)
      }
      let length = data.content.map { $0.reduce(0) { $0 + $1.count } }
      let frame = CMSFrame(parts, contentLength: length)
      try SigningError.reading { () throws(CMSError) in
        try write(frame.head)
        if let ranges = data.content { try signed.forEachBlock(of: ranges, write) }
        try write(frame.tail)
      }
    }
  }

  /// Adds to CMS what signers lack for the level.
  ///
  /// - Parameters:
  ///   - indices: the signers.
  ///   - hashing: SHA-256 of the contents.
  func raise(
    _ parts: SignedDataParts, _ indices: Range<Int>,
    hashing: () throws(CMSError) -> [UInt8]
  ) throws(SigningError) -> SignedDataParts {
    var parts = parts
    for index in indices where parts.signers[index].timeStamp == nil {
      let signer = parts.signers[index]
      let token = try SigningError.stamping { () throws(TimeStampError) in
        try authority.token(for: signer.signature)
      }
      parts.signers[index] = try SigningError.reading { () throws(CMSError) in
        try signer.adding(CMSObject.timeStampToken, token)
      }
    }
    guard level >= .lt else { return parts }
    for index in indices {
      let proof = try proof(
        of: parts.signers[index], among: parts.certificates,
        RevocationEvidence(choices: parts.revocation))
      parts.add(proof.certificates, proof.evidence)
    }
    guard level >= .lta else { return parts }
    let content = try SigningError.reading(hashing)
    for index in indices {
      parts.signers[index] = try ArchiveTimeStamp.adding(
        to: parts.signers[index], in: parts, content: content, by: authority)
    }
    return parts
  }

  /// The certificates and the evidence for a signer and for its time stamps.
  func proof(
    of signer: SignerInfo, among certificates: [Certificate], _ known: RevocationEvidence
  ) throws(SigningError) -> (certificates: [Certificate], evidence: RevocationEvidence) {
    guard let own = signer.certificate(among: certificates) else {
      throw .cms(.malformed(.certificates))
    }
    var time = service.time
    var all: (certificates: [Certificate], evidence: RevocationEvidence) = ([], known)
    for token in [signer.timeStamp].compactMap({ $0 })
      + signer.values(of: CMSObject.archiveTimeStamp)
    {
      let token = try SigningError.reading { () throws(CMSError) in try TimeStampToken(token) }
      time = min(time, token.time)
      let found = try proof(of: token, all.evidence)
      all.certificates += found.certificates
      all.evidence.add(found.evidence)
    }
    let found = try SigningError.proving { () throws(RevocationError) in
      let path = try service.path(from: own, to: issuers, through: certificates)
      return (path, try service.evidence(for: path, known: all.evidence, at: time))
    }
    all.evidence.add(found.1)
    return (all.certificates + found.0, all.evidence)
  }

  /// The same for a time stamp.
  func proof(
    of token: TimeStampToken, _ known: RevocationEvidence
  ) throws(SigningError) -> (certificates: [Certificate], evidence: RevocationEvidence) {
    let others = token.data.certificates
    guard let own = token.data.signers[0].certificate(among: others) else {
      throw .cms(.malformed(.certificates))
    }
    return try SigningError.proving { () throws(RevocationError) in
      let path = try service.path(from: own, to: authority.anchors, through: others)
      return (path, try service.evidence(for: path, known: known, at: token.time))
    }
  }
}
