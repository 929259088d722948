internal import CIECard
internal import Primitives

/// Signatures and time stamps of a PDF.
extension DocumentJudge {
  func judgePDF(_ file: ByteSource, _ password: [UInt8]) throws(DocumentError) -> JudgedDocument {
    // In memory, so that the bytes that are parsed are those that are hashed.
    let source = ByteSource(try PDFFile.read(file))
    let file = try PDFFile.open(source.bytes(0..<source.count), password: password, isStrict: false)
    let signatures = try EmbeddedSignature.all(of: file)
    var store = SecurityStore(file)
    let known = signatures.flatMap { $0.signedData?.allCertificates ?? [] } + store.certificates
    store.isWhole =
      store.isWhole && signers.concerns(store.evidence, known)
      && !signers.hasForged(store.certificates, among: known)
    var judge = self
    judge.signers.store = store
    var judged: [(place: Int, signature: JudgedSignature)] = []
    // The newest first: a time stamp of the document proves the time of everything before it.
    var time: UTCTime?
    let order = signatures.indices.sorted { signatures[$0].end ?? 0 > signatures[$1].end ?? 0 }
    for index in order {
      let signature = try judge.judge(signatures[index], in: source, provedTime: time)
      let report = signature.report
      if report.isTimeStamp, signers.authorities != nil || report.trustedBy != nil,
        report.isProved, let stamped = report.claimedTime
      {
        time = min(stamped, time ?? stamped)
        judge.signers.time = min(stamped, judge.signers.time)
        judge.signers.earliest = nil
      }
      judged.append((index, signature))
    }
    let right = Set(
      judged.filter { $0.signature.report.isRight }.compactMap { signatures[$0.place].number })
    for index in judged.indices {
      let signature = signatures[judged[index].place]
      let later = signatures.filter { $0.number.map(signature.laterSignatures.contains) == true }
      guard !signature.laterSignatures.isSubset(of: right) || !later.allSatisfy(signature.allows)
      else { continue }
      judged[index].signature.report.distrustLaterContent()
    }
    return JudgedDocument(
      form: .pdf, signatures: judged.sorted { $0.place < $1.place }.map { $0.signature },
      order: order, inner: [],
      outside: UnlistedSignatures(file, beside: signatures).isThere ? [.signatures] : [],
      contentHash: ContentHash(algorithm: .sha256, value: try source.hash(.sha256)))
  }

  /// SubFilter values whose contents are a detached SignedData (ISO 32000-2 table 255).
  private static let formats = ["ETSI.CAdES.detached", "adbe.pkcs7.detached"]

  private func judge(
    _ signature: EmbeddedSignature, in source: ByteSource, provedTime: UTCTime?
  ) throws(DocumentError) -> JudgedSignature {
    let hashing = { (algorithm: HashAlgorithm) throws(DocumentError) -> [UInt8]? in
      guard let ranges = signature.coverage.ranges else { return nil }
      return try source.hash(of: ranges, algorithm)
    }
    if signature.isTimeStamp {
      guard let token = try? TimeStampToken(signature.contents) else {
        return Self.report(.false(.malformedSignature), signature)
      }
      let judge = TimeStampJudge(
        trust: signers.authorities, services: signers.services, at: signers.time,
        notBefore: signers.earliest, signers.store)
      return JudgedSignature(
        report: try judge.report(token, of: signature, isBeside: true, hashing: hashing),
        question: nil)
    }
    guard Self.formats.contains(signature.format) else {
      let format = signature.format.printable
      return Self.report(.couldNotCheck(.unsupportedFormat(format)), signature)
    }
    guard let data = signature.signedData else {
      return Self.report(.false(.malformedSignature), signature)
    }
    guard data.bytesBehind == 0 else {
      return Self.report(.couldNotCheck(.bytesBehind), signature)
    }
    guard let signer = signature.signer else {
      return Self.report(.couldNotCheck(.notDetached), signature)
    }
    return try signers.judge(
      signer, of: data, in: signature, provedTime: provedTime,
      // A PDF is no SET of attributes, whose tag this is.
      mayBeBare: try source.bytes(0..<min(1, source.count)) != [UInt8(DER.set)], hashing: hashing)
  }

  /// The report of a signature that cannot be taken apart.
  private static func report(
    _ verdict: SignatureReport.Verdict, _ signature: EmbeddedSignature
  ) -> JudgedSignature {
    let report = SignatureReport(
      signer: nil, claimedTime: signature.claimedTime, hasTimeStamp: false,
      isTimeStamp: signature.isTimeStamp, commits: false,
      in: signature
    ) { kind in
      switch kind {
      case .coverage: .judged(signature.verdict)
      case .attributes: .judged(verdict)
      case .contents, .signature, .signingCertificate, .statedTime, .chain, .validity, .revocation,
        .timeStamp:
        .unjudged(.notReached)
      }
    }
    return JudgedSignature(report: report, question: nil)
  }
}

extension EmbeddedSignature {
  var verdict: SignatureReport.Verdict {
    switch coverage {
    case .ranges: .proved
    case .fault(let fault): .false(.coverage(fault))
    }
  }
}
