import CIECard
import DocumentSigning
import Foundation
import Primitives
import TestSupport
import Testing

/// Documents between the moment they are shown and their signature.
@Suite struct UnsignedDocumentTests {
  private static let forms: [(UnsignedDocument.Form, [UInt8])] = [
    (.attached, Signed.text), (.detached, Signed.text), (.pdf(), SamplePDF().bytes),
  ]

  /// Only what was shown is signed.
  @Test(arguments: forms.indices) func changed(index: Int) throws {
    let (form, bytes) = Self.forms[index]
    let folder = try TemporaryDirectory()
    let path = try folder.write("document", bytes)
    let document = try UnsignedDocument(ByteSource(path: path), as: form)
    #expect(document.digest == (try Digest(.sha256, hashing: bytes)))
    #expect(document.length == bytes.count)
    let signer = try TestSigner.named(.mario)
    // The same file, with one byte changed in place.
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.seek(toOffset: UInt64(bytes.count - 2))
    try handle.write(contentsOf: [0x20])
    try handle.close()
    #expect(throws: DocumentError.contentsChanged) {
      let prepared = try document.prepared(for: signer.certificate, at: TestSigner.time)
      _ = try Signed.finish(prepared, signer.sign)
    }
  }

  @Test func signedAlready() throws {
    let attached = try UnsignedDocument(
      ByteSource(Signed.cms(isAttached: true)), as: .further())
    #expect(attached.signatures == 1)
    #expect(attached.digest == (try Digest(.sha256, hashing: Signed.text)))
    let detached = ByteSource(try Signed.cms(isAttached: false))
    #expect(throws: DocumentError.noContents) {
      try UnsignedDocument(detached, as: .further())
    }
    let found = try UnsignedDocument(detached, as: .further(contents: ByteSource(Signed.text)))
    #expect(found.signatures == 1 && found.digest == attached.digest)
    let pdf = try UnsignedDocument(ByteSource(Signed.pdf(SamplePDF().bytes)), as: .pdf())
    #expect(pdf.signatures == 1 && pdf.pages == 1)
  }

  /// A judgement counts for the certificate only if its signature is there, sound, and covers everything.
  @Test func heldFor() throws {
    let (mario, anna) = (try TestSigner.named(.mario), try TestSigner.named(.anna))
    let pdf = try Signed.pdf(SamplePDF().bytes)
    let judge = DocumentJudge(trust: nil, at: TestSigner.time)
    #expect(try judge.judge(ByteSource(pdf)).holds(for: mario.certificate))
    #expect(try !judge.judge(ByteSource(pdf)).holds(for: anna.certificate))
    let both = try judge.judge(ByteSource(Signed.pdf(pdf, by: .anna)))
    #expect(both.holds(for: anna.certificate) && both.holds(for: mario.certificate))
    let later = try judge.judge(ByteSource(pdf + [0x0A, 0x0A]))
    #expect(!later.holds(for: mario.certificate))
    let detached = try Signed.cms(isAttached: false)
    let other = ByteSource(Signed.text + [0x21])
    #expect(
      try judge.judge(ByteSource(detached), content: ByteSource(Signed.text))
        .holds(for: mario.certificate))
    #expect(
      try !judge.judge(ByteSource(detached), content: other).holds(for: mario.certificate))
  }
}
