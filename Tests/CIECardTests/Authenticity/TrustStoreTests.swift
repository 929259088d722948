@testable import CIECard
import Foundation
import TestSupport
import Testing

/// Reading trust anchors from files and folders.
@Suite struct TrustStoreTests {
  let root: Certificate
  let other: Certificate

  init() throws {
    let documents = try IASDocuments.load()
    root = try Certificate(der: try documents.named("first-generation").trust[0].bytes)
    other = try Certificate(der: try documents.named("other-csca").trust[0].bytes)
  }

  @Test func emptyStoreIsAnError() {
    #expect(throws: TrustStore.LoadingError.empty) { try TrustStore([]) }
  }

  @Test func sameCertificateIsKeptOnce() throws {
    #expect(try TrustStore([root, other, root]).certificates == [root, other])
  }

  @Test func readsOneFileInDER() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("csca.bin", root.der)
    #expect(try TrustStore(path: path).certificates == [root])
  }

  @Test func readsSeveralFromPEM() throws {
    let folder = try TemporaryDirectory()
    let text = "A remark.\n\(root.pem)\nAnother one.\n\(other.pem)"
    let path = try folder.write("csca.txt", text.utf8)
    #expect(try TrustStore(path: path).certificates == [root, other])
  }

  @Test func readsAFolderInTheOrderOfNames() throws {
    let folder = try TemporaryDirectory()
    try folder.write("b.CER", root.der)
    try folder.write("a.pem", other.pem.utf8)
    try folder.write("notes.txt", "not a certificate".utf8)
    try folder.write(".hidden.pem", "not a certificate".utf8)
    #expect(try TrustStore(path: folder.url.path).certificates == [other, root])
  }

  @Test func folderWithoutCertificatesIsEmpty() throws {
    let folder = try TemporaryDirectory()
    try folder.write("notes.txt", root.pem.utf8)
    #expect(throws: TrustStore.LoadingError.empty) { try TrustStore(path: folder.url.path) }
  }

  @Test func badFileInAFolderIsNamed() throws {
    let folder = try TemporaryDirectory()
    try folder.write("a.pem", root.pem.utf8)
    let bad = try folder.write("b.der", root.der.dropLast())
    let error = #expect(throws: TrustStore.LoadingError.self) {
      try TrustStore(path: folder.url.path)
    }
    guard case .notACertificate(let path, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(path == bad && !reason.isEmpty)
  }

  @Test(arguments: [
    "", "no certificate at all", "-----BEGIN CERTIFICATE-----\n",
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n",
    "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
  ])
  func textWithoutCertificatesIsRefused(text: String) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("csca.pem", text.utf8)
    let error = #expect(throws: TrustStore.LoadingError.self) { try TrustStore(path: path) }
    guard case .notACertificate(path, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func trailingBytesAfterDERAreRefused() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("csca.der", root.der + [0, 0])
    #expect(
      throws: TrustStore.LoadingError.notACertificate(
        path: path, reason: "2 bytes after the certificate")
    ) { try TrustStore(path: path) }
  }

  /// A passphrase must never be asked for, because the test would hang on a terminal.
  @Test func encryptedBlockIsRefusedWithoutAsking() throws {
    let folder = try TemporaryDirectory()
    let header = "Proc-Type: 4,ENCRYPTED\nDEK-Info: DES-EDE3-CBC,0011223344556677\n\n"
    let begin = "-----BEGIN CERTIFICATE-----\n"
    let path = try folder.write(
      "csca.pem", root.pem.replacingOccurrences(of: begin, with: begin + header).utf8)
    // The header precedes a block that is not in fact encrypted: the block is read unchanged.
    #expect(try TrustStore(path: path).certificates == [root])
  }

  @Test func missingPathsAreNotFound() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("csca.der", root.der)
    for path in [folder.path("absent"), file + "/inside", ""] {
      #expect(throws: TrustStore.LoadingError.notFound(path: path)) { try TrustStore(path: path) }
    }
  }

  @Test func pipesAndDevicesAreNotWaitedFor() throws {
    let folder = try TemporaryDirectory()
    let pipe = folder.path("pipe.pem")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(throws: TrustStore.LoadingError.notAFile(path: pipe)) { try TrustStore(path: pipe) }
    #expect(throws: TrustStore.LoadingError.notAFile(path: "/dev/zero")) {
      try TrustStore(path: "/dev/zero")
    }
  }

  @Test func whatOthersMayWriteIsRefused() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("csca.der", root.der, permissions: 0o646)
    #expect(throws: TrustStore.LoadingError.writableByOthers(path: path)) {
      try TrustStore(path: path)
    }
    #expect(throws: TrustStore.LoadingError.writableByOthers(path: path)) {
      try TrustStore(path: folder.url.path)
    }
    #expect(chmod(path, 0o644) == 0 && chmod(folder.url.path, 0o1757) == 0)
    #expect(throws: TrustStore.LoadingError.writableByOthers(path: folder.url.path)) {
      try TrustStore(path: folder.url.path)
    }
    #expect(chmod(folder.url.path, 0o755) == 0)
    #expect(try TrustStore(path: folder.url.path).certificates == [root])
  }

  @Test func oversizedFilesAreRefused() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      "csca.pem", [UInt8](repeating: 0x0A, count: TrustStore.largestFile + 1))
    #expect(throws: TrustStore.LoadingError.tooLarge(path: path, limit: TrustStore.largestFile)) {
      try TrustStore(path: path)
    }
  }
}
