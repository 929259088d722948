import CIECard
import Foundation
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning
@testable import cie_lab

/// A qualified signature from its trusted list to the end of `check`: lists on a server of this machine, `trust update`, and files that
/// others' programs and ours signed.
@Suite final class QualifiedCheckTests {
  private let folder: TemporaryDirectory
  private let server: BackgroundProcess
  private var lists: MadeTrustedLists

  init() throws {
    folder = try TemporaryDirectory()
    server = try BackgroundProcess(
      "/usr/bin/python3",
      ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder.path(".")])
    let line = try #require(server.firstLine())
    let port = try #require(line.split(separator: " ").lazy.compactMap { Int($0) }.first)
    lists = try MadeTrustedLists(keysIn: URL(fileURLWithPath: folder.path("keys")))
    lists.base = "http://127.0.0.1:\(port)"
    lists.issued = UTCTime(seconds: UTCTime.now.seconds - 86400)
    lists.nextUpdate = UTCTime(seconds: UTCTime.now.seconds + 86400)
    try folder.write("signers.pem", [UInt8](lists.oldSigner.certificatePEM.utf8))
    try publish(lists.italy)
  }

  /// Writes the lists, with this one of Italy.
  private func publish(_ italy: MadeList) throws {
    var documents = try lists.documents()
    documents["it.xml"] = try MadeSignature().signed(italy, by: lists.italian)
    for (name, document) in documents {
      try folder.write(name, document)
      // The server compares whole seconds.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: Double(lists.number))],
        ofItemAtPath: folder.path(name))
    }
  }

  private var environment: [String: String] { ["XDG_DATA_HOME": folder.path("data")] }

  private func update() throws -> [String] {
    let (object, result) = try Program.json(
      [
        "trust", "update", "--from", lists.listOfListsAddress, "--signers",
        folder.path("signers.pem"),
      ], environment: environment)
    #expect(result.exitStatus == 0, "\(result.output)")
    return try #require(object["lists"] as? [[String: Any]]).compactMap { $0["change"] as? String }
  }

  /// A certificate with the statements of a qualified one whose key is in a device (EN 319 412-5), for signatures.
  private func makeSigner() throws -> Certificate {
    let statements =
      "30:29:30:08:06:06:04:00:8E:46:01:01:30:08:06:06:04:00:8E:46:01:04"
      + ":30:13:06:06:04:00:8E:46:01:06:30:09:06:07:04:00:8E:46:01:06:01"
    let lines = [
      "[req]", "distinguished_name=dn", "x509_extensions=v3", "[dn]", "[v3]",
      "keyUsage=critical,nonRepudiation", "authorityKeyIdentifier=keyid",
      "1.3.6.1.5.5.7.1.3=DER:" + statements, "",
    ]
    try folder.write("signer.cnf", [UInt8](lines.joined(separator: "\n").utf8))
    try openssl(["genpkey", "-algorithm", "RSA", "-out", folder.path("signer.key")])
    try openssl([
      "req", "-x509", "-days", "365", "-config", folder.path("signer.cnf"), "-key",
      folder.path("signer.key"), "-subj", "/C=IT/CN=Anna Prova", "-CA",
      folder.path("keys/issuer.pem"), "-CAkey", folder.path("keys/issuer.key"), "-out",
      folder.path("signer.pem"),
    ])
    return try Certificate(
      der: openssl(["x509", "-in", folder.path("signer.pem"), "-outform", "DER"]))
  }

  @discardableResult
  private func openssl(_ words: [String], _ input: [UInt8] = []) throws -> [UInt8] {
    let result = try BuiltBinary(path: "/usr/bin/openssl").run(words, input: input)
    try #require(result.exitStatus == 0, "\(result.errors)")
    return result.standardOutput
  }

  /// A letter that OpenSSL signs (CAdES), and a PDF that the library signs, with the same key.
  private func signFiles() throws -> [String] {
    let certificate = try makeSigner()
    try folder.write("letter.txt", [UInt8]("Caro ufficio\n".utf8))
    try openssl([
      "cms", "-sign", "-cades", "-md", "sha256", "-binary", "-nodetach", "-nosmimecap", "-outform",
      "DER", "-signer", folder.path("signer.pem"), "-inkey", folder.path("signer.key"), "-in",
      folder.path("letter.txt"), "-out", folder.path("letter.txt.p7m"),
    ])
    let pdf = try Repository.read("Tests/CIEReadTests/SignedFiles/unsigned.pdf")
    let prepared = try UnsignedDocument(ByteSource(pdf), as: .pdf(PDFParticulars()))
      .prepared(for: certificate, at: .now)
    var steps = try prepared.finish(
      signature: openssl(
        [
          "pkeyutl", "-sign", "-inkey", folder.path("signer.key"), "-pkeyopt", "digest:sha256",
        ], prepared.digest.bytes))
    var signed: [UInt8] = []
    while case .write(let block)? = try steps.next() { signed += block }
    try folder.write("signed.pdf", signed)
    return [folder.path("letter.txt.p7m"), folder.path("signed.pdf")]
  }

  private func check(
    _ file: String
  ) throws -> (signature: [String: Any], error: [String: Any]?, status: Int32?) {
    let (object, result) = try Program.json(["check", file], environment: environment)
    let judged = try #require((object["files"] as? [[String: Any]])?.first)
    let signatures = try #require(judged["signatures"] as? [[String: Any]])
    #expect(signatures.count == 1)
    return (
      try #require(signatures.first), object["error"] as? [String: Any], result.exitStatus
    )
  }

  private func reason(_ signature: [String: Any]) -> String? {
    (signature["points"] as? [[String: Any]])?.first { $0["point"] as? String == "chain" }?[
      "reason"]
      as? String
  }

  @Test func `qualified while the issuer was granted, and not once it was withdrawn`() throws {
    let files = try signFiles()
    // Without lists the way to them is named.
    for file in files {
      let (signature, error, status) = try check(file)
      #expect(status == 13 && signature["qualified"] is NSNull)
      #expect(reason(signature) == "no-trusted-issuers")
      #expect((error?["do"] as? String)?.hasPrefix("cie-read trust update") == true)
    }

    #expect(try update() == ["new", "new"])
    for file in files {
      let (signature, _, status) = try check(file)
      #expect(status == 0 && signature["outcome"] as? String == "proved")
      #expect(signature["qualified"] as? Bool == true)
      #expect(signature["qualification"] as? String == "QESig")
      let service = try #require(signature["trustedBy"] as? [String: Any])
      #expect(service["provider"] as? String == "Prestatore Inventato")
      #expect(service["service"] as? String == "Firme qualificate")
      #expect(service["national"] as? Bool == false && service["old"] as? Bool == false)
      #expect(signature["listOf"] as? String == "IT")
    }

    // A newer list, in which the service had been withdrawn before the signature.
    lists.number += 1
    var italy = lists.italy
    var withdrawn = italy.services[0].periods[0]
    (withdrawn.status, withdrawn.start) = ("withdrawn", "2020-01-01T00:00:00Z")
    italy.services[0].periods.insert(withdrawn, at: 0)
    try publish(italy)
    #expect(try update() == ["new", "new"])
    for file in files {
      let (signature, _, status) = try check(file)
      #expect(status == 13 && signature["outcome"] as? String == "could-not-check")
      #expect(signature["qualified"] is NSNull && signature["trustedBy"] is NSNull)
      #expect(reason(signature) == "service-not-granted")
    }

    // And one without it.
    lists.number += 1
    italy = lists.italy
    italy.services.removeFirst()
    try publish(italy)
    #expect(try update() == ["new", "new"])
    for file in files {
      let (signature, error, status) = try check(file)
      #expect(status == 13 && reason(signature) == "issuer-not-trusted")
      let advice = error?["do"] as? String
      #expect(advice?.contains("(IT)") == true, "\(advice ?? "")")
    }
  }
}
