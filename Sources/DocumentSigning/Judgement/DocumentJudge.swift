public import CIECard
internal import Primitives

/// Judges signed files: CMS in any of its forms, and PDF.
///
/// Nothing is trusted but the given certificates and services. Revocation is judged by the evidence in the document, or by that of the
/// issuers' services if these are given. Bytes that came later in a PDF are further signatures or not;
/// `signedRevision` returns the signed ones.
public struct DocumentJudge: Sendable {
  var signers: SignerJudge

  /// - Parameters:
  ///   - trust: certificates of issuers that are trusted; nil without any.
  ///   - authorities: certificates of time stamp authorities or of their issuers; nil to judge no time stamp.
  ///   - services: those of trusted lists, which are trusted beside these certificates at the times at which they were granted; nil
  ///     without.
  ///   - time: the time of judging.
  ///   - earliest: if that is the time of a clock, a time that the present cannot precede.
  public init(
    trust: TrustStore?, authorities: TrustStore? = nil, services: TrustedServices? = nil,
    at time: UTCTime = .now, notBefore earliest: UTCTime? = nil
  ) {
    signers = SignerJudge(
      trust: trust?.certificates, time: time, earliest: earliest,
      authorities: authorities?.certificates,
      services: services.map { ServiceJudge(services: $0, present: time) })
  }

  /// Judges a file, whose form is found by its contents.
  ///
  /// - Parameters:
  ///   - source: the file, of any form.
  ///   - content: the file to which a detached signature belongs; nil if it is not known.
  ///   - password: of an encrypted PDF, the user's or the owner's; empty without one.
  public func judge(
    _ source: ByteSource, content: ByteSource? = nil, password: [UInt8] = []
  ) throws(DocumentError) -> DocumentReport {
    try judged(source, content, password).report
  }

  /// The same, with authorities that are asked for issuers and revocations that the document lacks.
  public func inquiry(
    about source: ByteSource, content: ByteSource? = nil, password: [UInt8] = [],
    asking service: RevocationService
  ) throws(DocumentError) -> DocumentInquiry {
    DocumentInquiry(try judged(source, content, password), asking: service)
  }

  private func judged(
    _ source: ByteSource, _ content: ByteSource?, _ password: [UInt8]
  ) throws(DocumentError) -> JudgedDocument {
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
  ) throws(DocumentError) -> JudgedDocument {
    guard depth <= Self.deepest else { throw .tooDeep(limit: Self.deepest) }
    let data: SignedData
    do throws(DocumentError) { data = try SignedData(source, mayGoOn: true) } catch {
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
    var signatures = try data.signers.map { (signer) throws(DocumentError) in
      try signers.judge(signer, of: data, mayBeBare: isBare, hashing: hashing)
    }
    let inner = try data.content.flatMap { (ranges) throws(DocumentError) in
      try Self.inner(source, ranges)
    }
    if data.content != nil, let detached, try !Self.holds(detached, in: source) {
      for index in signatures.indices { signatures[index].report.deny(.contents, .otherContents) }
    }
    return JudgedDocument(
      form: data.content == nil ? .detached : .attached, signatures: signatures,
      inner: inner.map { innerFile($0, depth: depth + 1) } ?? [],
      outside: outside + (data.bytesBehind > 0 ? [.bytes] : []),
      contentHash: hashes.first.map { ContentHash(algorithm: $0.key, value: $0.value) })
  }

  /// True if the contents are those of a file, at any depth of signed files inside each other.
  private static func holds(
    _ file: ByteSource, in source: ByteSource
  ) throws(DocumentError) -> Bool {
    let hash = try file.hash(.sha256)
    var source = source
    for _ in 0...deepest {
      guard let ranges = try SignedData(source, mayGoOn: true).content else { return false }
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
      length = ranges.length
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
  private func innerFile(_ form: InputForm, depth: Int) -> [JudgedDocument] {
    switch form {
    case .cms(let inner): return (try? judgeCMS(inner, nil, depth: depth)).map { [$0] } ?? []
    case .pdf(let inner):
      let judged = try? judgePDF(inner, [])
      return judged.map { $0.signatures.isEmpty ? [] : [$0] } ?? []
    case .timeStamp: return []
    }
  }

  /// The contents as a signed file, if they begin like a SignedData, its text form or a PDF.
  static func inner(
    _ source: ByteSource, _ ranges: [Range<Int>]
  ) throws(DocumentError) -> InputForm? {
    let length = ranges.length
    guard let first = ranges.first(where: { !$0.isEmpty }) else { return nil }
    let head = try source.bytes(first.prefix(32))
    let isBinary = InputForm.isSignedData(head)
    let isText = ["MI", "-----BEGIN "].contains { head.starts(with: $0.utf8) }
    guard isBinary || isText || head.starts(with: "%PDF-".utf8),
      length <= InputForm.largestText || isBinary && ranges.count == 1
    else { return nil }
    var whole = source.slice(first)
    if ranges.count > 1 { whole = ByteSource(try source.bytes(of: ranges)) }
    guard isText else { return isBinary ? .cms(whole) : .pdf(whole) }
    guard case .cms(let decoded)? = try? InputForm(whole),
      InputForm.isSignedData(try decoded.bytes(0..<min(32, decoded.count)))
    else { return nil }
    return .cms(decoded)
  }

  private func judge(
    _ token: TimeStampToken, of content: ByteSource?
  ) throws(DocumentError) -> JudgedDocument {
    let judge = TimeStampJudge(
      trust: signers.authorities, services: signers.services, at: signers.time,
      notBefore: signers.earliest)
    let report = try judge.report(token, isBeside: false) { (algorithm) throws(DocumentError) in
      try content?.hash(algorithm)
    }
    return JudgedDocument(
      form: .timeStamp, signatures: [JudgedSignature(report: report, question: nil)], inner: [])
  }
}
