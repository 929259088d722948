internal import CIECard
internal import Primitives

/// Signatures and time stamps of a PDF.
extension DocumentJudge {
  func judgePDF(
    _ source: ByteSource, _ password: [UInt8]
  ) throws(PDFError) -> DocumentReport {
    let signatures = try EmbeddedSignature.all(in: source, password: password)
    var store = SecurityStore(
      try PDFFile.open(PreparedPDF.read(source), password: password, isStrict: false))
    let known = signatures.flatMap { $0.signedData?.allCertificates ?? [] } + store.certificates
    store.isWhole =
      store.isWhole && signers.concerns(store.evidence, known)
      && !signers.hasForged(store.certificates, among: known)
    var judge = self
    judge.signers.store = store
    var reports: [(place: Int, report: SignatureReport)] = []
    // The newest first: a time stamp of the document proves the time of everything before it.
    var time: UTCTime?
    let order = signatures.indices.sorted { signatures[$0].end ?? 0 > signatures[$1].end ?? 0 }
    do throws(CMSError) {
      for index in order {
        let report = try judge.judge(
          signatures[index], in: source, provedTime: time)
        if report.isTimeStamp, signers.authorities != nil, report.isProved,
          let stamped = report.claimedTime
        {
          time = min(stamped, time ?? stamped)
          judge.signers.time = min(stamped, judge.signers.time)
        }
        reports.append((index, report))
      }
    } catch { throw .cms(error) }
    return DocumentReport(
      form: .pdf, signatures: reports.sorted { $0.place < $1.place }.map { $0.report }, inner: [])
  }

  /// SubFilter values whose contents are a detached SignedData (ISO 32000-2 table 255).
  private static let formats = ["ETSI.CAdES.detached", "adbe.pkcs7.detached"]

  private func judge(
    _ signature: EmbeddedSignature, in source: ByteSource, provedTime: UTCTime?
  ) throws(CMSError) -> SignatureReport {
    let coverage = Self.coverage(of: signature, in: source)
    let hashing = { (algorithm: HashAlgorithm) throws(CMSError) -> [UInt8]? in
      guard case .success(let coverage) = signature.coverage else { return nil }
      return try source.hash(of: coverage.ranges, algorithm)
    }
    if signature.isTimeStamp {
      do throws(CMSError) {
        let token = try TimeStampToken(signature.contents, mayBePadded: true)
        let judge = TimeStampJudge(
          trust: signers.authorities, at: signers.time, signers.store)
        var report = try judge.report(token, coverage: coverage, hashing: hashing)
        // As with time stamps beside signatures: without trusted authorities they prove no time, and harm nothing.
        if signers.authorities == nil { report.leaveOut([.chain, .validity]) }
        return report
      } catch { return Self.report(.false(.malformedSignature(error)), coverage) }
    }
    guard Self.formats.contains(signature.format) else {
      return Self.report(.couldNotCheck(.unsupportedFormat(signature.format.printable)), coverage)
    }
    let data: SignedData
    do throws(CMSError) {
      data = try SignedData(ByteSource(signature.contents), mayBePadded: true)
    } catch { return Self.report(.false(.malformedSignature(error)), coverage) }
    guard data.signers.count == 1, let signer = data.signers.first, data.content == nil else {
      return Self.report(.false(.notDetached), coverage)
    }
    return try signers.judge(
      signer, of: data, coverage: coverage, provedTime: provedTime, hashing: hashing)
  }

  private static func coverage(
    of signature: EmbeddedSignature, in source: ByteSource
  ) -> SignerJudge.Coverage {
    let mayHaveTime = signature.format != "ETSI.CAdES.detached"
    switch signature.coverage {
    case .success(let coverage):
      return SignerJudge.Coverage(
        verdict: .proved, signedLength: coverage.end, laterBytes: source.count - coverage.end,
        laterContent: signature.laterContent,
        claimedTime: signature.claimedTime, mayHaveTime: mayHaveTime)
    case .failure(let fault):
      return SignerJudge.Coverage(
        verdict: .false(.coverage(fault)), signedLength: nil, laterBytes: 0,
        laterContent: .none, claimedTime: signature.claimedTime, mayHaveTime: mayHaveTime)
    }
  }

  /// The report of a signature that cannot be taken apart.
  private static func report(
    _ verdict: SignatureReport.Verdict, _ coverage: SignerJudge.Coverage
  ) -> SignatureReport {
    SignatureReport(
      signer: nil, claimedTime: coverage.claimedTime, hasTimeStamp: false, commits: false,
      points: [
        .init(kind: .coverage, verdict: coverage.verdict),
        .init(kind: .attributes, verdict: verdict),
      ], signedLength: coverage.signedLength, laterBytes: coverage.laterBytes,
      laterContent: coverage.laterContent)
  }
}
