import Primitives
import TestSupport
import Testing

@testable import CIECard
@testable import DocumentSigning

/// Levels LT and LTA with the services of OpenSSL's commands, and answers that prove nothing.
@Suite struct LongTermTests {
  private let issuer: TestIssuer
  private let server: StampServer

  /// 2026-01-01T00:00:00Z, as the database of the issuer says.
  private static let revocation = UTCTime(seconds: 1_767_225_600)

  init() throws {
    issuer = try TestIssuer()
    server = try StampServer(issuedBy: issuer)
  }

  private func raising(
    to level: SignatureExtension.Level, issuers: TrustStore? = nil
  ) -> Raising {
    Raising(level, server, issuer, issuers: issuers)
  }

  private func cms(_ issuer: TestIssuer, isAttached: Bool = true) throws -> [UInt8] {
    let form: UnsignedDocument.Form = isAttached ? .attached : .detached
    return try Signed.finish(
      Signed.prepared(Signed.text, form, issuer.certificate), issuer.sign)
  }

  private func pdf(_ document: [UInt8] = SamplePDF().bytes) throws -> [UInt8] {
    try Signed.finish(
      Signed.prepared(document, .pdf(Self.stamped), issuer.certificate), issuer.sign)
  }

  private static var stamped: PDFParticulars {
    var particulars = PDFParticulars()
    particulars.isStamped = true
    return particulars
  }

  private func judge(_ file: [UInt8], content: [UInt8]? = nil) throws -> DocumentReport {
    try DocumentJudge(trust: issuer.trust, authorities: server.trust, at: TestIssuer.time)
      .judge(ByteSource(file), content: content.map { ByteSource($0) })
  }

  @Test(arguments: [true, false]) func levelsOfCMS(isAttached: Bool) throws {
    let signed = try cms(issuer, isAttached: isAttached)
    let content = isAttached ? nil : Signed.text
    let before = try #require(try judge(signed, content: content).signatures.first)
    #expect(before.outcome == .proved && before[.revocation] == nil)
    for level in [SignatureExtension.Level.lt, .lta] {
      let file = try Signed.extended(signed, content: content, raising(to: level))
      let report = try #require(try judge(file, content: content).signatures.first)
      #expect(report.outcome == .proved && report[.revocation] == .proved)
      #expect(report[.timeStamp] == .proved && report.stampedTime != nil)
      let folder = try TemporaryDirectory()
      #expect(
        try OpenSSL.run(
          [
            "cms", "-verify", "-noverify", "-binary", "-inform", "DER",
            "-in", try folder.write("file", file), "-content",
            try folder.write("text", Signed.text),
          ]) == Signed.text)
      // Again, without an answer of the issuer: the evidence is inside.
      let again = try Signed.extended(file, content: content, Raising(.lta, server))
      #expect(try judge(again, content: content).outcome == .proved)
    }
    #expect(throws: DocumentError.noContents) {
      try Signed.extended(try cms(issuer, isAttached: false), raising(to: .lta))
    }
  }

  @Test func levelsOfPDF() throws {
    let signed = try pdf()
    for level in [SignatureExtension.Level.lt, .lta] {
      let file = try Signed.extended(signed, raising(to: level))
      try PDFJudges.expectSound(file)
      let report = try judge(file)
      let signature = try #require(report.signatures.first)
      #expect(report.outcome == .proved && signature[.revocation] == .proved)
      #expect(signature.laterContent == .signatures && signature.laterBytes > 0)
      #expect(
        report.signatures.map { $0.isTimeStamp } == (level == .lta ? [false, true] : [false]))
      let again = try Signed.extended(file, raising(to: .lta))
      #expect(try judge(again).outcome == .proved)
    }
    // A further signature, then the level for both.
    let both = try Signed.extended(try pdf(signed), raising(to: .lta))
    let report = try judge(both)
    #expect(report.outcome == .proved)
    #expect(report.signatures.map { $0.isTimeStamp } == [false, false, true, true])
    #expect(report.signatures.allSatisfy { $0.isTimeStamp || $0.stampedTime != nil })
  }

  /// A new signature gets its level before the file is written.
  @Test(arguments: [SignatureExtension.Level.t, .lt, .lta])
  func levelsOfNewSignatures(level: SignatureExtension.Level) throws {
    for prepared in [
      try Signed.prepared(Signed.text, .attached, issuer.certificate),
      try Signed.prepared(SamplePDF().bytes, .pdf(Self.stamped), issuer.certificate),
    ] {
      let assertion = try #require(
        SignedAssertion(
          certificate: issuer.certificate, digest: prepared.digest,
          signature: issuer.sign(prepared.digest)))
      let raising = raising(to: level)
      let file = try Signed.file(
        prepared.finish(assertion, raisedBy: raising.rule), raising.authorities)
      let report = try #require(try judge(file).signatures.first)
      #expect(report.outcome == .proved && report[.timeStamp] == .proved)
      #expect((report[.revocation] == .proved) == (level > .t))
    }
  }

  /// The issuer comes from its address, or from the caller if one of that name is given.
  @Test func issuers() throws {
    let signed = try cms(issuer)
    _ = try Signed.extended(signed, raising(to: .lt))
    #expect(issuer.requests.contains(.get(url: "http://issuer.test/ca")))
    let count = issuer.requests.count
    _ = try Signed.extended(signed, raising(to: .lt, issuers: issuer.trust))
    #expect(!issuer.requests.dropFirst(count).contains(.get(url: "http://issuer.test/ca")))
    let mario = try TestSigner.named(.mario)
    #expect(throws: DocumentError.self) {
      try Signed.extended(signed, raising(to: .lt, issuers: mario.trust))
    }
    // Neither OCSP nor CRL, and no issuer: nothing to be asked.
    let silent = try TestIssuer(services: [], namesIssuer: false)
    let name = silent.certificate.issuer
    #expect(throws: DocumentError.revocation(.issuerUnknown(name))) {
      try Signed.extended(try cms(silent), raising(to: .lt))
    }
    #expect(throws: DocumentError.revocation(.noAddress(silent.certificate.subject))) {
      try Signed.extended(try cms(silent), raising(to: .lt, issuers: silent.trust))
    }
  }

  /// Each fault of a responder or of a list, with the error that it is; nothing is written.
  @Test(arguments: TestIssuer.Fault.allCases, TestIssuer.Service.allCases)
  func refused(fault: TestIssuer.Fault, service: TestIssuer.Service) throws {
    let stamps = self.issuer
    let issuer = try TestIssuer(fault, services: [service], host: "faulty.test")
    let level = Raising(
      .lt, server, issuers: issuer.trust.merged(with: stamps.trust), answering: [stamps, issuer])
    let signed = try cms(issuer)
    let error = #expect(throws: DocumentError.self) {
      var steps = try level.rule.steps(for: ByteSource(signed))
      while let step = try steps.next() {
        guard case .ask = step else {
          Issue.record("written before all is known")
          break
        }
        level.authorities.end(&steps.authorities)
      }
    }
    guard case .revocation(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let name = issuer.certificate.subject
    switch (fault, service) {
    case (.away, _): #expect(reason == .unreachable(.revocationUnreachable))
    case (.replayed, .list), (.otherCertificate, .list), (.unknown, .list):
      #expect(reason == .unreachable(.revocationUnreachable))
    case (.revoked, _):
      #expect(reason == .revoked(name, at: Self.revocation))
    case (.huge, _), (.replayed, _), (.foreign, _), (.otherCertificate, _), (.late, _),
      (.unknown, _):
      #expect(reason == .noAnswer(name))
    }
    // The judge asks the same services.
    let judge = DocumentJudge(
      trust: issuer.trust, authorities: server.trust, at: TestIssuer.time)
    var inquiry = try judge.inquiry(
      about: ByteSource(signed), asking: RevocationService(at: TestIssuer.time))
    while inquiry.next() != nil { level.authorities.end(&inquiry.authorities) }
    let report = try #require(inquiry.report.signatures.first)
    switch fault {
    case .revoked: #expect(report[.revocation] == .false(.revoked(at: Self.revocation)))
    case .away, .huge, .replayed, .foreign, .otherCertificate, .late, .unknown:
      #expect(report[.revocation] == .couldNotCheck(.revocationUnknown(name)))
    }
    #expect(report.outcome != .proved)
  }

  /// Bytes beside the signature as well: without an archive time stamp nothing covers certificates, answers and stamps, but
  /// each is signed by itself. An answer's own encoding has a few spellings that OpenSSL takes for one.
  @Test(arguments: [SignatureExtension.Level.t, .lt, .lta])
  func everyOtherByte(level: SignatureExtension.Level) throws {
    let whole = try Signed.extended(try cms(issuer), raising(to: level))
    #expect(try judge(whole).outcome == .proved)
    var proved: [Int] = []
    for index in stride(from: 0, to: whole.count, by: 5) {
      var changed = whole
      changed[index] ^= 0x01
      if (try? judge(changed).outcome) == .proved { proved.append(index) }
    }
    // Nothing depends on the number that a SignedData gives its own version, and no signature covers it.
    let version = try #require(whole.indices.first { whole[$0...].starts(with: [0x02, 0x01]) }) + 2
    proved.removeAll { $0 == version }
    #expect(proved.count <= (level == .lt ? 12 : 0), "\(proved)")
    // Without the authority the time is not proved, and a changed stamp is seen all the same.
    let alone = DocumentJudge(trust: issuer.trust, at: TestIssuer.time)
    #expect(try alone.judge(ByteSource(whole)).outcome == .proved)
    // id-ct-TSTInfo (RFC 3161 §2.4.2), with the stamped hash behind it.
    let type: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x10, 0x01, 0x04]
    let stamp = try #require(whole.lastPlace(of: type))
    for index in stamp..<stamp + 200 {
      var changed = whole
      changed[index] ^= 0x01
      #expect((try? alone.judge(ByteSource(changed)).outcome) != .proved, "byte \(index)")
    }
  }

  /// Any part that an archive time stamp covers is missed if it is taken away or changed.
  @Test func altered() throws {
    let whole = try Signed.extended(try cms(issuer), raising(to: .lta))
    #expect(try judge(whole).outcome == .proved)
    // With another type the attribute is unknown, as if it were taken away as a whole.
    let type: [UInt8] = [0x06, 0x06, 0x04, 0x00, 0x8D, 0x45, 0x02, 0x04]
    let place = try #require(whole.indices.first { whole[$0...].starts(with: type) })
    var found: [Int] = []
    var altered = 0
    for index in stride(from: 0, to: whole.count, by: 11)
    where !(place..<place + type.count).contains(index) {
      var changed = whole
      changed[index] ^= 0x20
      let report = try? judge(changed)
      if report?.outcome == .proved, report?.signatures.first?[.revocation] == .proved {
        found.append(index)
      }
      if report?.signatures.first?[.timeStamp] == .false(.archiveAltered) { altered += 1 }
    }
    #expect(found.isEmpty && altered > 100)
    let pdf = try Signed.extended(try pdf(), raising(to: .lta))
    for index in stride(from: 0, to: pdf.count, by: 97) {
      var changed = pdf
      changed[index] ^= 0x20
      let report = try? judge(changed)
      let isWhole = report?.signatures.count == 2 && report?.outcome == .proved
      #expect(!isWhole, "byte \(index)")
    }
  }
}

extension [UInt8] {
  /// The last place of a mark.
  fileprivate func lastPlace(of mark: [UInt8]) -> Int? {
    indices.last { self[$0...].starts(with: mark) }
  }
}
