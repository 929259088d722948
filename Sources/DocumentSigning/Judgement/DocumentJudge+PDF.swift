internal import CIECard
internal import Primitives

/// Signatures and time stamps of a PDF.
extension DocumentJudge {
  func judgePDF(_ source: ByteSource, _ password: [UInt8]) throws(DocumentError) -> DocumentReport {
    let file = try PDFFile.open(PDFFile.read(source), password: password, isStrict: false)
    let signatures = try EmbeddedSignature.all(of: file)
    var store = SecurityStore(file)
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
    for index in order {
      let report = try judge.judge(signatures[index], in: source, provedTime: time)
      if report.isTimeStamp, signers.authorities != nil, report.isProved,
        let stamped = report.claimedTime
      {
        time = min(stamped, time ?? stamped)
        judge.signers.time = min(stamped, judge.signers.time)
      }
      reports.append((index, report))
    }
    return DocumentReport(
      form: .pdf, signatures: reports.sorted { $0.place < $1.place }.map { $0.report }, inner: [])
  }

  /// SubFilter values whose contents are a detached SignedData (ISO 32000-2 table 255).
  private static let formats = ["ETSI.CAdES.detached", "adbe.pkcs7.detached"]

  private func judge(
    _ signature: EmbeddedSignature, in source: ByteSource, provedTime: UTCTime?
  ) throws(DocumentError) -> SignatureReport {
    let hashing = { (algorithm: HashAlgorithm) throws(DocumentError) -> [UInt8]? in
      guard case .success(let ranges) = signature.coverage else { return nil }
      return try source.hash(of: ranges, algorithm)
    }
    if signature.isTimeStamp {
      guard let token = try? TimeStampToken(signature.contents, mayBePadded: true) else {
        return Self.report(.false(.malformedSignature), signature)
      }
      let judge = TimeStampJudge(trust: signers.authorities, at: signers.time, signers.store)
      var report = try judge.report(token, of: signature, hashing: hashing)
      // As with time stamps beside signatures: without trusted authorities they prove no time, and harm nothing.
      if signers.authorities == nil { report.leaveOut([.chain, .validity]) }
      return report
    }
    guard Self.formats.contains(signature.format) else {
      let format = signature.format.printable
      return Self.report(.couldNotCheck(.unsupportedFormat(format)), signature)
    }
    guard let data = signature.signedData else {
      return Self.report(.false(.malformedSignature), signature)
    }
    guard let signer = signature.signer else { return Self.report(.false(.notDetached), signature) }
    return try signers.judge(
      signer, of: data, in: signature, provedTime: provedTime, hashing: hashing)
  }

  /// The report of a signature that cannot be taken apart.
  private static func report(
    _ verdict: SignatureReport.Verdict, _ signature: EmbeddedSignature
  ) -> SignatureReport {
    SignatureReport(
      signer: nil, claimedTime: signature.claimedTime, hasTimeStamp: false, commits: false,
      points: [(.coverage, signature.verdict), (.attributes, verdict)], in: signature)
  }
}

extension EmbeddedSignature {
  /// The verdict on its coverage.
  var verdict: SignatureReport.Verdict {
    switch coverage {
    case .success: .proved
    case .failure(let fault): .false(.coverage(fault))
    }
  }
}
