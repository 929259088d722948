import CIECard
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// The three ends of EN 319 102-1: failed is what is disproved, and a bad time stamp is a bad time stamp.
@Suite struct IndicationTests {
  private static let own: [SignatureReport.Kind] = [
    .attributes, .contents, .signature, .signingCertificate, .chain, .validity,
  ]

  /// A signature with further unsigned attributes.
  private func signed(beside attributes: [(type: [UInt8], value: [UInt8])]) throws -> [UInt8] {
    let file = try Signed.cms(isAttached: true)
    var data = try SignedData(ByteSource(file))
    for attribute in attributes {
      data.signers[0] = try data.signers[0].adding(attribute.type, attribute.value)
    }
    let ranges = try #require(data.content)
    let content = ranges.flatMap { Array(file[$0]) }
    let frame = data.frame(contentLength: content.count)
    return frame.head + content + frame.tail
  }

  private func report(_ file: [UInt8], _ authorities: TrustStore? = nil) throws -> DocumentReport {
    try DocumentJudge(
      trust: TestSigner.named(.mario).trust, authorities: authorities, at: StampServer.time
    ).judge(ByteSource(file))
  }

  /// Time stamps that cannot be read, and one of something else, with and without trusted authorities.
  @Test func badStampBeside() throws {
    let server = try StampServer()
    let other = try server.token(for: [1, 2, 3])
    let cases: [([UInt8], Subindication)] = [
      ([0x30, 0], .formatFailure), (TLV.encode(DER.octetString, [1]), .formatFailure),
      (try Signed.cms(isAttached: true), .formatFailure), (other, .hashFailure),
    ]
    for (stamp, name) in cases {
      let file = try signed(beside: [(CMSObject.timeStampToken, stamp)])
      for authorities in [nil, server.trust] {
        let report = try report(file, authorities)
        let signature = try #require(report.signatures.first)
        #expect(Self.own.allSatisfy { signature[$0] == .proved })
        guard case .false? = signature[.timeStamp] else {
          Issue.record("\(signature[.timeStamp].debugDescription)")
          continue
        }
        #expect(signature[.timeStamp]?.subindication == name)
        #expect(signature.indication == .indeterminate && signature.subindication == .generic)
        #expect(report.outcome == .couldNotCheck && signature.stampedTime == nil)
      }
    }
    let archived = try signed(beside: [(CMSObject.archiveTimeStamp, other)])
    #expect(try report(archived, server.trust).outcome == .couldNotCheck)
  }

  /// A time stamp of a whole document that is of something else: the signature before it stands.
  @Test func badStampOfDocument() throws {
    let server = try StampServer()
    let bare = try Signed.pdf(SamplePDF().bytes)
    let room = try SignatureRoom(SignatureRoom.ofTimeStamp, stamping: PDFFile.open(bare))
    let right = try room.filled(with: server.token(imprint: room.digest().bytes))
    #expect(try report(right, server.trust).outcome == .proved)
    let wrong = try room.filled(with: server.token(for: [1]))
    let found = try report(wrong, server.trust)
    #expect(found.outcome == .couldNotCheck)
    #expect(found.signatures.map(\.indication) == [.passed, .failed])
    #expect(found.signatures.map(\.subindication) == [nil, .hashFailure])
    // A document that has nothing else is disproved.
    let alone = try SignatureRoom(
      SignatureRoom.ofTimeStamp, stamping: PDFFile.open(SamplePDF().bytes))
    let false_ = try alone.filled(with: server.token(for: [1]))
    #expect(try report(false_, server.trust).outcome == .false)
  }

  /// A revocation disproves what claims to be later, and nothing else.
  @Test func revoked() throws {
    let issuer = try TestIssuer(.revoked)
    let list = try issuer.list()
    let end = UTCTime(seconds: 1_767_225_600)
    let path = [issuer.certificate] + issuer.trust.certificates
    var judge = SignerJudge(trust: issuer.trust.certificates, time: TestIssuer.time)
    judge.store.add(SecurityStore([], RevocationEvidence(choices: [list])))
    func verdict(claiming seconds: Int64?) -> SignatureVerdict? {
      var none: AuthorityExchanges?
      return judge.revocation(
        on: .found(path, by: nil), in: SignedData(), at: TestIssuer.time,
        claiming: seconds.map { UTCTime(seconds: end.seconds + $0) }, asking: &none)
    }
    #expect(verdict(claiming: 0) == .false(.revoked(at: end)))
    #expect(verdict(claiming: 86_400)?.subindication == .revoked)
    for claimed in [nil, -1, -86_400] as [Int64?] {
      let verdict = verdict(claiming: claimed)
      #expect(verdict == .couldNotCheck(.revokedSince(end, isAuthority: false)))
      #expect(verdict?.subindication == .revokedWithoutProofOfExistence)
    }
    // EN 319 102-1 distinguishes the revocation of an authority.
    #expect(
      SignatureVerdict.couldNotCheck(.revokedSince(end, isAuthority: true)).subindication
        == .authorityRevokedWithoutProofOfExistence)
  }

  /// Each kind is judged, or has a reason not to be, once.
  @Test func noHoles() throws {
    let server = try StampServer()
    let pdf = try Signed.pdf(SamplePDF().bytes)
    let room = try SignatureRoom(SignatureRoom.ofTimeStamp, stamping: PDFFile.open(pdf))
    let stamped = try room.filled(with: server.token(imprint: room.digest().bytes))
    let open = try #require(pdf.place(of: [UInt8]("/Contents <30".utf8))) + 11
    var malformed = pdf
    malformed[open] = UInt8(ascii: "7")
    for file in [pdf, stamped, malformed, try Signed.cms(isAttached: true)] {
      for authorities in [nil, server.trust] {
        for signature in try report(file, authorities).signatures {
          let kinds = signature.points.map(\.kind) + signature.unjudged.map(\.kind)
          #expect(kinds.count == SignatureReport.Kind.allCases.count)
          #expect(Set(kinds) == Set(SignatureReport.Kind.allCases))
          #expect((signature.subindication == nil) == (signature.indication == .passed))
        }
      }
    }
    let signature = try #require(try report(pdf).signatures.first)
    #expect(
      signature.unjudged.map(\.absence) == [.nothingToJudge, .noEvidence, .nothingToJudge])
    #expect(signature.unjudged.map(\.kind) == [.statedTime, .revocation, .timeStamp])
  }
}
