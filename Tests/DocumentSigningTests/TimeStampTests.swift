import CIECard
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// Time stamps of OpenSSL's authority on CMS and PDF signatures, and answers that are no time stamp of this signature.
@Suite struct TimeStampTests {
  private static func stamped(
    _ source: [UInt8], _ server: StampServer
  ) throws -> [UInt8] {
    try Signed.extended(source, Raising(.t, server))
  }

  private static func judge(
    _ file: [UInt8], content: [UInt8]? = nil, _ authorities: TrustStore?
  ) throws -> DocumentReport {
    let trust = try TestSigner.named(.mario).trust.merged(with: TestSigner.named(.anna).trust)
    return try DocumentJudge(trust: trust, authorities: authorities, at: StampServer.time)
      .judge(ByteSource(file), content: content.map { ByteSource($0) })
  }

  @Test(arguments: [true, false]) func cms(isAttached: Bool) throws {
    let server = try StampServer()
    let signed = try Signed.cms(isAttached: isAttached)
    let file = try Self.stamped(signed, server)
    #expect(try server.verifiesLastAnswer())
    let content = isAttached ? nil : Signed.text
    let report = try #require(try Self.judge(file, content: content, server.trust).signatures.first)
    #expect(report[.timeStamp] == .proved && report.outcome == .proved)
    #expect(report.stampedTime.map { abs($0.seconds - UTCTime.now.seconds) < 3600 } == true)
    // Without a trusted authority it is mentioned, and not judged.
    let unjudged = try #require(try Self.judge(file, content: content, nil).signatures.first)
    #expect(unjudged.hasTimeStamp && unjudged[.timeStamp] == nil && unjudged.stampedTime == nil)
    let folder = try TemporaryDirectory()
    #expect(
      try OpenSSL.run(
        [
          "cms", "-verify", "-noverify", "-binary", "-inform", "DER",
          "-in", try folder.write("file", file), "-content", try folder.write("text", Signed.text),
        ]) == Signed.text)
    #expect(throws: DocumentError.nothingToStamp) { try Self.stamped(file, server) }
  }

  /// A further signer gets the second one; the first stays as it is.
  @Test func bothSigners() throws {
    let server = try StampServer()
    let first = try Self.stamped(try Signed.cms(isAttached: true), server)
    let anna = try TestSigner.named(.anna)
    let both = try Signed.finish(
      Signed.prepared(first, .further(), anna.certificate), anna.sign)
    let file = try Self.stamped(both, server)
    #expect(server.requests == 2)
    let report = try Self.judge(file, server.trust)
    #expect(report.signatures.map { $0[.timeStamp] } == [.proved, .proved])
    #expect(report.outcome == .proved)
  }

  @Test func pdf() throws {
    let server = try StampServer()
    var particulars = PDFParticulars()
    particulars.isStamped = true
    let signed = try Signed.pdf(SamplePDF().bytes, particulars)
    let file = try Self.stamped(signed, server)
    #expect(file.count == signed.count)
    try PDFJudges.expectSound(file)
    try PDFJudges.expectValid(file)
    let report = try Self.judge(file, server.trust)
    #expect(report.outcome == .proved && report.signatures.first?[.timeStamp] == .proved)
    #expect(throws: DocumentError.nothingToStamp) { try Self.stamped(file, server) }
    #expect(throws: DocumentError.nothingToStamp) {
      try Self.stamped(SamplePDF().bytes, server)
    }
    let narrow = try Signed.pdf(SamplePDF().bytes)
    #expect(narrow.count < signed.count)
    let before = server.requests
    // A time stamp of the whole document serves where there is no room.
    let stamped = try Self.judge(try Self.stamped(narrow, server), server.trust)
    #expect(stamped.outcome == .proved && server.requests == before + 1)
    #expect(stamped.signatures.map { $0.isTimeStamp } == [false, true])
    #expect(stamped.signatures.first?.stampedTime != nil)
  }

  /// A token that is longer than the room of a time stamp of the document is asked for again, with the room that it needs.
  @Test func longToken() throws {
    let server = try StampServer(others: 12)
    let file = try Self.stamped(try Signed.pdf(SamplePDF().bytes), server)
    #expect(server.requests == 2)
    let stamp = try #require(EmbeddedSignature.all(of: PDFFile.open(file)).last)
    #expect(stamp.isTimeStamp && stamp.contents.count > SignatureRoom.ofTimeStamp)
    let report = try Self.judge(file, server.trust)
    #expect(report.outcome == .proved && report.signatures.first?.stampedTime != nil)
  }

  /// Each fault of an authority, with the error that it is.
  @Test(arguments: StampServer.Fault.allCases) func refused(fault: StampServer.Fault) throws {
    let server = try StampServer(fault)
    let error = #expect(throws: DocumentError.self) {
      try Self.stamped(try Signed.cms(isAttached: true), server)
    }
    guard case .timeStamp(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    switch fault {
    case .away: #expect(reason == .unreachable(.timeStampUnreachable))
    case .replayed, .otherImprint: #expect(reason == .otherAnswer)
    case .refusal: #expect(reason == .refused(status: 2, words: [], reasons: []))
    case .cut, .lengthened, .huge, .empty: #expect(reason == .malformed)
    case .altered: #expect(reason == .notProved(.false(.signatureWrong)))
    case .foreign:
      guard case .notProved(.couldNotCheck(.issuerUnknown)) = reason else {
        Issue.record("\(reason)")
        return
      }
    case .signer: #expect(reason == .notProved(.couldNotCheck(.notATimeStamper)))
    }
  }

  /// A changed byte of a stamped file leaves its time unproved; what hides the time stamp leaves the signature alone.
  @Test func changed() throws {
    let server = try StampServer()
    let first = try Self.stamped(try Signed.cms(isAttached: true), server)
    let proved = try Self.judge(first, server.trust)
    #expect(proved.outcome == .proved)
    var found: Set<Int> = []
    for index in stride(from: 0, to: first.count, by: 7) {
      var changed = first
      changed[index] ^= 0x20
      let report = try? Self.judge(changed, server.trust)
      if report?.outcome == .proved, report?.signatures.first?.stampedTime != nil {
        found.insert(index)
      }
    }
    #expect(found.isEmpty)
  }
}
