internal import CIECard
internal import Primitives

/// CMS whose signers get what they lack for a level.
struct CMSRaising: Sendable {
  private let data: SignedData
  private let indices: Range<Int>
  private var contents: Contents?
  private let rule: SignatureExtension

  /// The contents, which an archive time stamp covers.
  enum Contents: Sendable {
    case hash([UInt8])
    case parts(ByteSource, [Range<Int>])
  }

  /// - Parameters:
  ///   - indices: of the signers.
  ///   - contents: nil if they are neither inside nor given.
  init(
    _ data: SignedData, _ indices: Range<Int>, _ contents: Contents?, _ rule: SignatureExtension
  ) {
    (self.data, self.indices, self.contents, self.rule) = (data, indices, contents, rule)
  }

  /// The raised data, as far as the answers go.
  mutating func raised(_ authorities: inout AuthorityExchanges) throws(DocumentError) -> SignedData
  {
    var data = data
    for index in indices where data.signers[index].timeStamp == nil {
      let token = try authorities.token(for: data.signers[index].signature, by: rule.authority)
      data.signers[index] = try data.signers[index].adding(CMSObject.timeStampToken, token)
    }
    guard rule.level >= .lt else { return data }
    for index in indices {
      let known = SecurityStore(data.certificates, RevocationEvidence(choices: data.revocation))
      let proof = try authorities.proof(of: data.signers[index], known, for: rule)
      data.add(proof.certificates, proof.evidence)
    }
    guard rule.level >= .lta else { return data }
    let content = try contentHash()
    for place in indices {
      let signer = data.signers[place]
      let index = try ArchiveTimeStamp.Index(of: signer, in: data)
      let message = try index.message(for: signer, in: data, content: content)
      let token = try TimeStampToken(authorities.token(for: message, by: rule.authority))
      data.signers[place] = try signer.adding(
        CMSObject.archiveTimeStamp, token.adding(CMSObject.archiveIndex, index.encoded))
    }
    return data
  }

  /// The hash, which is kept because contents may have gigabytes.
  private mutating func contentHash() throws(DocumentError) -> [UInt8] {
    switch contents {
    case nil: throw .noContents
    case .hash(let hash): return hash
    case .parts(let source, let ranges):
      let hash = try source.hash(of: ranges, .sha256)
      contents = .hash(hash)
      return hash
    }
  }
}

extension AuthorityExchanges {
  /// The certificates and the evidence for a signer and for its time stamps.
  mutating func proof(
    of signer: SignerInfo, _ known: SecurityStore, for rule: SignatureExtension
  ) throws(DocumentError) -> SecurityStore {
    guard let own = signer.certificate(among: known.certificates) else {
      throw .malformed(.certificates)
    }
    var time = time
    var proof = SecurityStore([], known.evidence)
    for token in signer.timeStamps {
      let token = try TimeStampToken(token)
      time = min(time, token.time)
      proof.add(try self.proof(of: token, proof.evidence, for: rule))
    }
    let path = try path(from: own, to: rule.issuers, through: known.certificates)
    let evidence = try evidence(for: path, known: proof.evidence, at: time)
    proof.add(SecurityStore(path, evidence))
    return proof
  }

  /// The same for a time stamp.
  mutating func proof(
    of token: TimeStampToken, _ known: RevocationEvidence, for rule: SignatureExtension
  ) throws(DocumentError) -> SecurityStore {
    let others = token.data.certificates
    guard let own = token.data.signers[0].certificate(among: others) else {
      throw .malformed(.certificates)
    }
    let path = try path(from: own, to: rule.authority.anchors, through: others)
    return SecurityStore(path, try evidence(for: path, known: known, at: token.time))
  }
}
