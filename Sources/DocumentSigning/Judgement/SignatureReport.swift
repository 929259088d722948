public import CIECard

/// The judgement of one signature of a document, point by point.
public struct SignatureReport: Sendable, Equatable {
  /// The signer's certificate; nil if the file has none for it.
  public let signer: Certificate?
  /// Time at which the signer claims to have signed; nil if it is not stated.
  public let claimedTime: UTCTime?
  /// True if a time stamp stands beside the signature.
  public let hasTimeStamp: Bool
  /// True for a time stamp that is no signature: of a whole PDF, or a file (.tsr).
  public let isTimeStamp: Bool
  /// Time at which the signature existed, by a time stamp that is proved; nil without one.
  public let stampedTime: UTCTime?
  /// The service of a trusted list that was allowed to issue the certificate, or to make the time stamp; nil without one, also if a
  /// person's own trust alone proves the issuer.
  public private(set) var trustedBy: TrustedBy?
  /// True if the certified key may be used for nonRepudiation. That of a login certificate may not, so checkers
  /// for qualified signatures refuse it.
  public let commits: Bool
  /// The points that were judged, in the order of `Kind`; together with `unjudged` all of them.
  public var points: [Point] {
    findings.compactMap { kind, finding in
      if case .judged(let verdict) = finding { Point(kind: kind, verdict: verdict) } else { nil }
    }
  }

  /// The points that were not judged, with the reasons, in the order of `Kind`.
  public var unjudged: [(kind: Kind, absence: Absence)] {
    findings.compactMap { kind, finding in
      if case .unjudged(let absence) = finding { (kind, absence) } else { nil }
    }
  }

  private var findings: [(kind: Kind, finding: Finding)] {
    zip(Kind.allCases, table).map { ($0, $1) }
  }

  /// A finding for each kind, in their order.
  private var table: [Finding]
  /// The bytes of a PDF that the signature covers, counted from its beginning; nil for other files,
  /// whose contents it covers as a whole.
  public let signedLength: Int?
  /// Number of bytes that came after the signature was made; zero for files other than PDF.
  public let laterBytes: Int
  /// The content of these bytes.
  public private(set) var laterContent: LaterContent

  /// - Parameters:
  ///   - signature: that of a PDF; nil for other files.
  ///   - finding: called once for each kind, which therefore cannot be left out.
  init(
    signer: Certificate?, claimedTime: UTCTime?, hasTimeStamp: Bool, isTimeStamp: Bool = false,
    stampedTime: UTCTime? = nil, trustedBy: TrustedBy? = nil, commits: Bool,
    in signature: EmbeddedSignature?,
    finding: (Kind) -> Finding
  ) {
    (self.signer, self.claimedTime, self.commits) = (signer, claimedTime, commits)
    (self.hasTimeStamp, self.isTimeStamp) = (hasTimeStamp, isTimeStamp)
    (self.stampedTime, self.trustedBy) = (stampedTime, trustedBy)
    table = Kind.allCases.map(finding)
    (signedLength, laterBytes) = (signature?.end, signature?.laterBytes ?? 0)
    laterContent = signature?.laterContent ?? .none
  }

  /// The verdict on a point; nil if it is not judged.
  public subscript(kind: Kind) -> Verdict? { points.first { $0.kind == kind }?.verdict }

  /// Takes back that a point is proved.
  mutating func deny(_ kind: Kind, _ reason: Verdict.Falsehood) {
    table = findings.map { $0 == kind && $1 == .judged(.proved) ? .judged(.false(reason)) : $1 }
  }

  /// The same report, with another finding about each kind for which there is one.
  func replacing(
    trustedBy service: TrustedBy? = nil, _ finding: (Kind) -> Finding?
  ) -> SignatureReport {
    var report = self
    report.trustedBy = service ?? trustedBy
    report.table = findings.map { finding($0) ?? $1 }
    return report
  }

  /// True if the signature can be proved although the point was not judged.
  private func isDispensable(_ kind: Kind, _ absence: Absence) -> Bool {
    switch absence {
    case .nothingToJudge:
      switch kind {
      case .coverage: signedLength == nil
      case .statedTime, .revocation, .timeStamp: true
      case .attributes, .contents, .signature, .signingCertificate, .chain, .validity: false
      }
    case .noEvidence: kind == .revocation
    // A time stamp without trusted authorities proves no time, and harms nothing.
    case .noAuthorities: isTimeStamp || kind == .timeStamp
    case .notReached: false
    }
  }

  /// True if a false verdict on the point disproves the signature, and not only a time stamp beside it.
  private func isOwn(_ kind: Kind) -> Bool { isTimeStamp || kind != .timeStamp }

  /// Takes what came later for another change, because a signature in it is not right.
  mutating func distrustLaterContent() { laterContent = .other }

  /// True if the bytes are those that were signed, by any signer.
  var isRight: Bool {
    let kinds: [Kind] =
      isTimeStamp ? [.coverage, .signature, .timeStamp] : [.coverage, .contents, .signature]
    return kinds.allSatisfy { self[$0] == .proved }
  }

  /// True if every point holds, or need not be judged, whatever came later.
  var isProved: Bool {
    findings.allSatisfy { kind, finding in
      switch finding {
      case .judged(let verdict): verdict == .proved
      case .unjudged(let absence): isDispensable(kind, absence)
      }
    }
  }

  /// The first point that disproves the signature.
  private var disproving: Point? {
    points.first { point in
      if case .false = point.verdict { isOwn(point.kind) } else { false }
    }
  }

  /// The end of the validation (EN 319 102-1 §5.1.3), whatever came later.
  public var indication: Indication {
    isProved ? .passed : disproving == nil ? .indeterminate : .failed
  }

  /// The reason for an end that is not `passed`: generic if only a time stamp beside the signature is false.
  public var subindication: Subindication? {
    if isProved { return nil }
    let open = points.first { if case .couldNotCheck = $0.verdict { true } else { false } }
    return (disproving ?? open)?.verdict.subindication ?? .generic
  }

  /// The outcome as a whole.
  public var outcome: DocumentReport.Outcome {
    switch indication {
    case .failed: .false
    case .indeterminate: .couldNotCheck
    case .passed:
      laterContent.isMore ? .provedForItsRevision(laterBytes: laterBytes) : .proved
    }
  }

  /// One thing to be proved, with its verdict.
  public struct Point: Sendable, Equatable {
    /// The thing to be proved.
    public let kind: Kind
    /// The verdict.
    public let verdict: Verdict
  }

  /// The things to be proved of a signature.
  public enum Kind: String, Sendable, CaseIterable {
    /// The signature covers a PDF from its beginning, but for its own place (PDF only).
    case coverage
    /// The signed attributes are complete, single and consistent.
    case attributes
    /// The contents are those that were signed.
    case contents
    /// The signature was made with the key of the signer's certificate.
    case signature
    /// The signer named this certificate among the signed attributes.
    case signingCertificate = "signing-certificate"
    /// The certificate may sign, and a trusted one issued it.
    case chain
    /// The certificates on that path are valid at the time of a proved time stamp, else of judging.
    case validity
    /// The time that is stated is one at which the signature can have been made; only judged if it is not.
    case statedTime = "stated-time"
    /// No certificate on the path was revoked at that time; only judged if there is evidence, or if it was asked for.
    case revocation
    /// The time stamp beside the signature is of this signature and by a trusted authority; only judged if authorities
    /// were given, or if something beside the signature is damaged.
    case timeStamp = "time-stamp"
  }

  /// Verdict on one point.
  public typealias Verdict = SignatureVerdict

  enum Finding: Equatable {
    case judged(Verdict)
    case unjudged(Absence)
  }

  /// Reasons why a point was not judged.
  public enum Absence: String, Sendable {
    /// The signature has nothing of the kind, or states a time to which there is no objection.
    case nothingToJudge = "nothing-to-judge"
    /// The file has no word about revocations, and no authority was asked.
    case noEvidence = "no-evidence"
    /// No time stamp authorities are trusted.
    case noAuthorities = "no-authorities"
    /// The signature could not be taken apart.
    case notReached = "not-reached"
  }
}
