public import CIECard
internal import Primitives

/// Judges signed files: CMS in any of its forms, and PDF.
///
/// Nothing is trusted but the given certificates. Revocation is judged by the evidence in the document, or by that of the
/// issuers' services if these are given. Bytes that came later in a PDF are further signatures or not;
/// `signedRevision` returns the signed ones.
public struct DocumentJudge: Sendable {
  var signers: SignerJudge

  /// - Parameters:
  ///   - trust: certificates of issuers that are trusted; nil without any.
  ///   - authorities: certificates of time stamp authorities or of their issuers; nil to judge no time stamp.
  ///   - service: asked for issuers and revocations that the document lacks; nil to ask none.
  ///   - time: the time of judging.
  public init(
    trust: TrustStore?, authorities: TrustStore? = nil, asking service: RevocationService? = nil,
    at time: UTCTime = .now
  ) {
    signers = SignerJudge(
      trust: trust?.certificates, time: time, service: service,
      authorities: authorities?.certificates)
  }

  /// The same judge, with services to be asked.
  package func asking(_ service: RevocationService) -> DocumentJudge {
    var judge = self
    judge.signers.service = service
    return judge
  }

  /// Judges a file, whose form is found by its contents.
  ///
  /// Services are asked only about a file that is not false already without them.
  ///
  /// - Parameters:
  ///   - source: the file, of any form.
  ///   - content: the file to which a detached signature belongs; nil if it is not known.
  ///   - password: of an encrypted PDF, the user's or the owner's; empty without one.
  public func judge(
    _ source: ByteSource, content: ByteSource? = nil, password: [UInt8] = []
  ) throws(DocumentError) -> DocumentReport {
    guard signers.service != nil else { return try judgeAlone(source, content, password) }
    var alone = self
    alone.signers.service = nil
    let report = try alone.judgeAlone(source, content, password)
    return report.isDisproved ? report : try judgeAlone(source, content, password)
  }

  private func judgeAlone(
    _ source: ByteSource, _ content: ByteSource?, _ password: [UInt8]
  ) throws(DocumentError) -> DocumentReport {
    var outside: [DocumentReport.Outside] = []
    switch try InputForm(source, &outside) {
    case .cms(let cms): return try judgeCMS(cms, content, depth: 0, outside)
    case .timeStamp(let token): return try judge(TimeStampToken(token), of: content)
    case .pdf(let pdf): return try judgePDF(pdf, password)
    }
  }

  static let deepest = 8

  private func judgeCMS(
    _ source: ByteSource, _ detached: ByteSource?, depth: Int,
    _ outside: [DocumentReport.Outside] = []
  ) throws(DocumentError) -> DocumentReport {
    guard depth <= Self.deepest else { throw .tooDeep(limit: Self.deepest) }
    let data: SignedData
    do throws(DocumentError) { data = try SignedData(source) } catch {
      let isStamped = error == .otherType(CMSObject.dotted(CMSObject.timeStampedData))
      throw isStamped ? .unsupported(.timeStampedData) : error
    }
    guard data.contentType != CMSObject.timeStampInfo else {
      return try judge(TimeStampToken(source.bytes(0..<min(source.count, 1 << 20))), of: detached)
    }
    var hashes: [HashAlgorithm: [UInt8]] = [:]
    let hashing = { (algorithm: HashAlgorithm) throws(DocumentError) -> [UInt8]? in
      if let known = hashes[algorithm] { return known }
      if let ranges = data.content {
        hashes[algorithm] = try source.hash(of: ranges, algorithm)
      } else {
        hashes[algorithm] = try detached?.hash(algorithm)
      }
      return hashes[algorithm]
    }
    let isBare = try !Self.isSet(data.content, in: source, detached)
    var reports = try data.signers.map { (signer) throws(DocumentError) in
      try signers.judge(signer, of: data, mayBeBare: isBare, hashing: hashing)
    }
    let inner = try data.content.flatMap { (ranges) throws(DocumentError) in
      try Self.inner(source, ranges)
    }
    if data.content != nil, let detached, try !Self.holds(detached, in: source) {
      for index in reports.indices { reports[index].deny(.contents, .otherContents) }
    }
    var report = DocumentReport(
      form: data.content == nil ? .detached : .attached, signatures: reports,
      inner: inner.map { innerReport($0, depth: depth + 1) } ?? [], outside: outside)
    report.contentHash = hashes.first.map { ContentHash(algorithm: $0.key, value: $0.value) }
    return report
  }

  /// True if the contents are those of a file, at any depth of signed files inside each other.
  private static func holds(
    _ file: ByteSource, in source: ByteSource
  ) throws(DocumentError) -> Bool {
    let hash = try file.hash(.sha256)
    var source = source
    for _ in 0...deepest {
      guard let ranges = try SignedData(source).content else { return false }
      if try source.hash(of: ranges, .sha256) == hash { return true }
      guard case .cms(let next)? = try inner(source, ranges) else { return false }
      source = next
    }
    return false
  }

  /// True if contents are one SET in DER, as signed attributes are.
  private static func isSet(
    _ ranges: [Range<Int>]?, in source: ByteSource, _ detached: ByteSource?
  ) throws(DocumentError) -> Bool {
    let length: Int
    var head: [UInt8] = []
    if let ranges {
      length = ranges.reduce(0) { $0 + $1.count }
      for range in ranges where head.count < 8 {
        head += try source.bytes(range.prefix(8 - head.count))
      }
    } else if let detached {
      length = detached.count
      head = try detached.bytes(0..<min(8, length))
    } else {
      return false
    }
    guard head.count > 1, head[0] == UInt8(DER.set) else { return false }
    let more = head[1] < 0x80 ? 0 : Int(head[1] & 0x7F)
    guard more < 6 else { return false }
    let size =
      head[1] < 0x80 ? Int(head[1]) : head.dropFirst(2).prefix(more).reduce(0) { $0 << 8 | Int($1) }
    return size + 2 + more == length
  }

  /// Judges the file inside; one that is no signed file after all is contents like others.
  private func innerReport(_ form: InputForm, depth: Int) -> [DocumentReport] {
    switch form {
    case .cms(let inner): return (try? judgeCMS(inner, nil, depth: depth)).map { [$0] } ?? []
    case .pdf(let inner):
      let report = try? judgePDF(inner, [])
      return report.map { $0.signatures.isEmpty ? [] : [$0] } ?? []
    case .timeStamp: return []
    }
  }

  /// The contents as a signed file, if they begin like a SignedData, its text form or a PDF.
  static func inner(
    _ source: ByteSource, _ ranges: [Range<Int>]
  ) throws(DocumentError) -> InputForm? {
    let length = ranges.reduce(0) { $0 + $1.count }
    guard let first = ranges.first(where: { !$0.isEmpty }) else { return nil }
    let head = try source.bytes(first.prefix(32))
    let isBinary = InputForm.isSignedData(head)
    let isText = ["MI", "-----BEGIN "].contains { head.starts(with: $0.utf8) }
    guard isBinary || isText || head.starts(with: "%PDF-".utf8),
      length <= InputForm.largestText || isBinary && ranges.count == 1
    else { return nil }
    var whole = source.slice(first)
    if ranges.count > 1 {
      var all: [UInt8] = []
      try source.forEachBlock(of: ranges) { (block) throws(DocumentError) in all += block }
      whole = ByteSource(all)
    }
    guard isText else { return isBinary ? .cms(whole) : .pdf(whole) }
    guard case .cms(let decoded)? = try? InputForm(whole),
      InputForm.isSignedData(try decoded.bytes(0..<min(32, decoded.count)))
    else { return nil }
    return .cms(decoded)
  }

  private func judge(
    _ token: TimeStampToken, of content: ByteSource?
  ) throws(DocumentError) -> DocumentReport {
    let judge = TimeStampJudge(trust: signers.authorities, at: signers.time)
    let report = try judge.report(token) { (algorithm) throws(DocumentError) in
      try content?.hash(algorithm)
    }
    return DocumentReport(form: .timeStamp, signatures: [report], inner: [])
  }
}

/// Signatures and time stamps of a PDF.
extension DocumentJudge {
  func judgePDF(_ file: ByteSource, _ password: [UInt8]) throws(DocumentError) -> DocumentReport {
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
    let right = Set(
      reports.filter { $0.report.isRight }.compactMap { signatures[$0.place].number })
    for index in reports.indices {
      let signature = signatures[reports[index].place]
      let later = signatures.filter { $0.number.map(signature.laterSignatures.contains) == true }
      guard !signature.laterSignatures.isSubset(of: right) || !later.allSatisfy(signature.allows)
      else { continue }
      reports[index].report.distrustLaterContent()
    }
    var report = DocumentReport(
      form: .pdf, signatures: reports.sorted { $0.place < $1.place }.map { $0.report }, inner: [],
      outside: UnlistedSignatures(file, beside: signatures).isThere ? [.signatures] : [])
    report.contentHash = ContentHash(algorithm: .sha256, value: try source.hash(.sha256))
    return report
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
      signer, of: data, in: signature, provedTime: provedTime,
      // A PDF is no SET of attributes, whose tag this is.
      mayBeBare: try source.bytes(0..<min(1, source.count)) != [UInt8(DER.set)], hashing: hashing)
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
  var verdict: SignatureReport.Verdict {
    switch coverage {
    case .success: .proved
    case .failure(let fault): .false(.coverage(fault))
    }
  }
}
