import CIECard
import DocumentSigning
import Primitives
import TestSupport
import Testing
import VirtualCIE

/// CAdES-B signatures, judged by OpenSSL and by the module.
@Suite struct CAdESTests {
  /// OpenSSL's judgement, whose output is the contents.
  private func verify(_ file: [UInt8], content: [UInt8]? = nil) throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let issuers = try TestSigner.named(.mario).issuerPEM + TestSigner.named(.anna).issuerPEM
    var arguments = [
      "cms", "-verify", "-cades", "-binary", "-inform", "DER", "-purpose", "any",
      "-in", try folder.write("file", file), "-CAfile", try folder.write("ca.pem", issuers),
    ]
    if let content { arguments += ["-content", try folder.write("content", content)] }
    return try OpenSSL.run(arguments)
  }

  @Test func detached() throws {
    let file = try Signed.cms(isAttached: false)
    #expect(try verify(file, content: Signed.text) == Signed.text)
    let report = try Signed.judge(file, content: Signed.text)
    #expect(report.outcome == .proved && report.form == .detached)
    #expect(report.signatures.first?.claimedTime == TestSigner.time)
    #expect(report.signatures.first?.commits == false)
    #expect(throws: OpenSSL.Failure.self) { try verify(file, content: Signed.text + [0x21]) }
    #expect(try Signed.judge(file, content: Signed.text + [0x21]).outcome == .false)
    #expect(try Signed.judge(file).signatures.first?[.contents] == .couldNotCheck(.noContents))
  }

  @Test(arguments: [0, 1, 127, 128, 70_000, 3 << 20]) func attached(length: Int) throws {
    let content = [UInt8](repeating: 0x41, count: length)
    let file = try Signed.cms(content, isAttached: true)
    #expect(try verify(file) == content)
    #expect(try Signed.judge(file).outcome == .proved)
    #expect(try Signed.contents(file) == content)
  }

  /// Contents and signature in one file, by another program: BER of indefinite length.
  private func divided() throws -> [UInt8] {
    let mario = try TestSigner.named(.mario)
    let folder = try TemporaryDirectory()
    return try OpenSSL.run([
      "cms", "-sign", "-stream", "-cades", "-binary", "-nodetach", "-outform", "DER",
      "-in", try folder.write("content", Signed.text),
      "-signer", try folder.write("signer.pem", mario.certificatePEM),
    ])
  }

  @Test func secondSigner() throws {
    let anna = try TestSigner.named(.anna)
    for first in [try Signed.cms(isAttached: true), try divided()] {
      // Not that of the other tests: OpenSSL's signature is of now, minutes later on a busy machine.
      #expect(try Signed.judge(first, at: .now).outcome == .proved)
      let both = try Signed.finish(
        Signed.prepared(first, .further(), anna.certificate), anna.sign)
      #expect(try verify(both) == Signed.text)
      let report = try Signed.judge(both, at: .now)
      #expect(report.outcome == .proved && report.signatures.count == 2)
    }
    let detached = try Signed.cms(isAttached: false)
    #expect(throws: DocumentError.noContents) {
      try Signed.prepared(detached, .further(), anna.certificate)
    }
    let both = try Signed.finish(
      Signed.prepared(
        detached, .further(contents: ByteSource(Signed.text)), anna.certificate), anna.sign)
    #expect(try verify(both, content: Signed.text) == Signed.text)
    #expect(try Signed.judge(both, content: Signed.text).signatures.count == 2)
  }

  /// The card signs what was prepared, and nothing else is accepted as its signature.
  @Test func cardSigns() throws {
    let persona = try #require(Persona.all.first)
    let certificate = try Certificate(der: persona.certificate)
    let prepared = try Signed.prepared(Signed.text, .attached, certificate)
    let wrong = try TestSigner.named(.mario).sign(prepared.digest)
    #expect(throws: DocumentError.signatureFalse) {
      _ = try prepared.finish(signature: wrong)
    }
  }

  @Test func contentsThatChangeMeanwhileAreNotSigned() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("content", Signed.text)
    let mario = try TestSigner.named(.mario)
    let prepared = try UnsignedDocument(ByteSource(path: path), as: .attached)
      .prepared(for: mario.certificate)
    try folder.write("other", [])
    let changed = try BuiltBinary(path: "/bin/sh").run([
      "-c", "printf X | dd conv=notrunc of='\(path)'",
    ])
    #expect(changed.exitStatus == 0)
    #expect(throws: DocumentError.contentsChanged) { try Signed.finish(prepared, mario.sign) }
  }

  @Test func filesAreReadInParts() throws {
    let folder = try TemporaryDirectory()
    #expect(throws: DocumentError.system(errno: 2)) { try ByteSource(path: folder.path("none")) }
    #expect(throws: DocumentError.notAFile) { try ByteSource(path: folder.path("")) }
    let content = [UInt8](repeating: 7, count: (1 << 20) + 5)
    let source = try ByteSource(path: try folder.write("content", content))
    #expect(try source.digest() == Digest(.sha256, hashing: content))
  }
}
