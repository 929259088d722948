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
    case .timeStamp(let token):
      do throws(CMSError) { return try judge(TimeStampToken(token), of: content) } catch {
        throw .cms(error)
      }
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
        guard case .cms(let inner)? = try Self.inner(source, ranges), depth < Self.deepest else {
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
        return try judge(
          TimeStampToken(source.bytes(0..<min(source.count, 1 << 20))), of: detached)
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
        inner: inner.map { innerReport($0, depth: depth + 1) } ?? [])
    } catch {
      switch error {
      case .otherType(let type) where type == CMSObject.dotted(CMSObject.timeStampedData):
        throw .unsupported(.timeStampedData)
      default: throw .cms(error)
      }
    }
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
  private static func inner(
    _ source: ByteSource, _ ranges: [Range<Int>]
  ) throws(CMSError) -> InputForm? {
    let length = ranges.reduce(0) { $0 + $1.count }
    guard let first = ranges.first(where: { !$0.isEmpty }) else { return nil }
    let head = try source.bytes(first.prefix(32))
    let isBinary = InputForm.isSignedData(head)
    let isText = ["MI", "-----BEGIN "].contains { head.starts(with: $0.utf8) }
    guard isBinary || isText || head.starts(with: "%PDF-".utf8),
      isBinary || length <= InputForm.largestText
    else { return nil }
    let whole: ByteSource
    if ranges.count == 1 {
      whole = source.slice(first)
    } else {
      guard length <= InputForm.largestText else { return nil }
      var all: [UInt8] = []
      try source.forEachBlock(of: ranges) { (block) throws(CMSError) in all += block }
      whole = ByteSource(all)
    }
    guard isText else { return isBinary ? .cms(whole) : .pdf(whole) }
    guard case .cms(let decoded)? = try? InputForm(whole),
      InputForm.isSignedData(try decoded.bytes(0..<min(32, decoded.count)))
    else { return nil }
    return .cms(decoded)
  }
}

extension DocumentJudge {
  /// A time stamp by itself.
  ///
  /// - Parameter content: the stamped file; nil if it is not known.
  private func judge(
    _ token: TimeStampToken, of content: ByteSource?
  ) throws(CMSError) -> DocumentReport {
    let judge = TimeStampJudge(trust: signers.authorities, at: signers.time)
    let report = try judge.report(token) { (algorithm) throws(CMSError) in
      try content.map { (file) throws(CMSError) in try file.hash(of: [0..<file.count], algorithm) }
    }
    return DocumentReport(form: .timeStamp, signatures: [report], inner: [])
  }
}
