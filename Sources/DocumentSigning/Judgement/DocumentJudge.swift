public import CIECard
internal import Primitives

/// Judges signed files: CMS in any of its forms, and PDF.
///
/// Nothing is trusted but the given certificates. Revocation is not checked, time stamps are not
/// judged, and what came later in a PDF is counted, not judged: `signedRevision` returns what was
/// signed.
public struct DocumentJudge: Sendable {
  private let signers: SignerJudge

  /// - Parameters:
  ///   - trust: certificates of issuers that are trusted; nil without any.
  ///   - authorities: certificates of time stamp authorities or of their issuers; nil to judge no time stamp.
  ///   - time: the time of judging.
  public init(trust: TrustStore?, authorities: TrustStore? = nil, at time: UTCTime = .now) {
    signers = SignerJudge(
      trust: trust?.certificates, time: time, authorities: authorities?.certificates)
  }

  /// Judges a file, whose form is found by its contents.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - content: the file to which a detached signature belongs; nil if it is not known.
  ///   - password: of an encrypted PDF, the user's or the owner's; empty without one.
  /// - Throws: `JudgementError`.
  public func judge(
    _ source: ByteSource, content: ByteSource? = nil, password: [UInt8] = []
  ) throws(JudgementError) -> DocumentReport {
    switch try InputForm(source) {
    case .cms(let cms): return try judgeCMS(cms, content, depth: 0)
    case .pdf(let pdf):
      do throws(PDFError) { return try judgePDF(pdf, password) } catch { throw .pdf(error) }
    }
  }

  /// The contents of an attached signature, all wrappings removed.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - write: takes the next bytes.
  /// - Returns: false for a detached signature and for a PDF.
  /// - Throws: `JudgementError`.
  public func contents(
    of source: ByteSource, write: ([UInt8]) throws(CMSError) -> Void
  ) throws(JudgementError) -> Bool {
    guard case .cms(let cms) = try InputForm(source) else { return false }
    var (source, depth) = (cms, 0)
    do throws(CMSError) {
      while true {
        guard let ranges = try SignedData(source).content else { return false }
        guard let inner = try Self.inner(source, ranges), depth < Self.deepest else {
          try source.forEachBlock(of: ranges, write)
          return true
        }
        (source, depth) = (inner, depth + 1)
      }
    } catch { throw .cms(error) }
  }

  /// The revision of a PDF that a signature covers: the only complete answer to what came later.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - signature: a report of this file.
  /// - Returns: nil for a report of another kind of file.
  /// - Throws: `JudgementError`.
  public static func signedRevision(
    of source: ByteSource, _ signature: SignatureReport
  ) throws(JudgementError) -> [UInt8]? {
    guard let length = signature.signedLength else { return nil }
    do throws(CMSError) { return try source.bytes(0..<length) } catch { throw .cms(error) }
  }

  private static let deepest = 8

  private func judgeCMS(
    _ source: ByteSource, _ detached: ByteSource?, depth: Int
  ) throws(JudgementError) -> DocumentReport {
    guard depth <= Self.deepest else { throw .tooDeep(limit: Self.deepest) }
    do throws(CMSError) {
      let data = try SignedData(source)
      guard data.contentType != CMSObject.timeStampInfo else {
        throw CMSError.otherType(CMSObject.dotted(CMSObject.timeStampInfo))
      }
      var hashes: [HashAlgorithm: [UInt8]] = [:]
      let hashing = { (algorithm: HashAlgorithm) throws(CMSError) -> [UInt8]? in
        if let known = hashes[algorithm] { return known }
        let value: [UInt8]? =
          if let ranges = data.content {
            try source.hash(of: ranges, algorithm)
          } else {
            try detached.map { (file) throws(CMSError) in
              try file.hash(of: [0..<file.count], algorithm)
            }
          }
        hashes[algorithm] = value
        return value
      }
      let reports = try data.signers.map { (signer) throws(CMSError) in
        try signers.judge(signer, of: data, hashing: hashing)
      }
      let inner = try data.content.flatMap { (ranges) throws(CMSError) in
        try Self.inner(source, ranges)
      }
      return DocumentReport(
        form: data.content == nil ? .detached : .attached, signatures: reports,
        inner: try inner.map { (inner) throws(CMSError) in
          try innerReport(inner, depth: depth + 1)
        } ?? [])
    } catch {
      switch error {
      case .otherType(let type) where type == CMSObject.dotted(CMSObject.timeStampInfo):
        throw .unsupported(.timeStamp)
      case .otherType(let type) where type == CMSObject.dotted(CMSObject.timeStampedData):
        throw .unsupported(.timeStampedData)
      default: throw .cms(error)
      }
    }
  }

  /// Judges the file inside; one that is no signed file after all is contents like others.
  private func innerReport(_ source: ByteSource, depth: Int) throws(CMSError) -> [DocumentReport] {
    do throws(JudgementError) {
      return [try judgeCMS(source, nil, depth: depth)]
    } catch {
      return []
    }
  }

  /// The contents as a separate source, if they begin like a SignedData.
  private static func inner(
    _ source: ByteSource, _ ranges: [Range<Int>]
  ) throws(CMSError) -> ByteSource? {
    let length = ranges.reduce(0) { $0 + $1.count }
    let mark = TLV.encode(DER.objectIdentifier, CMSObject.signedData)
    guard let first = ranges.first(where: { !$0.isEmpty }), length > mark.count else { return nil }
    let head = try source.bytes(first.prefix(32))
    guard head.first == 0x30, (2...8).contains(where: { head.dropFirst($0).starts(with: mark) })
    else { return nil }
    if ranges.count == 1 { return source.slice(first) }
    guard length <= InputForm.largestText else { return nil }
    var all: [UInt8] = []
    try source.forEachBlock(of: ranges) { (block) throws(CMSError) in all += block }
    return ByteSource(all)
  }
}

extension DocumentJudge {
  private func judgePDF(
    _ source: ByteSource, _ password: [UInt8]
  ) throws(PDFError) -> DocumentReport {
    let signatures = try EmbeddedSignature.all(in: source, password: password)
    do throws(CMSError) {
      return DocumentReport(
        form: .pdf,
        signatures: try signatures.map { (signature) throws(CMSError) in
          try judge(signature, in: source)
        }, inner: [])
    } catch { throw .cms(error) }
  }

  /// SubFilter values whose contents are a detached SignedData (ISO 32000-2 table 255).
  private static let formats = ["ETSI.CAdES.detached", "adbe.pkcs7.detached"]

  private func judge(
    _ signature: EmbeddedSignature, in source: ByteSource
  ) throws(CMSError) -> SignatureReport {
    let coverage = Self.coverage(of: signature, in: source)
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
    return try signers.judge(signer, of: data, coverage: coverage) {
      (algorithm) throws(CMSError) in
      guard case .success(let coverage) = signature.coverage else { return nil }
      return try source.hash(of: coverage.ranges, algorithm)
    }
  }

  private static func coverage(
    of signature: EmbeddedSignature, in source: ByteSource
  ) -> SignerJudge.Coverage {
    let mayHaveTime = signature.format != "ETSI.CAdES.detached"
    switch signature.coverage {
    case .success(let coverage):
      return SignerJudge.Coverage(
        verdict: .proved, signedLength: coverage.end, laterBytes: source.count - coverage.end,
        claimedTime: signature.claimedTime, mayHaveTime: mayHaveTime)
    case .failure(let fault):
      return SignerJudge.Coverage(
        verdict: .false(.coverage(fault)), signedLength: nil, laterBytes: 0,
        claimedTime: signature.claimedTime, mayHaveTime: mayHaveTime)
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
      ], signedLength: coverage.signedLength, laterBytes: coverage.laterBytes)
  }
}
