import CIECard
import CZLib
import Primitives
import Testing

@testable import DocumentSigning

/// Evidence of revocations that stands in a PDF (DSS), damaged, foreign, or in contradiction: each is reported,
/// because nothing signed covers it at level LT.
@Suite struct StoredEvidenceTests {
  private let issuer: TestIssuer
  private let server: StampServer
  private let signed: [UInt8]
  /// The signed file with its evidence.
  private let whole: [UInt8]

  init() throws {
    issuer = try TestIssuer()
    server = try StampServer(issuedBy: issuer)
    var particulars = PDFParticulars()
    particulars.isStamped = true
    let bare = try Signed.finish(
      Signed.prepared(SamplePDF().bytes, .pdf(particulars), issuer.certificate), issuer.sign)
    signed = try Signed.extended(bare, Self.raising(.t, server, issuer))
    whole = try Signed.extended(signed, Self.raising(.lt, server, issuer))
  }

  private static func raising(
    _ level: SignatureExtension.Level, _ server: StampServer, _ issuer: TestIssuer
  ) -> Raising {
    Raising(level, server, issuer)
  }

  private func report(_ file: [UInt8]) throws -> SignatureReport {
    let judge = DocumentJudge(trust: issuer.trust, authorities: server.trust, at: TestIssuer.time)
    return try #require(try judge.judge(ByteSource(file)).signatures.first)
  }

  /// The signed file with other evidence.
  private func file(
    _ certificates: [Certificate] = [], _ change: (inout RevocationEvidence) -> Void
  ) throws -> [UInt8] {
    let stored = SecurityStore(try PDFFile.open(whole))
    var evidence = stored.evidence
    change(&evidence)
    var store = SecurityStore()
    store.add(SecurityStore(stored.certificates + certificates, evidence))
    let file = try PDFFile.open(signed)
    return try SecurityStore(file).updated(with: store, in: file)
  }

  @Test func whatIsTold() throws {
    #expect(try report(whole)[.revocation] == .proved)
    #expect(try report(signed)[.revocation] == nil)
    #expect(try report(file { _ in }).outcome == .proved)
    let stray = SignatureReport.Verdict.couldNotCheck(.strayEvidence)
    // Cut, changed and foreign words, alone and beside whole ones.
    #expect(try report(file { $0.responses[0].removeLast() })[.revocation] == stray)
    #expect(try report(file { $0.responses.append([0x30, 0]) })[.revocation] == stray)
    #expect(try report(file { $0.lists.append([]) })[.revocation] == stray)
    #expect(
      try report(file { $0.responses[0][$0.responses[0].count / 2] ^= 1 })[.revocation] == stray)
    let other = try TestIssuer(host: "other.test")
    let foreign = try Authorities(issuers: [other]).serve { (authorities) throws(DocumentError) in
      try authorities.evidence(
        for: [other.certificate] + other.trust.certificates, known: .init(), at: TestIssuer.time)
    }
    #expect(try report(file { $0.add(foreign) })[.revocation] == stray)
    #expect(try report(file(other.trust.certificates) { $0.add(foreign) })[.revocation] == stray)
    #expect(
      try report(file([other.certificate] + other.trust.certificates) { $0.add(foreign) }).outcome
        == .proved)
    // One word says good, the other revoked.
    let list = try issuer.list(isRevoked: true)
    guard case .false(.revoked)? = try report(file { $0.lists.append(list) })[.revocation] else {
      Issue.record("a revocation is not heeded")
      return
    }
    // A certificate that was changed.
    let place = try #require(issuer.trust.certificates.first).der
    var changed = whole
    let start = try #require(changed.place(of: place))
    changed[start + place.count - 3] ^= 1
    #expect(try report(changed)[.revocation] == stray)
  }

  /// A later update in which an object of the store is another one.
  @Test func objectsTakenAway() throws {
    let store = try PDFFile.open(whole).root["DSS"]
    let parts = ["Certs", "OCSPs"].flatMap { store[$0].items ?? [] }
    let numbers = parts.map(\.number) + [store.number]
    #expect(numbers.count > 3)
    for number in numbers {
      for value in ["null", "<<>>", "[1 0 R]", "(x)"] {
        let file = try PDFFile.open(whole)
        var update = try IncrementalUpdate(file)
        try update.replace(
          file.object(PDFReference(number: number, generation: 0)), with: "\(value)")
        let report = try report(update.finished())
        #expect(report[.revocation] != .proved && report.outcome != .proved, "\(number): \(value)")
      }
    }
  }

  /// CRLs of megabytes, as large issuers have them: as they are, and compressed. Streams that would fill the memory are not
  /// read.
  @Test func largeLists() throws {
    let list = try issuer.list(beside: 60_000)
    #expect(list.count > 1 << 20)
    #expect(try report(file { ($0.responses, $0.lists) = ([], [list]) }).outcome == .proved)
    let deflated = try Self.deflated(list)
    #expect(deflated.count > 64 << 10)
    #expect(try report(compressed([deflated])).outcome == .proved)
    let stray = SignatureReport.Verdict.couldNotCheck(.strayEvidence)
    #expect(try report(compressed([deflated.dropLast(9)]))[.revocation] == stray)
    let bomb = try Self.deflated([UInt8](repeating: 0x30, count: 65 << 20))
    #expect(bomb.count < 64 << 10 + 4096)
    #expect(try report(compressed([bomb]))[.revocation] == stray)
    // Each within the limit, but not together.
    let half = try Self.deflated(list + [UInt8](repeating: 0, count: 33 << 20))
    #expect(try report(compressed([half, half]))[.revocation] == stray)
  }

  /// A CRL that is not complete proves nothing about the signer, with any version of OpenSSL; the reason names its limit
  /// (RFC 5280 §5.2.4, §5.2.5).
  @Test func listsThatAreNotComplete() throws {
    let point = "2.5.29.28 = critical,DER:"
    let limited: [(SignatureReport.Verdict.Obstacle, [String])] = [
      (.deltaList, ["2.5.29.27 = critical,DER:020101"]),
      // Not critical, and without a number.
      (.deltaList, ["2.5.29.27 = DER:020101"]),
      (.deltaList, ["2.5.29.27 = critical,DER:0500"]),
      (.indirectList, [point + "30038401FF"]),
      (.partialList, [point + "300483020640"]),
      (.partialList, [point + "30038501FF"]),
      (.partialList, [point + "3007830206408401FF"]),
      (.unknownListExtension, ["1.2.3.4 = critical,DER:0500"]),
      (.unknownListExtension, [point + "30038601FF"]),
      (.unknownListExtension, [point + "30068401FF8101FF"]),
      (.unknownListExtension, [point + "0500"]),
      (.unknownListExtension, [point + "30038401FF00"]),
      // About no certificate at all.
      (.strayEvidence, [point + "30068101FF8201FF"]),
    ]
    for (obstacle, extensions) in limited {
      for isRevoked in [false, true] {
        let list = try issuer.list(isRevoked: isRevoked, extensions)
        let report = try self.report(file { ($0.responses, $0.lists) = ([], [list]) })
        #expect(report[.revocation] == .couldNotCheck(obstacle), "\(extensions)")
        #expect(report.outcome != .proved, "\(extensions)")
      }
    }
    // Only a delta CRL takes a certificate off a list (RFC 5280 §5.3.1).
    let removed = try issuer.list(isRevoked: true, for: "removeFromCRL")
    let gone = try self.report(file { ($0.responses, $0.lists) = ([], [removed]) })
    #expect(gone[.revocation] == .couldNotCheck(.deltaList))
    // About authorities only: as if there were none.
    for isRevoked in [false, true] {
      let list = try issuer.list(isRevoked: isRevoked, [point + "30038201FF"])
      let report = try self.report(file { ($0.responses, $0.lists) = ([], [list]) })
      #expect(report[.revocation] == nil)
    }
    for extensions in [
      [], [point + "30038101FF"], [point + "3003810100"], ["1.2.3.4 = DER:0500"],
      ["crlNumber = DER:020107"],
    ] {
      let list = try issuer.list(extensions)
      let report = try self.report(file { ($0.responses, $0.lists) = ([], [list]) })
      #expect(report[.revocation] == .proved, "\(extensions)")
      let revoked = try issuer.list(isRevoked: true, extensions)
      let other = try self.report(file { $0.lists.append(revoked) })[.revocation]
      guard case .false(.revoked)? = other else {
        Issue.record("a revocation is not heeded: \(extensions)")
        return
      }
    }
  }

  private static func deflated(_ data: [UInt8]) throws -> [UInt8] {
    var length = compressBound(uLong(data.count))
    var deflated = [UInt8](repeating: 0, count: Int(length))
    try #require(compress(&deflated, &length, data, uLong(data.count)) == Z_OK)
    return [UInt8](deflated.prefix(Int(length)))
  }

  /// The signed file with compressed CRLs as its only evidence.
  private func compressed(_ lists: [[UInt8]]) throws -> [UInt8] {
    let stored = SecurityStore(try PDFFile.open(whole))
    let file = try PDFFile.open(signed)
    var update = try IncrementalUpdate(file)
    func references(_ members: PDFSyntax.Members, _ streams: [[UInt8]]) throws -> PDFSyntax {
      let numbers = try streams.map { try update.add(members, stream: $0) }
      return "[\(numbers.map { "\($0) 0 R" }.joined(separator: " "))]"
    }
    let store: PDFSyntax.Members = [
      ("Certs", try references([], stored.certificates.map(\.der))),
      ("CRLs", try references([("Filter", "/FlateDecode")], lists)),
    ]
    try update.replace(file.root, members: [("DSS", .dictionary(store))])
    return try update.finished()
  }

  /// A byte of an answer or of a CRL: never more evidence than there was, and no change goes unsaid.
  @Test func everyByte() throws {
    let list = try issuer.list()
    let listed = try file { ($0.responses, $0.lists) = ([], [list]) }
    #expect(try report(listed).outcome == .proved)
    let answers = SecurityStore(try PDFFile.open(whole)).evidence.responses
    var silent: [Int] = []
    for (file, evidence) in answers.map({ (whole, $0) }) + [(listed, list)] {
      let start = try #require(file.place(of: evidence))
      for index in stride(from: 0, to: evidence.count, by: 5) {
        var changed = file
        changed[start + index] ^= 0x01
        if (try? report(changed).outcome) == .proved { silent.append(index) }
      }
    }
    #expect(silent.isEmpty, "\(silent)")
  }

  /// Each bit of an answer and of a CRL: changed, it says nothing. OpenSSL takes some changes outside of the signed part.
  @Test func everyBit() throws {
    let stored = SecurityStore(try PDFFile.open(whole))
    let authority = try #require(issuer.trust.certificates.first)
    func status(_ change: (inout RevocationEvidence) -> Void) -> CertificateStatus? {
      var evidence = RevocationEvidence()
      change(&evidence)
      return stored.certificates.lazy.compactMap { evidence.status(of: $0, issuer: authority) }
        .first
    }
    let response = try #require(stored.evidence.responses.first)
    let list = try issuer.list()
    #expect(status { $0.responses = [response] } != nil && status { $0.lists = [list] } != nil)
    for (word, key) in [(response, \RevocationEvidence.responses), (list, \.lists)] {
      var believed: [Int] = []
      for bit in 0..<8 * word.count {
        var changed = word
        changed[bit / 8] ^= 1 << (bit % 8)
        if status({ $0[keyPath: key] = [changed] }) != nil { believed.append(bit) }
      }
      #expect(believed.isEmpty, "\(believed)")
    }
  }
}
