import CIECard
import DocumentSigning
import Foundation
import Primitives
import TestSupport
import Testing

/// Conditions under which a report calls a signature proved, with signatures that OpenSSL made and the module would not make.
@Suite struct ReportTests {
  private static let ca = ["basicConstraints=critical,CA:TRUE", "keyUsage=keyCertSign"]

  /// A signature by `openssl cms`, judged with its issuer.
  private func judged(
    _ content: [UInt8] = Signed.text, key: [UInt8]? = nil, issuerKey: [UInt8]? = nil,
    _ extensions: [String] = ["keyUsage=critical,digitalSignature"], _ options: [String] = [],
    at time: UTCTime? = nil
  ) throws -> SignatureReport {
    let ca = try OpenSSL.certificate(
      "/CN=Issuer", key: issuerKey ?? OpenSSL.key(of: "report issuer"), Self.ca)
    let own = try OpenSSL.certificate(
      "/CN=Signer", key: key ?? OpenSSL.key(of: "report signer"), extensions, by: ca)
    let file = try OpenSSL.run(
      [
        "cms", "-sign", "-binary", "-nodetach", "-outform", "DER", "-cades", "-signer",
        "/dev/fd/3", "-inkey", "/dev/fd/4",
      ] + options, input: content, descriptors: [3: own, 4: own])
    let trust = try TrustStore([
      Certificate(der: OpenSSL.run(["x509", "-outform", "DER"], input: ca))
    ])
    return try DocumentJudge(trust: trust, at: time ?? .now).judge(ByteSource(file)).signatures[0]
  }

  private func key(_ options: String...) throws -> [UInt8] {
    try OpenSSL.run(["genpkey"] + options)
  }

  private func bits(_ bits: Int) throws -> [UInt8] {
    try key("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)")
  }

  @Test func ordinary() throws { #expect(try judged().outcome == .proved) }

  /// Keys that can be computed, anywhere on the path.
  @Test func weakKeys() throws {
    let curve = try key("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime192v1")
    for report in [
      try judged(key: bits(1024)), try judged(key: bits(1536)),
      try judged(issuerKey: bits(1024)), try judged(key: curve),
    ] {
      guard case .couldNotCheck(.weakKey)? = report[.chain] else {
        Issue.record("\(report[.chain].debugDescription)")
        continue
      }
      #expect(report.outcome == .couldNotCheck)
    }
  }

  /// A key that is certified for time stamps or OCSP alone signs no documents.
  @Test(arguments: ["timeStamping", "OCSPSigning", "OCSPSigning,timeStamping"])
  func purposes(purpose: String) throws {
    let usage = "keyUsage=critical,digitalSignature"
    #expect(
      try judged([usage, "extendedKeyUsage=\(purpose)"])[.chain]
        == .couldNotCheck(.notASigner))
    #expect(
      try judged([usage, "extendedKeyUsage=\(purpose),emailProtection"]).outcome == .proved)
  }

  private func judged(_ extensions: [String]) throws -> SignatureReport {
    try judged(Signed.text, extensions)
  }

  /// Times at which a signature is impossible.
  @Test func impossibleTimes() throws {
    let early = try judged(at: UTCTime(seconds: UTCTime.now.seconds - 86_400))
    #expect(early[.statedTime] == .couldNotCheck(.claimsFuture))
    #expect(early.outcome == .couldNotCheck)
  }

  @Test(arguments: [
    ["rsa_pss_saltlen:20"], ["rsa_pss_saltlen:max"], ["rsa_pss_saltlen:0"],
    ["rsa_pss_saltlen:32", "rsa_mgf1_md:sha512"],
  ])
  func pss(options: [String]) throws {
    let keys = (["rsa_padding_mode:pss"] + options).flatMap { ["-keyopt", $0] }
    for digest in ["sha256", "sha384", "sha512"] {
      let report = try judged(
        Signed.text, ["keyUsage=digitalSignature"], ["-md", digest] + keys)
      #expect(report.outcome == .proved, "\(digest) \(report.points)")
    }
  }

  /// Without signed attributes the contents themselves are signed, if they cannot be attributes.
  @Test func withoutAttributes() throws {
    let ca = try OpenSSL.certificate("/CN=Issuer", key: OpenSSL.key(of: "report issuer"), Self.ca)
    for (content, isSet) in [
      (Signed.text, false), ([0x31, 0x03, 0x02, 0x01, 0x01], true),
      ([UInt8]("1. Sale".utf8), false),
    ] {
      let file = try OpenSSL.run(
        [
          "cms", "-sign", "-binary", "-nodetach", "-noattr", "-outform", "DER", "-signer",
          "/dev/fd/3", "-inkey", "/dev/fd/4",
        ], input: content, descriptors: [3: ca, 4: ca])
      let report = try Signed.judge(file)
      let signature = try #require(report.signatures.first)
      #expect(
        signature[.attributes] == (isSet ? .false(.noSignedAttributes) : .proved)
          && (signature[.contents] == .proved) == !isSet)
      guard !isSet else { continue }
      var forged = file
      let place = try #require(file.indices.first { file[$0...].starts(with: content) })
      forged[place + 3] ^= 1
      #expect(try Signed.judge(forged).outcome == .false)
    }
  }

  /// Contents inside are compared with the file that is given for them, at any depth.
  @Test func givenContents() throws {
    let file = try Signed.cms(isAttached: true)
    #expect(try Signed.judge(file, content: Signed.text).outcome == .proved)
    let other = try Signed.judge(file, content: [1])
    #expect(other.signatures.first?[.contents] == .false(.otherContents))
    let nested = try Signed.cms(file, isAttached: true, by: .anna)
    #expect(try Signed.judge(nested, content: Signed.text).outcome == .proved)
    #expect(try Signed.judge(nested, content: [1]).outcome == .false)
  }

  private struct Files: Decodable {
    let authority: String
    let cases: [File]
    struct File: Decodable {
      let name: String
      let file: Data
      let outcome: String
    }
  }

  @Test func filesOfOthers() throws {
    let files = try Vectors.decode("signed-by-others", as: Files.self)
    let der = try OpenSSL.run(["x509", "-outform", "DER"], input: [UInt8](files.authority.utf8))
    let judge = DocumentJudge(trust: try TrustStore([Certificate(der: der)]))
    let outcomes: [String: DocumentReport.Outcome] = [
      "only-time-stamps": .onlyTimeStamps, "false": .false, "proved": .proved,
    ]
    #expect(files.cases.count == 3)
    for each in files.cases {
      let report = try judge.judge(ByteSource([UInt8](each.file)))
      #expect(report.outcome == outcomes[each.outcome], "\(each.name)")
    }
  }
}
