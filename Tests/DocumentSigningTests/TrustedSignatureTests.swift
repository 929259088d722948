import CIECard
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// Signatures whose issuers are on a trusted list: when they count, and as what.
@Suite struct TrustedSignatureTests {
  private typealias Period = TrustedService.Period
  private typealias Verdict = SignatureVerdict

  /// A signer with its file.
  private struct Case {
    let signer: QualifiedSigner
    let file: [UInt8]

    init(_ signer: QualifiedSigner) throws { (self.signer, file) = (signer, try signer.signed()) }

    /// Seconds after the certificate was issued.
    func time(_ seconds: Int64) -> UTCTime {
      UTCTime(seconds: signer.certificate.notBefore.seconds + seconds)
    }

    func report(
      _ services: [TrustedService], after seconds: Int64 = 1, trust: TrustStore? = nil,
      lists: [ListState] = [.of()]
    ) throws -> SignatureReport {
      let judge = DocumentJudge(
        trust: trust, services: try .of(services, lists: lists), at: time(seconds))
      return try judge.judge(ByteSource(file)).signatures[0]
    }

    func report(_ periods: [Period], after seconds: Int64 = 1) throws -> SignatureReport {
      try report([.of(signer.issuer, periods)], after: seconds)
    }
  }

  private static let own = Result { try Case(QualifiedSigner()) }

  @Test func granted() throws {
    let own = try Self.own.get()
    let report = try own.report([.of()])
    #expect(report.outcome == .proved && report[.chain] == .proved)
    #expect(report.qualification == .qualifiedSignature && report.isQualified == true)
    #expect(report.trustedBy?.provider == "Prova S.p.A.")
    #expect(report.trustedBy?.service == "Servizio di prova")
    #expect(report.trustedBy?.list.territory == "IT" && report.trustedBy?.isListOld == false)
    #expect(report.quality?.key == "signed.trust.qualified-signature" && report.listAge == nil)
    // Without the list nothing is trusted.
    let alone = try DocumentJudge(trust: nil, at: own.time(1)).judge(ByteSource(own.file))
    #expect(alone.signatures[0][.chain] == .couldNotCheck(.noTrustStore))
    let other = try own.report([TrustedService]())
    #expect(
      other[.chain] == .couldNotCheck(.issuerUnknown(own.signer.certificate.issuer, lists: ["IT"])))
    #expect(other.trustedBy == nil && other.isQualified == nil && other.quality == nil)
  }

  /// States over time: the time of issuing and that of signing both count.
  @Test func history() throws {
    let own = try Self.own.get()
    let start = ListState.july2016
    func refused(_ status: String, _ since: UTCTime) -> Verdict {
      .couldNotCheck(
        .serviceNotGranted(name: "Servizio di prova", list: "IT", status: status, since: since))
    }
    let unknown = Verdict.couldNotCheck(
      .issuerUnknown(own.signer.certificate.issuer, lists: ["IT"]))
    let ended = [Period.of(.withdrawn, since: own.time(10)), .of()]
    let cases: [([Period], Int64, Verdict)] = [
      ([.of()], 1, .proved), ([.of(since: own.time(0))], 1, .proved),
      ([.of(.withdrawn, since: own.time(-10)), .of()], 1, refused("withdrawn", own.time(-10))),
      (ended, 5, .proved), (ended, 10, refused("withdrawn", own.time(10))),
      ([.of(since: own.time(10)), .of(.withdrawn)], 20, refused("withdrawn", start)),
      ([.of(), .of(.withdrawn, since: own.time(10))], 20, refused("withdrawn", own.time(10))),
      (
        [.of(since: own.time(10))], 20,
        .couldNotCheck(
          .serviceNotListedYet(name: "Servizio di prova", list: "IT", since: own.time(10)))
      ),
      ([.of(.accredited)], 1, refused("accredited", start)),
      ([.of(.underSupervision, since: 1)], 1, refused("undersupervision", 1)),
      ([.of(.supervisionCeased)], 1, refused("supervisionceased", start)),
      ([.of(.other)], 1, refused("other", start)),
      (
        [.of(isUnclear: true)], 1,
        .couldNotCheck(.serviceUnclear(name: "Servizio di prova", list: "IT"))
      ),
      ([.of(.granted, .timeStamps)], 1, unknown), ([.of(.granted, .statusAnswers)], 1, unknown),
      ([], 1, unknown),
    ]
    for (index, (periods, seconds, expected)) in cases.enumerated() {
      let report = try own.report(periods, after: seconds)
      #expect(report[.chain] == expected, "case \(index)")
      #expect((report.isQualified == true) == (expected == .proved), "case \(index)")
      #expect((report.trustedBy != nil) == (expected == .proved), "case \(index)")
      #expect(report.outcome == (expected == .proved ? .proved : .couldNotCheck))
    }
  }

  /// The statuses of national law before the regulation count for times before it.
  @Test func before2016() {
    let before: UTCTime = 1_400_000_000
    let after = ListState.july2016
    let counting: [TrustedService.Status] = [
      .granted, .underSupervision, .supervisionInCessation, .accredited,
    ]
    let all: [TrustedService.Status] =
      counting + [
        .withdrawn, .supervisionCeased, .supervisionRevoked, .accreditationCeased,
        .accreditationRevoked, .recognised, .deprecated, .other,
      ]
    for status in all {
      let period = Period.of(status, since: 0)
      #expect(period.isGranted(at: before) == counting.contains(status), "\(status)")
      #expect(period.isGranted(at: after) == (status == .granted), "\(status)")
    }
  }

  /// A state recognises services that it does not qualify, as that of its identity cards; the time of signing counts.
  @Test func recognised() throws {
    let own = try Self.own.get()
    func period(
      _ status: TrustedService.Status, since start: UTCTime = 1,
      for uses: Set<TrustedService.Use> = [.signatures]
    ) -> Period { .of(status, since: start, .advancedSignatures, for: uses) }
    for periods in [[period(.recognised)], [period(.recognised, since: own.time(10))]] {
      let report = try own.report(periods, after: 20)
      #expect(report.outcome == .proved && report.qualification == .advanced)
      #expect(report.isQualified == false && report.trustedBy?.isNational == true)
      #expect(report.quality?.key == "signed.trust.national")
    }
    for periods in [
      [period(.recognised, since: own.time(10))], [period(.deprecated)], [period(.granted)],
      [period(.recognised, for: [.seals])], [period(.recognised, for: [])],
      [period(.deprecated, since: own.time(0)), period(.recognised)],
    ] {
      let report = try own.report(periods, after: 5)
      #expect(report.outcome == .couldNotCheck && report.trustedBy == nil, "\(periods)")
    }
  }

  /// A service is its name and its key, not one certificate of them.
  @Test func identity() throws {
    let own = try Self.own.get()
    let signer = own.signer
    #expect(try own.report([.of(signer.renewed, [.of()])]).isQualified == true)
    let unknown = Verdict.couldNotCheck(.issuerUnknown(signer.certificate.issuer, lists: ["IT"]))
    // Another key of the same name neither vouches, nor makes the signature false.
    #expect(try own.report([.of(signer.namesake, [.of()])])[.chain] == unknown)
    #expect(try own.report([.of(signer.certificate, [.of()])])[.chain] == unknown)
    let both = [signer.namesake, signer.renewed].map { TrustedService.of($0, [.of()]) }
    #expect(try own.report(both).isQualified == true)
    let listed = TrustedService.of(nil, [.of()], keys: [signer.issuer.keyDigest ?? []])
    #expect(try own.report([listed])[.chain] == unknown)
    // Known by its key alone: the certificate comes with the document.
    let judge = ServiceJudge(services: try .of([listed]), present: own.time(1))
    for (other, isVouched) in [
      (signer.issuer, true), (signer.renewed, true), (signer.namesake, false),
    ] {
      let finding = judge.finding(
        for: signer.certificate, through: [other], as: .signatures, at: own.time(1))
      if case .vouched(let path, _) = finding {
        #expect(isVouched && path == [signer.certificate, other])
      } else {
        #expect(!isVouched)
      }
    }
  }

  /// Two services of one issuer: one after the other, or both at once.
  @Test func several() throws {
    let own = try Self.own.get()
    func service(_ provider: String, _ periods: [Period]) -> TrustedService {
      .of(own.signer.issuer, periods, provider: provider)
    }
    let noDevice = Period.of(
      for: [.signatures], [.init(qualifiers: [.noQSCD], criterion: .keyUsage([1: true]))])
    // A service that is not granted says the contrary of one that is.
    for periods in [[Period.of(.withdrawn)], [.of(.withdrawn, since: own.time(10)), .of()]] {
      let both = try own.report(
        [service("First", periods), service("Second", [.of()])], after: 20)
      #expect(both.outcome == .proved && both.qualification == .undetermined)
    }
    // A list may have an issuer for signatures, and once more for seals.
    for period in [Period.of(for: [.seals]), .of(.withdrawn, for: [.seals]), .of(for: [])] {
      let both = try own.report([service("First", [period]), service("Second", [.of()])])
      #expect(both.isQualified == true && both.trustedBy?.provider == "Second")
    }
    let other = try own.report([
      service("First", [.of(for: [.seals])]), service("Second", [.of(.withdrawn)]),
    ])
    #expect(other.trustedBy == nil && other.outcome == .couldNotCheck)
    let contrary = try own.report([service("First", [.of()]), service("Second", [noDevice])])
    #expect(contrary.outcome == .proved && contrary.qualification == .undetermined)
    #expect(contrary.isQualified == nil && contrary.quality?.key == "signed.trust.undetermined")
  }

  /// A person's own trust works as without lists, whatever they say.
  @Test func ownTrust() throws {
    let own = try Self.own.get()
    let trust = try TrustStore([own.signer.issuer])
    for services in [
      [TrustedService](), [.of(own.signer.issuer, [.of(.withdrawn)])],
      [.of(own.signer.issuer, [.of(isUnclear: true)])], [.of(own.signer.namesake, [.of()])],
    ] {
      let report = try own.report(services, trust: trust)
      #expect(report.outcome == .proved && report.trustedBy == nil)
      #expect(report.isQualified == nil && report.qualification == nil && report.quality == nil)
    }
    let both = try own.report([.of(own.signer.issuer, [.of()])], trust: trust)
    #expect(both.outcome == .proved && both.isQualified == true)
    let other = try own.report(
      [.of(own.signer.issuer, [.of()])], trust: TrustStore([own.signer.namesake]))
    #expect(other.outcome == .proved && other.isQualified == true)
  }

  /// The words for the kinds of certificates.
  @Test func words() throws {
    let seals: Set<TrustedService.Use> = [.signatures, .seals]
    let cases: [([String], [String]?, SignatureReport.Qualification, Bool?)] = [
      ([QC.compliance, QC.device], [QC.seal], .qualifiedSeal, true),
      ([QC.compliance], [QC.seal], .seal, false),
      ([QC.compliance], [QC.signature], .signature, false),
      ([], [QC.signature], .advanced, false), ([], [QC.seal], .advancedSeal, false),
      ([], nil, .other, false), ([QC.compliance, QC.device], [QC.webSite], .other, false),
      ([QC.compliance, QC.device], [QC.seal, QC.signature], .undetermined, nil),
    ]
    for (statements, types, word, isQualified) in cases {
      let own = try Case(QualifiedSigner(statements: statements, types: types))
      let report = try own.report([.of(for: seals)])
      #expect(report.outcome == .proved && report.qualification == word, "\(word)")
      #expect(report.isQualified == isQualified, "\(word)")
    }
  }

  /// Only a signature that is proved has a quality; an old list has a remark.
  @Test func proved() throws {
    let own = try Self.own.get()
    var file = own.file
    let place = try #require(file.place(of: Signed.text))
    file[place] ^= 1
    let services = try TrustedServices.of([.of(own.signer.issuer, [.of()])])
    let judge = DocumentJudge(trust: nil, services: services, at: own.time(1))
    let report = try judge.judge(ByteSource(file)).signatures[0]
    #expect(report.outcome == .false && report[.chain] == .proved)
    #expect(report.qualification == nil && report.isQualified == nil && report.quality == nil)
    for (next, age) in [(own.time(0), "old"), (nil, "closed")] as [(UTCTime?, String)] {
      let list = ListState(
        territory: "IT", sequenceNumber: 1, issued: 1, nextUpdate: next, fetched: 1)
      let old = try own.report([.of(own.signer.issuer, [.of()])], lists: [list])
      #expect(old.isQualified == true && old.listAge?.key == "signed.trust." + age)
    }
  }

  /// Time stamps of services for them prove a time; others leave everything as it is without authorities.
  @Test func stamps() throws {
    let own = try Self.own.get()
    let server = try StampServer()
    let file = try Signed.extended(own.file, Raising(.t, server))
    let token = try #require(SignedData(ByteSource(file)).signers[0].timeStamp)
    let stamp = try TimeStampToken(token)
    let stamper = try #require(stamp.data.certificates.first)
    let issuer = server.trust.certificates[0]
    func report(_ certificate: Certificate, _ periods: [Period]) throws -> SignatureReport {
      let services: [TrustedService] = [
        .of(
          own.signer.issuer,
          [.of(.withdrawn, since: UTCTime(seconds: stamp.time.seconds + 10)), .of()]),
        .of(certificate, periods),
      ]
      return try DocumentJudge(trust: nil, services: .of(services), at: StampServer.time)
        .judge(ByteSource(file)).signatures[0]
    }
    func period(_ status: TrustedService.Status = .granted, _ seconds: Int64 = -100) -> Period {
      .of(status, since: UTCTime(seconds: stamp.time.seconds + seconds), .timeStamps, for: [])
    }
    // The signer's service was withdrawn after the time stamp, so its time decides.
    for certificate in [issuer, stamper] {
      for periods in [[period()], [period(.withdrawn, 10), period()]] {
        let report = try report(certificate, periods)
        #expect(report.stampedTime == stamp.time && report[.timeStamp] == .proved)
        #expect(report.outcome == .proved && report.isQualified == true)
      }
      for periods in [
        [period(.withdrawn)], [period(.granted, 10)], [.of(since: 0, .certificates)],
        [period(.recognised)],
      ] {
        let report = try report(certificate, periods)
        #expect(report.stampedTime == nil && report[.timeStamp] == nil)
        #expect(report.hasTimeStamp && report.outcome == .couldNotCheck)
      }
    }
    let alone = try DocumentJudge(
      trust: nil, services: .of([.of(issuer, [period()])]), at: StampServer.time
    ).judge(ByteSource(token))
    #expect(alone.signatures[0].trustedBy != nil)
  }
}
