internal import CIECard

/// Judges time stamps by the certificates of authorities that a person trusts.
struct TimeStampJudge: Sendable {
  private let authorities: SignerJudge

  /// - Parameter earliest: if the time is a clock's, one that the present cannot precede.
  init(
    trust: [Certificate]?, at time: UTCTime, notBefore earliest: UTCTime? = nil,
    _ store: SecurityStore = SecurityStore()
  ) {
    authorities = SignerJudge(
      trust: trust, time: time, earliest: earliest, purpose: .timeStamps, store: store)
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
  func verdict(
    _ token: TimeStampToken, hashing: SignerJudge.Hashing
  ) -> (verdict: SignatureReport.Verdict, time: UTCTime?) {
    guard let report = try? report(token, isBeside: true, hashing: hashing) else {
      return (.false(.malformedTimeStamp), nil)
    }
    if authorities.trust == nil {
      guard !SignerJudge.hasStray(token.data, known: nil) else {
        return (.couldNotCheck(.strayCertificate), nil)
      }
    }
    let verdicts = report.points.map { $0.verdict }
    let worst =
      verdicts.first { if case .false = $0 { true } else { false } }
      ?? verdicts.first { $0 != .proved }
    return worst.map { ($0, nil) } ?? (.proved, token.time)
  }

  /// The same for bytes in memory.
  func verdict(
    _ token: TimeStampToken, of bytes: [UInt8]
  ) -> (verdict: SignatureReport.Verdict, time: UTCTime?) {
    verdict(token) { (algorithm) throws(DocumentError) in try ByteSource(bytes).hash(algorithm) }
  }
}
