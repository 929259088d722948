internal import CIECard
internal import Primitives
internal import TestSupport
internal import VirtualCIE
@testable import DocumentSigning

/// Signed files that strangers send.
extension FuzzTarget {
  static let signedFiles = [signedCMS, signedPDF]

  private static func samples(_ names: String...) throws -> [[UInt8]] {
    try names.map { name in
      try Repository.read(Repository.path("Tests/CIEReadTests/SignedFiles/\(name)"))
    }
  }

  /// A judge who trusts the issuers of the samples.
  private static let trusting: DocumentJudge? = {
    guard let pem = try? samples("issuers.pem").first else { return nil }
    let blocks = String(decoding: pem, as: UTF8.self).split(separator: "-----")
      .compactMap { Base64.decode([UInt8]($0.utf8.filter { $0 > 0x20 })) }
    let issuers = blocks.compactMap { try? Certificate(der: $0) }
    return (try? TrustStore(issuers)).map { DocumentJudge(trust: $0) }
  }()

  private static let letter = try? samples("letter.txt").first
  private static let signedPDFs = (try? samples("signed.pdf", "signed-twice.pdf")) ?? []

  private static let authority = TrustStore(der: Persona.gemalto.csca).map { trust in
    TimeStampAuthority(trust: trust)
  }

  /// Takes the steps to a higher level with authorities that are not there.
  private static func stamp(_ source: ByteSource) {
    guard let authority,
      var steps = try? SignatureExtension(
        .lta, stampedBy: authority, evidence: RevocationService()
      ).steps(for: source)
    else { return }
    while let step = try? steps.next() {
      if case .ask = step { steps.authorities.fail() }
    }
  }

  /// The contents of an attached signature; empty for others.
  private static func contents(
    of source: ByteSource, _ judge: DocumentJudge
  ) throws(DocumentError) -> [UInt8] {
    guard var blocks = try judge.contents(of: source) else { return [] }
    var contents: [UInt8] = []
    while let block = try blocks.next() { contents += block }
    return contents
  }

  private static let signedCMS = FuzzTarget("signed-cms") {
    try samples("letter.txt.p7m", "letter.txt.p7s", "nested.p7m.p7m")
  } play: { probe in
    let source = ByteSource(probe.bytes)
    let report = try DocumentJudge(trust: nil).judge(source, content: ByteSource([0x41]))
    probe.require(report.outcome != .proved, "nothing is proved without a trusted issuer")
    if let trusting, (try? trusting.judge(source))?.outcome == .proved {
      probe.require(
        try contents(of: source, trusting) == letter, "proved are the signed contents alone")
    }
    let length = try contents(of: source, DocumentJudge(trust: nil)).count
    probe.require(length <= probe.bytes.count, "contents are a part of the file")
    let document = try? UnsignedDocument(
      source, as: .further(contents: ByteSource([0x41])))
    if let document, let certificate = try? Certificate(der: Persona.gemalto.certificate) {
      _ = try? document.prepared(for: certificate)
    }
    stamp(source)
  }

  private static let signedPDF = FuzzTarget("signed-pdf") {
    try samples("signed.pdf", "drawn-later.pdf", "unsigned.pdf").filter { $0.count < 60_000 }
  } play: { probe in
    let source = ByteSource(probe.bytes)
    var particulars = PDFParticulars()
    particulars.mark = VisibleMark()
    if let document = try? UnsignedDocument(source, as: .pdf(particulars)),
      let certificate = try? Certificate(der: Persona.gemalto.certificate)
    {
      _ = try? document.prepared(for: certificate)
    }
    stamp(source)
    let report = try DocumentJudge(trust: nil).judge(source)
    probe.require(report.outcome != .proved, "nothing is proved without a trusted issuer")
    let isProved = (try? trusting?.judge(source))?.outcome == .proved
    probe.require(
      !isProved || signedPDFs.contains(probe.bytes), "a changed file is not proved")
  }
}
