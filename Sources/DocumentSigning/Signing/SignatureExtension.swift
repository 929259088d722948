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
  private let issuers: [Certificate]?
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

  /// Writes a signed file with what its signatures lack for the level. Nothing is asked or bought for a file with a false
  /// signature.
  ///
  /// - Parameters:
  ///   - source: the signed file.
  ///   - content: the file to which a detached signature belongs, needed for level LTA.
  ///   - password: of an encrypted PDF.
  ///   - write: takes the next bytes; what was written before an error is to be thrown away.
  public func write(
    _ source: ByteSource, content: ByteSource? = nil, password: [UInt8] = [],
    to write: ([UInt8]) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    let judge = DocumentJudge(trust: nil, at: service.time)
    guard try !judge.judge(source, content: content, password: password).isDisproved else {
      throw .signatureFalse
    }
    switch try InputForm(source) {
    case .timeStamp: throw .otherType(CMSObject.dotted(CMSObject.timeStampInfo))
    case .pdf(let pdf): try write(try raise(pdf: PDFFile.read(pdf), password: password))
    case .cms(let signed):
      let data = try SignedData(signed)
      guard level > .t || data.signers.contains(where: { $0.timeStamp == nil }) else {
        throw .nothingToStamp
      }
      let raised = try raise(data, data.signers.indices) { () throws(DocumentError) in
        if let ranges = data.content { return try signed.hash(of: ranges, .sha256) }
        guard let content else { throw .noContents }
        return try content.hash(.sha256)
      }
      let length = data.content.map { $0.reduce(0) { $0 + $1.count } }
      let frame = raised.frame(contentLength: length)
      try write(frame.head)
      try signed.forEachBlock(of: data.content ?? [], write)
      try write(frame.tail)
    }
  }

  /// Adds to CMS what signers lack for the level.
  func raise(
    _ data: SignedData, _ indices: Range<Int>, hashing: () throws(DocumentError) -> [UInt8]
  ) throws(DocumentError) -> SignedData {
    var data = data
    for index in indices where data.signers[index].timeStamp == nil {
      let token = try authority.token(for: data.signers[index].signature)
      data.signers[index] = try data.signers[index].adding(CMSObject.timeStampToken, token)
    }
    guard level >= .lt else { return data }
    for index in indices {
      let known = SecurityStore(data.certificates, RevocationEvidence(choices: data.revocation))
      let proof = try proof(of: data.signers[index], known)
      data.add(proof.certificates, proof.evidence)
    }
    guard level >= .lta else { return data }
    let content = try hashing()
    for place in indices {
      let signer = data.signers[place]
      let index = try ArchiveTimeStamp.Index(of: signer, in: data)
      let message = try index.message(for: signer, in: data, content: content)
      let token = try TimeStampToken(authority.token(for: message))
      data.signers[place] = try signer.adding(
        CMSObject.archiveTimeStamp, token.adding(CMSObject.archiveIndex, index.encoded))
    }
    return data
  }

  /// The certificates and the evidence for a signer and for its time stamps.
  func proof(of signer: SignerInfo, _ known: SecurityStore) throws(DocumentError) -> SecurityStore {
    guard let own = signer.certificate(among: known.certificates) else {
      throw .malformed(.certificates)
    }
    var time = service.time
    var proof = SecurityStore([], known.evidence)
    for token in signer.timeStamps {
      let token = try TimeStampToken(token)
      time = min(time, token.time)
      proof.add(try self.proof(of: token, proof.evidence))
    }
    let path = try service.path(from: own, to: issuers, through: known.certificates)
    let evidence = try service.evidence(for: path, known: proof.evidence, at: time)
    proof.add(SecurityStore(path, evidence))
    return proof
  }

  /// The same for a time stamp.
  func proof(
    of token: TimeStampToken, _ known: RevocationEvidence
  ) throws(DocumentError) -> SecurityStore {
    let others = token.data.certificates
    guard let own = token.data.signers[0].certificate(among: others) else {
      throw .malformed(.certificates)
    }
    let path = try service.path(from: own, to: authority.anchors, through: others)
    return SecurityStore(
      path, try service.evidence(for: path, known: known, at: token.time))
  }
}

/// Levels of signatures in PDFs: each addition is an incremental update, but for a time stamp in the room of the newest
/// signature.
extension SignatureExtension {
  /// Adds what the signatures of a PDF lack for the level.
  func raise(pdf: [UInt8], password: [UInt8]) throws(DocumentError) -> [UInt8] {
    var pdf = try stamped(pdf, password)
    guard level >= .lt else { return pdf }
    pdf = try proven(pdf, password)
    return level >= .lta ? try documentStamped(pdf, password) : pdf
  }

  /// A time stamp in the newest signature, whose Contents no signature covers; one of the whole document if there is no
  /// room for it, or if bytes follow. An authority is not asked for one that is likely not to fit, because each may be sold.
  private func stamped(_ pdf: [UInt8], _ password: [UInt8]) throws(DocumentError) -> [UInt8] {
    let all = try EmbeddedSignature.all(
      of: PDFFile.open(pdf, password: password, isStrict: false))
    let stamps = all.compactMap { $0.isTimeStamp ? $0.end : nil }
    let bare = all.filter { signature in
      !signature.isTimeStamp && signature.signer?.timeStamp == nil
        && !stamps.contains { $0 > signature.end ?? 0 }
    }
    guard !bare.isEmpty else {
      guard level > .t, all.contains(where: { !$0.isTimeStamp }) else { throw .nothingToStamp }
      return pdf
    }
    guard bare.count == 1, bare[0].end == pdf.count,
      let start = bare[0].contentsStart, var data = bare[0].signedData, let signer = bare[0].signer,
      bare[0].contents.count - data.encoded.count >= SignatureRoom.ofTimeStamp
    else { return try documentStamped(pdf, password) }
    let room = 2 * bare[0].contents.count
    data.signers = [
      try signer.adding(CMSObject.timeStampToken, try authority.token(for: signer.signature))
    ]
    let digits = [UInt8](data.encoded.hexadecimal.utf8)
    guard digits.count <= room else { return try documentStamped(pdf, password) }
    // Zeros up to the closing angle bracket.
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: room - digits.count)
    var bytes = pdf
    bytes.replaceSubrange(start..<start + room, with: digits + zeros)
    return bytes
  }

  /// The certificates and the evidence of every signature in the document security store.
  private func proven(_ pdf: [UInt8], _ password: [UInt8]) throws(DocumentError) -> [UInt8] {
    let file = try PDFFile.open(pdf, password: password)
    let store = SecurityStore(file)
    var added = SecurityStore()
    for signature in try EmbeddedSignature.all(of: file) {
      var known = store
      known.add(added)
      if signature.isTimeStamp {
        let token = try TimeStampToken(signature.contents)
        added.add(try proof(of: token, known.evidence))
      } else if let data = signature.signedData, let signer = signature.signer {
        known.add(SecurityStore(data.certificates))
        added.add(try proof(of: signer, known))
      }
    }
    return try store.updated(with: added, in: file)
  }

  /// A time stamp of the document (ISO 32000-2 §12.8.5) in an update.
  private func documentStamped(
    _ pdf: [UInt8], _ password: [UInt8]
  ) throws(DocumentError) -> [UInt8] {
    let file = try PDFFile.open(pdf, password: password)
    var room = try SignatureRoom(SignatureRoom.ofTimeStamp, stamping: file)
    var token = try authority.token(imprint: room.digest().bytes)
    if token.count > SignatureRoom.ofTimeStamp {
      // Asked once more, with room for a token of this length.
      room = try SignatureRoom(token.count + 1024, stamping: file)
      token = try authority.token(imprint: room.digest().bytes)
    }
    return try room.filled(with: token)
  }
}
