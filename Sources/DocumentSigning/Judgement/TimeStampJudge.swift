internal import CIECard

/// Judges time stamps by the certificates of authorities that a person trusts.
struct TimeStampJudge: Sendable {
  private let authorities: SignerJudge

  /// The verdict on a time stamp beside a signature, with its time if it is whole.
  struct Finding {
    let verdict: SignatureReport.Verdict
    let time: UTCTime?
    /// False if nothing vouches for the authority: the time is its word alone.
    let isTrusted: Bool

    init(_ verdict: SignatureReport.Verdict, _ time: UTCTime? = nil, isTrusted: Bool = false) {
      (self.verdict, self.time, self.isTrusted) = (verdict, time, isTrusted)
    }
  }

  /// - Parameter earliest: if the time is a clock's, one that the present cannot precede.
  init(
    trust: [Certificate]?, services: ServiceJudge? = nil, at time: UTCTime,
    notBefore earliest: UTCTime? = nil, _ store: SecurityStore = SecurityStore()
  ) {
    authorities = SignerJudge(
      trust: trust, time: time, earliest: earliest, purpose: .timeStamps, store: store,
      services: services)
  }

  /// Judges a token.
  ///
  /// - Parameters:
  ///   - signature: that of a PDF, which holds the token; nil for others.
  ///   - isBeside: false for a time stamp that is all there is to be judged.
  /// - Returns: the token's own points, with that of the stamped bytes; `claimedTime` is its time.
  func report(
    _ token: TimeStampToken, of signature: EmbeddedSignature? = nil, isBeside: Bool,
    hashing: SignerJudge.Hashing
  ) throws(DocumentError) -> SignatureReport {
    let imprint = try Self.imprint(of: token, hashing)
    guard isBeside, authorities.trust == nil, authorities.services != nil else {
      return try report(token, by: authorities, imprint, of: signature, isBeside: isBeside)
    }
    // A person named no authorities: one of a trusted list counts if it proves the time, and else harms nothing.
    let listed = try report(token, by: authorities, imprint, of: signature, isBeside: false)
    if listed.isProved { return listed }
    var alone = authorities
    alone.services = nil
    return try report(token, by: alone, imprint, of: signature, isBeside: isBeside)
  }

  private func report(
    _ token: TimeStampToken, by authorities: SignerJudge, _ imprint: SignatureReport.Verdict,
    of signature: EmbeddedSignature?, isBeside: Bool
  ) throws(DocumentError) -> SignatureReport {
    let own = try authorities.judge(
      token.data.signers[0], of: token.data, in: signature, statedTime: token.time
    ) { (algorithm) throws(DocumentError) in try token.content.hash(algorithm) }
    // Beside signatures a time stamp without trusted authorities proves no time, and harms nothing but when it is damaged.
    let isUntrusted = isBeside && authorities.trust == nil
    return own.report.replacing { kind in
      switch kind {
      case .timeStamp: .judged(imprint)
      case .chain, .validity: isUntrusted ? .unjudged(.noAuthorities) : nil
      case .coverage, .attributes, .contents, .signature, .signingCertificate, .statedTime,
        .revocation:
        nil
      }
    }
  }

  private static func imprint(
    of token: TimeStampToken, _ hashing: SignerJudge.Hashing
  ) throws(DocumentError) -> SignatureReport.Verdict {
    guard let algorithm = token.algorithm else { return .couldNotCheck(.unsupportedAlgorithm("")) }
    guard algorithm != .sha1 else { return .couldNotCheck(.weakAlgorithm) }
    guard let hash = try hashing(algorithm) else { return .couldNotCheck(.noContents) }
    return hash == token.imprint ? .proved : .false(.otherImprint)
  }

  /// The verdict on a token: that on its first point that is not proved. Without authorities it says only if it is whole.
  ///
  /// - Returns: the time as well if it is proved.
  func verdict(_ token: TimeStampToken, hashing: SignerJudge.Hashing) -> Finding {
    guard let report = try? report(token, isBeside: true, hashing: hashing) else {
      return Finding(.false(.malformedTimeStamp))
    }
    let isTrusted = authorities.trust != nil || report.trustedBy != nil
    if !isTrusted {
      guard !SignerJudge.hasStray(token.data, known: nil) else {
        return Finding(.couldNotCheck(.strayCertificate))
      }
    }
    let verdicts = report.points.map { $0.verdict }
    let worst =
      verdicts.first { if case .false = $0 { true } else { false } }
      ?? verdicts.first { $0 != .proved }
    return worst.map { Finding($0) } ?? Finding(.proved, token.time, isTrusted: isTrusted)
  }

  /// The same for bytes in memory.
  func verdict(_ token: TimeStampToken, of bytes: [UInt8]) -> Finding {
    verdict(token) { (algorithm) throws(DocumentError) in try ByteSource(bytes).hash(algorithm) }
  }
}
