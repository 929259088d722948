internal import CIECard
internal import Primitives

/// The question about a signer's certificate, which authorities can answer beyond what the document has.
struct PathQuestion: Sendable {
  let judge: SignerJudge
  let certificate: Certificate?
  let data: SignedData
  /// The time at which the signature existed, by a time stamp.
  let provedTime: UTCTime?
  /// The time that is stated.
  let statedTime: UTCTime?

  typealias Verdict = SignatureVerdict
  /// The verdicts on the path; that on revocations is nil without evidence.
  typealias Findings = (
    chain: Verdict, validity: Verdict, revocation: Verdict?, trustedBy: SignatureReport.TrustedBy?
  )

  /// - Parameter authorities: nil to ask none.
  func findings(asking authorities: inout AuthorityExchanges?) -> Findings {
    let then = provedTime ?? judge.time
    let moment = judge.purpose == .timeStamps ? statedTime ?? then : then
    let path = judge.path(from: certificate, data, at: moment, asking: &authorities)
    return (
      path.verdict,
      path.validity(at: then, notBefore: provedTime == nil ? judge.earliest : nil),
      judge.revocation(on: path, in: data, at: then, claiming: statedTime, asking: &authorities),
      path.trustedBy
    )
  }
}

/// A signature as it is judged without asking an authority, and what could be asked.
struct JudgedSignature: Sendable {
  var report: SignatureReport
  /// Nil for a signature that cannot be taken apart, and for a time stamp.
  let question: PathQuestion?

  func report(asking authorities: inout AuthorityExchanges?) -> SignatureReport {
    guard let question else { return report }
    let path = question.findings(asking: &authorities)
    return report.replacing(trustedBy: path.trustedBy) { kind in
      switch kind {
      case .chain: question.judge.finding(path.chain, on: kind, hasTimeStamp: false)
      case .validity: question.judge.finding(path.validity, on: kind, hasTimeStamp: false)
      case .revocation: question.judge.finding(path.revocation, on: kind, hasTimeStamp: false)
      case .coverage, .attributes, .contents, .signature, .signingCertificate, .statedTime,
        .timeStamp:
        nil
      }
    }
  }
}

/// A file as it is judged without asking an authority.
struct JudgedDocument: Sendable {
  let form: DocumentReport.Form
  let signatures: [JudgedSignature]
  /// The order in which authorities are asked about the signatures; that of the file if it is empty.
  var order: [Int] = []
  let inner: [JudgedDocument]
  var outside: [DocumentReport.Outside] = []
  var contentHash: ContentHash?

  var report: DocumentReport {
    var none: AuthorityExchanges?
    return report(with: signatures.map { $0.report }, inner.map { $0.report(asking: &none) })
  }

  func report(asking authorities: inout AuthorityExchanges?) -> DocumentReport {
    var reports = signatures.map { $0.report }
    for index in order.isEmpty ? Array(signatures.indices) : order {
      reports[index] = signatures[index].report(asking: &authorities)
    }
    return report(with: reports, inner.map { $0.report(asking: &authorities) })
  }

  private func report(
    with signatures: [SignatureReport], _ inner: [DocumentReport]
  ) -> DocumentReport {
    var report = DocumentReport(
      form: form, signatures: signatures, inner: inner, outside: outside)
    report.contentHash = contentHash
    return report
  }
}

/// A judgement for which authorities are asked: the caller answers one request after the other.
public struct DocumentInquiry: Sendable {
  /// The exchanges with the authorities.
  public var authorities: AuthorityExchanges
  /// The report by what is known so far.
  public private(set) var report: DocumentReport
  private let judged: JudgedDocument

  init(_ judged: JudgedDocument, asking service: RevocationService) {
    (self.judged, report) = (judged, judged.report)
    authorities = AuthorityExchanges(service)
  }

  /// The next request; nil when the report is final. Nothing is asked about a file that is false already without it.
  public mutating func next() -> AuthorityRequest? {
    guard !report.isDisproved else { return nil }
    let judged = judged
    let report = authorities.pass { authorities in
      var asked: AuthorityExchanges? = authorities
      let report = judged.report(asking: &asked)
      authorities = asked ?? authorities
      return report
    }
    if let report { self.report = report }
    return authorities.wanted
  }
}
