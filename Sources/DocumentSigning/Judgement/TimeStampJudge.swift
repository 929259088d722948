internal import CIECard

/// Judges time stamps by the certificates of authorities that a person trusts.
struct TimeStampJudge: Sendable {
  private let authorities: SignerJudge

  /// - Parameters:
  ///   - trust: certificates of authorities or of their issuers.
  ///   - time: the time of judging.
  init(trust: [Certificate], at time: UTCTime) {
    authorities = SignerJudge(trust: trust, time: time, purpose: .timeStamps)
  }

  /// Judges a token.
  ///
  /// - Parameter hashing: the hash of the stamped bytes by an algorithm; nil if there are none.
  /// - Returns: the token's own points, with that of the stamped bytes; `claimedTime` is its time.
  /// - Throws: `CMSError` if the stamped bytes cannot be read.
  func report(
    _ token: TimeStampToken, hashing: (HashAlgorithm) throws(CMSError) -> [UInt8]?
  ) throws(CMSError) -> SignatureReport {
    let imprint = try Self.imprint(of: token, hashing)
    let own = try authorities.judge(token.data.signers[0], of: token.data) {
      (algorithm) throws(CMSError) in
      try token.content.hash(of: [0..<token.content.count], algorithm)
    }
    return SignatureReport(
      signer: own.signer, claimedTime: token.time, hasTimeStamp: false, commits: own.commits,
      points: own.points + [.init(kind: .timeStamp, verdict: imprint)], signedLength: nil,
      laterBytes: 0)
  }

  private static func imprint(
    of token: TimeStampToken, _ hashing: (HashAlgorithm) throws(CMSError) -> [UInt8]?
  ) throws(CMSError) -> SignatureReport.Verdict {
    guard let algorithm = token.algorithm else { return .couldNotCheck(.unsupportedAlgorithm("")) }
    guard algorithm != .sha1 else { return .couldNotCheck(.weakAlgorithm) }
    guard let hash = try hashing(algorithm) else { return .couldNotCheck(.noContents) }
    return hash == token.imprint ? .proved : .false(.otherImprint)
  }

  /// The verdict on the time stamp of a signature: that on its first point that is not proved.
  ///
  /// - Parameters:
  ///   - token: encoded.
  ///   - signature: the stamped signature value.
  /// - Returns: the time as well if it is proved.
  func verdict(
    _ token: [UInt8], of signature: [UInt8]
  ) -> (verdict: SignatureReport.Verdict, time: UTCTime?) {
    do throws(CMSError) {
      let token = try TimeStampToken(token)
      let report = try report(token) { (algorithm) throws(CMSError) in
        try ByteSource(signature).hash(of: [0..<signature.count], algorithm)
      }
      let verdicts = report.points.map { $0.verdict }
      let worst =
        verdicts.first { if case .false = $0 { true } else { false } }
        ?? verdicts.first { $0 != .proved }
      return worst.map { ($0, nil) } ?? (.proved, token.time)
    } catch { return (.false(.malformedTimeStamp), nil) }
  }
}
