internal import CIECard

/// Judges time stamps by the certificates of authorities that a person trusts.
struct TimeStampJudge: Sendable {
  private let authorities: SignerJudge

  /// - Parameters:
  ///   - trust: certificates of authorities or of their issuers.
  ///   - time: the time of judging.
  ///   - store: certificates and evidence of revocations that came with the document.
  init(trust: [Certificate]?, at time: UTCTime, _ store: SecurityStore = SecurityStore()) {
    authorities = SignerJudge(trust: trust, time: time, purpose: .timeStamps, store: store)
  }

  /// Judges a token.
  ///
  /// - Parameters:
  ///   - coverage: of a PDF's time stamp; nil for others.
  ///   - hashing: the hash of the stamped bytes by an algorithm; nil if there are none.
  /// - Returns: the token's own points, with that of the stamped bytes; `claimedTime` is its time.
  /// - Throws: `CMSError` if the stamped bytes cannot be read.
  func report(
    _ token: TimeStampToken, coverage: SignerJudge.Coverage? = nil,
    hashing: (HashAlgorithm) throws(CMSError) -> [UInt8]?
  ) throws(CMSError) -> SignatureReport {
    let imprint = try Self.imprint(of: token, hashing)
    let own = try authorities.judge(token.data.signers[0], of: token.data, coverage: coverage) {
      (algorithm) throws(CMSError) in
      try token.content.hash(of: [0..<token.content.count], algorithm)
    }
    return SignatureReport(
      signer: own.signer, claimedTime: token.time, hasTimeStamp: false, isTimeStamp: true,
      commits: own.commits, points: own.points + [.init(kind: .timeStamp, verdict: imprint)],
      signedLength: own.signedLength, laterBytes: own.laterBytes,
      laterContent: own.laterContent)
  }

  private static func imprint(
    of token: TimeStampToken, _ hashing: (HashAlgorithm) throws(CMSError) -> [UInt8]?
  ) throws(CMSError) -> SignatureReport.Verdict {
    guard let algorithm = token.algorithm else { return .couldNotCheck(.unsupportedAlgorithm("")) }
    guard algorithm != .sha1 else { return .couldNotCheck(.weakAlgorithm) }
    guard let hash = try hashing(algorithm) else { return .couldNotCheck(.noContents) }
    return hash == token.imprint ? .proved : .false(.otherImprint)
  }

  /// The verdict on a token: that on its first point that is not proved. Without authorities it says only if it is whole.
  ///
  /// - Returns: the time as well if it is proved.
  func verdict(
    _ token: TimeStampToken, hashing: (HashAlgorithm) throws(CMSError) -> [UInt8]?
  ) -> (verdict: SignatureReport.Verdict, time: UTCTime?) {
    do throws(CMSError) {
      var report = try report(token, hashing: hashing)
      if authorities.trust == nil {
        guard !SignerJudge.hasStray(token.data, known: nil) else {
          return (.couldNotCheck(.strayCertificate), nil)
        }
        report.leaveOut([.chain, .validity])
      }
      let verdicts = report.points.map { $0.verdict }
      let worst =
        verdicts.first { if case .false = $0 { true } else { false } }
        ?? verdicts.first { $0 != .proved }
      return worst.map { ($0, nil) } ?? (.proved, token.time)
    } catch { return (.false(.malformedTimeStamp), nil) }
  }

  /// The same of an encoded token of bytes in memory.
  func verdict(
    _ token: [UInt8], of bytes: [UInt8]
  ) -> (verdict: SignatureReport.Verdict, time: UTCTime?) {
    do throws(CMSError) {
      return verdict(try TimeStampToken(token)) { (algorithm) throws(CMSError) in
        try ByteSource(bytes).hash(of: [0..<bytes.count], algorithm)
      }
    } catch { return (.false(.malformedTimeStamp), nil) }
  }
}
