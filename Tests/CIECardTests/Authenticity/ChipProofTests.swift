@testable import CIECard
import TestSupport
import Testing

/// The chip's proofs and their value: chip authentication, active authentication, the announcement that is signed a
/// second time, and the possibility that the chip is a copy.
@Suite struct ChipProofTests {
  let documents: TravelDocuments

  init() throws { documents = try TravelDocuments.load() }

  @Test func oneProofIsEnough() throws {
    let byKey = try documents.report { $0.response = nil }
    #expect(byKey[.activeAuthentication] == .couldNotCheck(.notTried))
    #expect(byKey.outcome == .proved && byKey.cloning == .excluded)
    let byAnswer = try documents.report { $0.chipAuthentication = .notTried }
    #expect(byAnswer[.chipAuthentication] == .couldNotCheck(.notTried))
    #expect(byAnswer.outcome == .proved && byAnswer.cloning == .excluded)
    let neither = try documents.report {
      $0.chipAuthentication = .notTried
      $0.challenge = nil
    }
    #expect(neither.outcome == .couldNotCheck && neither.cloning == .notJudged)
  }

  @Test func withoutAnyProofACopyIsPossible() throws {
    let report = try documents.report("no-date") {
      $0.chipAuthentication = .notOffered
      $0.files[.dg15] = nil
      $0.files[.dg12] = nil
    }
    // The key is listed, so the document offers active authentication, but the file was withheld.
    #expect(report[.activeAuthentication] == .couldNotCheck(.notRead))
    #expect(report.cloning == .notJudged)
    let saved = AuthenticityReport(
      judging: AuthenticityReport.Evidence.Document(chipAuthentication: .notOffered), trust: nil,
      at: 0)
    #expect(saved[.chipAuthentication] == .couldNotCheck(.notOffered))
    #expect(saved[.activeAuthentication] == .couldNotCheck(.notOffered))
    #expect(saved.cloning == .possible)
  }

  @Test func failedProofsAreFalse() throws {
    let chip = try documents.report { $0.chipAuthentication = .failed }
    #expect(chip[.chipAuthentication] == .false(.chipKeyWrong))
    #expect(chip.outcome == .false)
    let answer = try documents.report {
      $0.chipAuthentication = .notOffered
      $0.response?[0] ^= 1
    }
    #expect(answer[.activeAuthentication] == .false(.answerWrong))
    #expect(answer.outcome == .false && answer.cloning == .possible)
    let short = try documents.report { $0.challenge?.removeLast() }
    #expect(short[.activeAuthentication] == .couldNotCheck(.challengeTooShort))
  }

  /// A proof with a key of which no hash is signed proves nothing.
  @Test func unsignedKeysProveNothing() throws {
    let chip = try documents.report { $0.files[.dg14] = nil }
    #expect(chip[.chipAuthentication] == .couldNotCheck(.keyNotProved))
    let foreign = try documents.report("no-copy")
    #expect(foreign[.dataGroup(.dg14)] == .false(.hashDiffers))
    #expect(foreign[.chipAuthentication] == .couldNotCheck(.keyNotProved))
    // Without DG14 no signed data define the hash function of the answer.
    #expect(foreign[.activeAuthentication] == .couldNotCheck(.unsupportedAlgorithm("ECDSA")))
  }

  @Test func mappingNeedsTheSignedKey() throws {
    func report(_ security: [UInt8]?) throws -> AuthenticityReport {
      try documents.report {
        $0.chipAuthentication = .provedByMapping
        $0.cardSecurity = security
      }
    }
    let good = documents.cardSecurity.bytes
    #expect(try report(good)[.chipAuthentication] == .proved)
    #expect(try report(good + [0, 0])[.chipAuthentication] == .proved)
    #expect(try report(nil)[.chipAuthentication] == .couldNotCheck(.keyNotProved))
    var altered = good
    altered[altered.count - 1] ^= 1
    #expect(try report(altered)[.chipAuthentication] == .false(.signatureWrong))
    let sod = try documents.named("complete").securityObject.bytes
    #expect(
      try report([UInt8](sod.dropFirst(4)))[.chipAuthentication]
        == .false(.malformedSecurityObject(.contentType(SecurityObject.contentType))))
    let untrusted = AuthenticityReport(
      judging: AuthenticityReport.Evidence.Document(
        cardSecurity: good, chipAuthentication: .provedByMapping),
      trust: .italian, at: documents.at)
    #expect(untrusted[.chipAuthentication] == .couldNotCheck(.keyNotProved))
  }

  /// The key of EF.CardSecurity has to be one of DG14, and its signer of the issuing state.
  @Test func mappingIsBoundToTheDocument() throws {
    func verdict(
      _ security: HexBytes,
      _ change: (inout AuthenticityReport.Evidence.Document) -> Void = { _ in }
    ) throws -> AuthenticityReport.Verdict? {
      var evidence = try documents.evidence()
      evidence.chipAuthentication = .provedByMapping
      evidence.cardSecurity = security.bytes
      change(&evidence)
      let anchors = try [documents.named("complete").anchor, documents.foreignAnchor]
      let trust = try TrustStore(anchors.map { try Certificate(der: $0.bytes) })
      return AuthenticityReport(judging: evidence, trust: trust, at: documents.at)[
        .chipAuthentication]
    }
    #expect(try verdict(documents.cardSecurity) == .proved)
    for security in [
      documents.unboundSecurity, documents.foreignSecurity, documents.weakSecurity,
    ] {
      #expect(try verdict(security) == .couldNotCheck(.keyNotProved))
    }
    for group in [DataGroup.dg14, .dg1] {
      #expect(
        try verdict(documents.cardSecurity) { $0.files[group] = nil }
          == .couldNotCheck(.keyNotProved))
      #expect(
        try verdict(documents.cardSecurity) { $0.files[group]?[12] ^= 1 } != .proved)
    }
  }

  @Test func announcementIsComparedWithItsCopies() throws {
    let weaker = try documents.report { $0.cardAccess = documents.weakerAccess.bytes }
    #expect(weaker[.announcement] == .false(.announcementDiffers))
    #expect(weaker.outcome == .false)
    let more = try documents.report {
      let variants = [documents.cardAccess, documents.weakerAccess].map { $0.bytes.dropFirst(2) }
      $0.cardAccess = TLV.encode(0x31, [UInt8](variants.joined()))
    }
    #expect(more[.announcement] == .proved)
    let absent = try documents.report { $0.cardAccess = nil }
    #expect(absent[.announcement] == .couldNotCheck(.notRead) && absent.outcome == .proved)
    let broken = try documents.report { $0.cardAccess = [0x31, 0x05] }
    #expect(broken[.announcement] == .false(.malformedFile))
    let none = try documents.report("no-copy") { $0.files[.dg14] = documents.files14.bytes }
    #expect(none[.announcement] == .couldNotCheck(.noCopy) && none.outcome == .proved)
    let security = try documents.report("no-copy") {
      $0.files[.dg14] = documents.files14.bytes
      $0.cardSecurity = documents.cardSecurity.bytes
    }
    #expect(security[.announcement] == .proved)
    // A variant in the signed copy that the announcement lacks may have been removed.
    let removed = try documents.report { $0.cardSecurity = documents.otherSecurity.bytes }
    #expect(removed[.announcement] == .false(.announcementDiffers))
  }

  @Test func iasSideTellsCopiesToo() throws {
    let cards = try IASDocuments.load()
    #expect(try cards.report("first-generation").cloning == .excluded)
    #expect(try cards.report("first-generation", trusting: false).cloning == .notJudged)
    #expect(try cards.report("first-generation") { $0.response = nil }.cloning == .notJudged)
    #expect(try cards.report("first-generation") { $0.response?[9] ^= 1 }.cloning == .possible)
    #expect(try cards.report("other-signing-key").cloning == .possible)
    #expect(try cards.report("first-generation").side == .ias)
  }

  @Test func statesInThreeLettersAndTwo() {
    let pairs: [(String, [String])] = [
      ("ITA", ["IT"]), ("D", ["DE"]), ("DEU", ["DE"]), ("CHE", ["CH"]),
      ("CHN", ["CN", "HK", "MO"]),
      ("GBN", ["GB"]), ("RKS", ["KS", "XK", "RK"]), ("ZWE", ["ZW"]), ("ABW", ["AW"]), ("UTO", []),
      ("", []), ("I", []), ("IT", []), ("ITAI", []), ("TAI", []), ("ita", []), ("ITAIT", []),
    ]
    for (code, countries) in pairs { #expect(IssuingState.countries(of: code) == countries) }
  }
}
