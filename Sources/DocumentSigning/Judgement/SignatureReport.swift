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
  /// True if the certified key may be used for nonRepudiation. That of a login certificate may not, so checkers
  /// for qualified signatures refuse it.
  public let commits: Bool
  /// The points in the order of `Kind`.
  public private(set) var points: [Point]
  /// The bytes of a PDF that the signature covers, counted from its beginning; nil for other files,
  /// whose contents it covers as a whole.
  public let signedLength: Int?
  /// Number of bytes that came after the signature was made; zero for files other than PDF.
  public let laterBytes: Int
  /// The content of these bytes.
  public private(set) var laterContent: LaterContent

  /// - Parameter signature: that of a PDF; nil for other files.
  init(
    signer: Certificate?, claimedTime: UTCTime?, hasTimeStamp: Bool, isTimeStamp: Bool = false,
    stampedTime: UTCTime? = nil, commits: Bool, points: [(Kind, Verdict)],
    in signature: EmbeddedSignature?
  ) {
    (self.signer, self.claimedTime, self.commits) = (signer, claimedTime, commits)
    (self.hasTimeStamp, self.isTimeStamp) = (hasTimeStamp, isTimeStamp)
    self.stampedTime = stampedTime
    self.points = points.map { Point(kind: $0, verdict: $1) }
    (signedLength, laterBytes) = (signature?.end, signature?.laterBytes ?? 0)
    laterContent = signature?.laterContent ?? .none
  }

  /// The verdict on a point; nil if it is not judged.
  public subscript(kind: Kind) -> Verdict? { points.first { $0.kind == kind }?.verdict }

  /// Takes back that a point is proved.
  mutating func deny(_ kind: Kind, _ reason: Verdict.Falsehood) {
    points = points.map { point in
      point.kind == kind && point.verdict == .proved
        ? Point(kind: kind, verdict: .false(reason)) : point
    }
  }

  mutating func leaveOut(_ kinds: Set<Kind>) { points.removeAll { kinds.contains($0.kind) } }

  /// The points without which nothing is proved; the others are judged if there is something to judge.
  private var needed: [Kind] {
    let own: [Kind] = signedLength == nil ? [] : [.coverage]
    // A time stamp without trusted authorities proves no time, and harms nothing.
    return own + [.attributes, .contents, .signature, .signingCertificate]
      + (isTimeStamp ? [.timeStamp] : [.chain, .validity])
  }

  /// Takes what came later for another change, because a signature in it is not right.
  mutating func distrustLaterContent() { laterContent = .other }

  /// True if the bytes are those that were signed, by any signer.
  var isRight: Bool {
    let kinds: [Kind] =
      isTimeStamp ? [.coverage, .signature, .timeStamp] : [.coverage, .contents, .signature]
    return kinds.allSatisfy { self[$0] == .proved }
  }

  /// True if every judged point holds, whatever came later.
  var isProved: Bool { points.allSatisfy { $0.verdict == .proved } }

  /// The outcome as a whole.
  public var outcome: DocumentReport.Outcome {
    if points.contains(where: { if case .false = $0.verdict { true } else { false } }) {
      return .false
    }
    guard isProved, needed.allSatisfy({ self[$0] == .proved }) else {
      return .couldNotCheck
    }
    return laterContent.isMore ? .provedForItsRevision(laterBytes: laterBytes) : .proved
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
    /// The time that is stated is one at which the signature can have been made; a point only if it is not.
    case statedTime = "stated-time"
    /// No certificate on the path was revoked at that time; only judged if there is evidence, or if it was asked for.
    case revocation
    /// The time stamp beside the signature is of this signature and by a trusted authority; only judged if authorities
    /// were given, or if something beside the signature is damaged.
    case timeStamp = "time-stamp"
  }

  /// Verdict on one point.
  public typealias Verdict = SignatureVerdict
}
