import Foundation
import TestSupport
import Testing

@testable import CIECard

/// Oddities of documents that prove nothing against them, and names of what is not supported.
@Suite struct RemarkTests {
  let documents: IASDocuments

  init() throws { documents = try IASDocuments.load() }

  /// The place of the version of SignedData: behind the object identifier of the type and two tags.
  private func placeOfVersion(_ file: [UInt8]) throws -> Int {
    let type: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    let start = try #require(file.indices.first { file.dropFirst($0).starts(with: type) })
    let rest = file.indices.dropFirst(start + type.count)
    return try #require(rest.first { file.dropFirst($0).starts(with: [0x02, 0x01, 0x03]) }) + 2
  }

  /// No signature covers it.
  @Test(arguments: [UInt8(0), 1, 2, 4, 5])
  func `another version of the structure is a remark`(_ version: UInt8) throws {
    let vector = try #require(documents.cases.first { $0.expect.outcome == "proved" })
    var file = vector.securityObject.bytes
    file[try placeOfVersion(file)] = version
    var evidence = try documents.evidence(vector)
    evidence.securityObject = file
    let report = AuthenticityReport(judging: evidence, trust: try vector.store, at: documents.at)
    let point = try #require(report.points.first { $0.kind == .signature })
    #expect(point.verdict == .proved && point.remark == .oddVersion)
    #expect(report.outcome == .proved)
    #expect(point.reason?.name == "odd-version")
  }

  @Test func `a version that fits is none`() throws {
    for vector in documents.cases where vector.expect.outcome == "proved" {
      let report = AuthenticityReport(
        judging: try documents.evidence(vector), trust: try vector.store, at: documents.at)
      #expect(!report.points.contains { $0.remark == .oddVersion }, "\(vector.name)")
    }
  }

  /// A certificate by itself, of OpenSSL.
  private func certificate(_ usage: String) throws -> Certificate {
    let folder = try TemporaryDirectory()
    var arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
      "/C=IT/CN=Signer", "-keyout", folder.path("key"), "-out", folder.path("cert"), "-outform",
      "DER", "-days", "3650",
    ]
    if !usage.isEmpty { arguments += ["-addext", "keyUsage=\(usage)"] }
    let result = try BuiltBinary(path: "/usr/bin/openssl").run(arguments)
    #expect(result.exitStatus == 0, "\(result.errors)")
    return try Certificate(der: try folder.read("cert"))
  }

  @Test(arguments: [
    ("critical,digitalSignature", true), ("digitalSignature", false), ("", false),
    ("critical,digitalSignature,nonRepudiation", false), ("critical,keyCertSign", false),
    ("critical,digitalSignature,keyEncipherment", false),
  ])
  func `another key usage is a remark`(_ usage: String, _ isUsual: Bool) throws {
    let signer = try certificate(usage)
    #expect(signer.remark(on: nil) == (isUsual ? nil : .oddKeyUsage))
  }

  @Test func `a signer that outlives its issuer is a remark`() throws {
    let signer = try certificate("critical,digitalSignature")
    #expect(signer.remark(on: .path([signer, signer])) == nil)
    for vector in documents.cases.prefix(3) {
      let anchor = try #require(try vector.store.certificates.first)
      let isInside = anchor.notBefore <= signer.notBefore && signer.notAfter <= anchor.notAfter
      #expect(signer.remark(on: .path([signer, anchor])) == (isInside ? nil : .oddDates))
    }
  }

  @Test(arguments: [14, 29, 36, 44, 59])
  func `wrong check digits of a signed zone are a remark`(_ place: Int) throws {
    let lines =
      "I<UTOD231458907<<<<<<<<<<<<<<<7408122F1204159UTO<<<<<<<<<<<6ERIKSSON<<ANNA<MARIA<<<<<<<<<<"
    var zone = [UInt8](lines.utf8)
    func file(_ zone: [UInt8]) -> [UInt8] {
      [0x61, UInt8(zone.count + 3), 0x5F, 0x1F, UInt8(zone.count)] + zone
    }
    #expect(AuthenticityReport.remark(on: .dg1, file(zone)) == nil)
    // Of number, birth, expiry and all; and a letter that the last one covers.
    zone[place] = zone[place] == 0x35 ? 0x36 : 0x35
    #expect(AuthenticityReport.remark(on: .dg1, file(zone)) == .checkDigits)
    let kind = AuthenticityReport.Kind.dataGroup(.dg1)
    let proved = AuthenticityReport.Point(kind: kind, verdict: .proved, remark: .checkDigits)
    #expect(proved.reason?.name == "check-digits")
    let open = AuthenticityReport.Point(
      kind: kind, verdict: .couldNotCheck(.notRead), remark: .checkDigits)
    #expect(open.reason?.name == "not-read")
  }

  @Test func `algorithms are named`() throws {
    let named = [
      ("0.4.0.127.0.7.1.1.4.1.3", "ecdsa-plain-SHA256"),
      ("0.4.0.127.0.7.1.1.4.1.1", "ecdsa-plain-SHA1"),
      ("0.4.0.127.0.7.1.1.4.1.5", "ecdsa-plain-SHA512"), ("1.3.101.112", "Ed25519"),
    ]
    for (identifier, name) in named {
      let verdict = AuthenticityReport.Verdict.couldNotCheck(.unsupportedAlgorithm(identifier))
      let text = try #require(verdict.reason?.text.arguments["identifier"] as? String)
      #expect(text.contains(name) && text.contains(identifier))
    }
    let pss = try documents.report("sha1-pss")[.signature]
    #expect(pss == .couldNotCheck(.weakScheme("RSASSA-PSS")))
    #expect(pss?.reason?.name == "weak-algorithm")
    #expect(pss?.reason?.text.arguments["scheme"] as? String == "RSASSA-PSS: ")
    #expect(SignatureAlgorithm.ecdsa(.sha1).oddNameWithSHA1 == "ECDSA")
    #expect(SignatureAlgorithm.pss(.sha256, mask: .sha1).oddNameWithSHA1 == "RSASSA-PSS")
    #expect(SignatureAlgorithm.ecdsa(.sha256).oddNameWithSHA1 == nil)
    #expect(SignatureAlgorithm.pkcs1(.sha1).oddNameWithSHA1 == nil)
  }
}
