import Primitives
import TestSupport
import Testing

@testable import CIECard
@testable import VirtualCIE

/// Evidence in the form of gmrtd: of a travel document, with its active authentication.
@Suite struct VerifiableDocumentTests {
  private static let challenge = [UInt8](1...8)
  private static let other = [UInt8](2...9)
  private let trust: TrustStore

  init() throws {
    trust = try TrustStore(
      [Persona.gemalto2, .st, .itj4].map { try Certificate(der: $0.documentCSCA) })
  }

  private static func gather(
    _ persona: Persona = .gemalto2, challenge: [UInt8] = challenge
  ) throws -> CardEvidence {
    try CardEvidence.gathered(
      from: persona, [.dg1, .dg11], for: .init(verifiableDocument: challenge),
      at: CardEvidenceTests.now)
  }

  private func judge(
    _ bytes: [UInt8], challenge: [UInt8]? = challenge, audience: String? = nil,
    within seconds: Int? = nil, terminal: [UInt8]? = nil,
    requiring parts: Set<EvidenceReport.Part> = [.document], trust: TrustStore? = nil
  ) throws -> EvidenceReport {
    EvidenceReport(
      judging: try CardEvidence(bytes), trust: trust ?? self.trust,
      expecting: .init(
        challenge: challenge, audience: audience, mostSeconds: seconds, terminalKey: terminal,
        parts: parts),
      at: CardEvidenceTests.now)
  }

  private func error(_ bytes: [UInt8]) -> CardEvidence.Malformation? {
    do throws(CardEvidence.Malformation) { _ = try CardEvidence(bytes) } catch { return error }
    return nil
  }

  /// The chip signs with RSA, or with ECDSA.
  @Test(arguments: ["gemalto2", "st"]) func provesTheDocumentToItsReceiver(_ name: String) throws {
    let bytes = try Self.gather(try #require(Persona.named(name))).bytes
    let read = try CardEvidence(bytes)
    #expect(read.bytes == bytes && read.request.form == .verifiableDocument)
    #expect(read.ias == nil && read.time == nil && read.program == nil)
    let report = try judge(bytes)
    #expect(report.outcome == .proved && report.document?.cloning == .excluded)
    #expect(report.document?[.activeAuthentication] == .proved)
    #expect(report.points.map(\.kind) == [.receiversChallenge, .requiredSide(.travelDocument)])
  }

  @Test func whatItHasNoPlaceForIsNotProved() throws {
    let bytes = try Self.gather().bytes
    func last(_ report: EvidenceReport) -> AuthenticityReport.Verdict? {
      report.outcome == .proved ? nil : report.points.last?.verdict
    }
    #expect(
      last(try judge(bytes, challenge: nil, requiring: [])) == .couldNotCheck(.challengeNotNamed))
    #expect(last(try judge(bytes, challenge: Self.other, requiring: [])) == .false(.otherChallenge))
    #expect(last(try judge(bytes, audience: "a", requiring: [])) == .false(.otherAudience(nil)))
    #expect(last(try judge(bytes, within: 60, requiring: [])) == .couldNotCheck(.notInEvidence))
    #expect(last(try judge(bytes, terminal: [1], requiring: [])) == .couldNotCheck(.notSigned))
    #expect(last(try judge(bytes, requiring: [.ias])) == .couldNotCheck(.notInEvidence))
    #expect(last(try judge(bytes, requiring: [.holder])) == .couldNotCheck(.notSigned))
    let stranger = try TrustStore([Certificate(der: Persona.gemalto.documentCSCA)])
    #expect(try judge(bytes, trust: stranger).outcome == .couldNotCheck)
  }

  @Test func everyChangedByteIsNoticed() throws {
    let evidence = try Self.gather()
    let bytes = evidence.bytes
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 1
      #expect((try? judge(changed))?.outcome != .proved, "\(place)")
    }
    // Also where the hashes are made anew.
    for group in [DataGroup.dg1, .dg11, .dg14, .dg15] {
      for place in try #require(evidence.document?.files[group]).indices {
        var changed = evidence
        changed.document?.files[group]?[place] ^= 1
        #expect(try judge(changed.bytes).outcome != .proved, "\(group) \(place)")
      }
    }
    for place in try #require(evidence.document?.response).indices {
      var changed = evidence
      changed.document?.response?[place] ^= 1
      #expect(try judge(changed.bytes).outcome == .false, "\(place)")
    }
    for place in Self.challenge.indices {
      var changed = evidence
      changed.document?.challenge?[place] ^= 1
      #expect(try judge(changed.bytes).outcome == .false, "\(place)")
    }
  }

  @Test func onlyTheOneFormIsRead() throws {
    let bytes = try Self.gather().bytes
    for length in bytes.indices { #expect(error([UInt8](bytes.prefix(length))) == .notInForm) }
    #expect(error(bytes + [0]) == .notInForm && error(bytes + [0x0A]) == .notInForm)
    #expect(error(bytes + bytes) == .notInForm)
    let long = bytes + [UInt8](repeating: 0, count: CardEvidence.mostBytes)
    #expect(error(long) == .tooLong(limit: CardEvidence.mostBytes))
    let envelope = try #require(CBOR(bytes)?.members)
    func changed(_ name: String, _ value: CBOR?) -> CardEvidence.Malformation? {
      var envelope = envelope
      envelope[name] = value
      return error(CBOR.map(envelope).encoded)
    }
    #expect(changed("version", .unsigned(1)) == nil)
    #expect(changed("version", .unsigned(2)) == .unknownFormat("gmrtd-verifiable-doc/2"))
    #expect(changed("version", .unsigned(0)) == .unknownFormat("gmrtd-verifiable-doc/0"))
    #expect(changed("version", .text("1")) == .notInForm)
    #expect(changed("magic", .text("gmrtd-raw-doc")) == .notInForm)
    #expect(changed("sha256", .bytes([])) == .notInForm)
    #expect(changed("extra", .unsigned(1)) == .notInForm)
    for name in envelope.keys { #expect(changed(name, nil) == .notInForm) }
    // The first member twice.
    let twice = [0xA5] + bytes.dropFirst()
    let member = CBOR.text("magic").encoded + CBOR.text("gmrtd-verifiable-doc").encoded
    #expect(error(twice + member) == .notInForm)
  }

  /// The same of what is inside, with right hashes.
  @Test func contentsOfAnotherFormAreRefused() throws {
    let (files, proofs) = try CardEvidence.opened(try Self.gather().bytes)
    func error(
      _ file: (String, CBOR)? = nil, _ proof: (String, CBOR)? = nil
    ) -> CardEvidence.Malformation? {
      var (files, proofs) = (files, proofs)
      if let file { files[file.0] = file.1 }
      if let proof { proofs[proof.0] = proof.1 }
      return self.error(CardEvidence.sealed(files: files, proofs: proofs))
    }
    #expect(error() == nil && error(("dir", .bytes([1]))) == nil)
    #expect(error(("dg3", .bytes([1]))) == .notInForm && error(("dg1", .text("a"))) == .notInForm)
    #expect(error(nil, ("terminalAuth", .map([:]))) == .notInForm)
    #expect(error(nil, ("paceCam", .unsigned(1))) == .notInForm)
    let answer = try #require(proofs["activeAuth"]?.members)
    for (name, value) in [
      ("nonce", CBOR.bytes([1])), ("nonce", .bytes(Self.challenge + Self.challenge)),
      ("signature", .text("")), ("algorithm", .bytes([])), ("extra", .unsigned(1)),
    ] {
      var answer = answer
      answer[name] = value
      #expect(error(nil, ("activeAuth", .map(answer))) == .notInForm, "\(name)")
    }
    let inner = CardEvidence.Envelope.files.seal(.map(files)).encoded
    let old = try #require(CBOR(CardEvidence.Envelope.proofs.seal(.map(proofs)).encoded)?.members)
    let ofVersion1 = CBOR.map(old.merging(["version": .unsigned(1)]) { $1 })
    let outer = CardEvidence.Envelope.all.seal(
      .map(["document": .bytes(inner), "chipAuthEvidence": .bytes(ofVersion1.encoded)]))
    #expect(self.error(outer.encoded) == .unknownFormat("gmrtd-chip-auth-evidence/1"))
  }

  /// The chip of one card, the files of another.
  @Test func mixedEvidenceIsFalse() throws {
    let stranger = try #require(Persona.named("st"))
    var evidence = try Self.gather()
    evidence.document?.response = try Self.gather(stranger).document?.response
    #expect(try judge(evidence.bytes).outcome == .false)
    evidence = try Self.gather()
    evidence.document?.files[.dg1] = try Self.gather(stranger).document?.files[.dg1]
    #expect(try judge(evidence.bytes).outcome == .false)
    evidence = try Self.gather()
    evidence.document?.files[.dg15] = try Self.gather(stranger).document?.files[.dg15]
    evidence.document?.response = try Self.gather(stranger).document?.response
    #expect(try judge(evidence.bytes).outcome == .false)
    // An answer to another challenge, with the right one written beside it.
    evidence = try Self.gather(challenge: Self.other)
    #expect(try judge(evidence.bytes).outcome == .false)
    evidence.document?.challenge = Self.challenge
    #expect(try judge(evidence.bytes).outcome == .false)
  }

  /// The terminal could have made its record without the chip, and no signature makes it more than that.
  @Test func theRecordOfATerminalIsItsWord() throws {
    let evidence = try Self.gather(.itj4)
    let (files, proofs) = try CardEvidence.opened(evidence.bytes)
    #expect(proofs.isEmpty)
    let without = try judge(evidence.bytes)
    #expect(without.points.first?.verdict == .couldNotCheck(.notInEvidence))
    #expect(without.document?[.chipAuthentication] == .couldNotCheck(.notTried))
    for name in ["chipAuth", "paceCam"] {
      let record = CardEvidence.sealed(files: files, proofs: [name: .map(["termPri": .bytes([1])])])
      let report = try judge(record, terminal: [1])
      #expect(report.document?[.chipAuthentication] == .couldNotCheck(.toldByTerminal))
      #expect(report.document?.isPassivelyProved == true && report.outcome == .couldNotCheck)
    }
  }
}
