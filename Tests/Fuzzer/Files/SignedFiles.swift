internal import CIECard
internal import TestSupport
internal import VirtualCIE
@testable import DocumentSigning

/// Signed files that strangers send, and what a time stamp authority answers.
extension FuzzTarget {
  static let signedFiles = [signedCMS, signedPDF, timeStamp, certificateStatus]

  private static func samples(_ names: String...) throws -> [[UInt8]] {
    try names.map { name in
      try Repository.read(Repository.path("Tests/CIEReadTests/SignedFiles/\(name)"))
    }
  }

  /// An authority that is not there.
  private static let noAuthority = TrustStore(der: Persona.gemalto.csca).map { trust in
    TimeStampAuthority(trust: trust) { (_) throws(TimeStampError) in throw .unreachable }
  }

  private static func stamp(_ source: ByteSource) {
    guard let noAuthority else { return }
    let evidence = RevocationService { (_) throws(RevocationError) in throw .unreachable }
    try? SignatureExtension(.lta, stampedBy: noAuthority, evidence: evidence).write(source) {
      (_) throws(CMSError) in
    }
  }

  private static let signedCMS = FuzzTarget("signed-cms") {
    try samples("letter.txt.p7m", "letter.txt.p7s", "nested.p7m.p7m")
  } play: { probe in
    let source = ByteSource(probe.bytes)
    let report = try DocumentJudge(trust: nil).judge(source, content: ByteSource([0x41]))
    probe.require(report.outcome != .proved, "nothing is proved without a trusted issuer")
    var length = 0
    _ = try DocumentJudge(trust: nil).contents(of: source) { (block) throws(CMSError) in
      length += block.count
    }
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
    var particulars = PreparedPDF.Particulars()
    particulars.mark = VisibleMark()
    if let document = try? UnsignedDocument(source, as: .pdf(particulars)),
      let certificate = try? Certificate(der: Persona.gemalto.certificate)
    {
      _ = try? document.prepared(for: certificate)
    }
    stamp(source)
    let report = try DocumentJudge(trust: nil).judge(source)
    probe.require(report.outcome != .proved, "nothing is proved without a trusted issuer")
  }

  private static let timeStamp = FuzzTarget("time-stamp") {
    []
  } play: { probe in
    let response = try TimeStampResponse(probe.bytes)
    guard case .granted(let encoded) = response else { throw Unfit() }
    let token = try TimeStampToken(encoded)
    let verdict = TimeStampJudge(trust: [], at: token.time).verdict(encoded, of: [1]).verdict
    probe.require(verdict != .proved, "nothing is proved without a trusted authority")
  }

  /// A CRL behind an even byte, an OCSP response behind an odd one.
  private static let certificateStatus = FuzzTarget("certificate-status") {
    []
  } play: { probe in
    let answer = [UInt8](probe.bytes.dropFirst())
    let certificate = try Certificate(der: Persona.gemalto.certificate)
    let issuer = try Certificate(der: Persona.gemalto.certificateIssuer)
    let status =
      probe.bytes.first.map { $0 % 2 == 0 } == true
      ? CertificateStatus(of: certificate, issuer: issuer, list: answer)
      : CertificateStatus(of: certificate, issuer: issuer, response: answer)
    probe.require(status == nil, "no status without the issuer's signature")
  }
}
