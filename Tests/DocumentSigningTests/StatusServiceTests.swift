import CIECard
import Primitives
import Testing

@testable import DocumentSigning

/// Answers about revocations by services of a trusted list, and by anybody about certificates that ended.
@Suite struct StatusServiceTests {
  private typealias Made = MadeAuthority
  private typealias Period = TrustedService.Period
  private typealias Word = MadeAuthority.Word

  /// An issuer, a certificate of it until 2018, and services for both kinds of answers.
  private struct Case: Sendable {
    let issuer: Made
    let certificate: Certificate
    let responder: Made
    let listSigner: Made

    init() throws {
      issuer = try Made(
        "Issuer of status", [Made.authority, Made.usage(5, 6)], from: StatusServiceTests.early)
      certificate = try Made(
        "Holder of status", [Made.usage(1)], from: StatusServiceTests.early,
        to: StatusServiceTests.end, by: issuer
      ).certificate
      responder = try Made(
        "Responder", [Made.usage(0), Made.purpose(StatusServiceTests.answering)])
      listSigner = try Made("Issuer of status", keyOf: "List signer", [Made.usage(6)])
    }

    /// The status by the words of a file, with the services of a list.
    func status(
      responses: [[UInt8]] = [], lists: [[UInt8]] = [], _ services: [TrustedService],
      territories: [String] = ["IT", "BE"]
    ) throws -> CertificateStatus? {
      var evidence = RevocationEvidence()
      (evidence.responses, evidence.lists) = (responses, lists)
      let judge = ServiceJudge(
        services: try .of(services, lists: territories.map { .of($0) }),
        present: StatusServiceTests.now)
      let known = [certificate, issuer.certificate]
      let delegates = try judge.delegates(of: issuer.certificate)
      let status = evidence.status(
        of: certificate, issuer: issuer.certificate, beside: delegates)
      #expect(
        evidence.concerns(known) { (try? judge.delegates(of: $0)) ?? StatusDelegates() }
          == (status != nil))
      // Without the list none of these signers may speak.
      #expect(!evidence.concerns(known))
      return status
    }

    func issuing(_ periods: [Period] = [.of()]) -> TrustedService {
      .of(issuer.certificate, periods)
    }
  }

  private static let own = Result { try Case() }

  private static let answering = "1.3.6.1.5.5.7.3.9"
  private static let early: UTCTime = 1_480_000_000
  private static let then: UTCTime = 1_500_000_000
  private static let end: UTCTime = 1_520_000_000
  private static let now: UTCTime = 1_600_000_000

  private func period(
    _ kind: TrustedService.Kind, _ status: TrustedService.Status = .granted,
    since start: UTCTime = ListState.july2016, isUnclear: Bool = false
  ) -> Period { .of(status, since: start, kind, for: [], isUnclear: isUnclear) }

  /// A responder on the list of the issuer's provider: when its word counts.
  @Test func responders() throws {
    let own = try Self.own.get()
    let good = try own.responder.response(
      about: own.certificate, of: own.issuer.certificate, Word(Self.then))
    func status(
      _ periods: [Period], territory: String = "IT", provider: String = "Prova S.p.A.",
      _ response: [UInt8]? = nil
    ) throws -> CertificateStatus? {
      try own.status(
        responses: [response ?? good],
        [
          own.issuing(),
          .of(own.responder.certificate, periods, territory: territory, provider: provider),
        ])
    }
    let granted = try status([period(.statusAnswers)])
    #expect(granted?.thisUpdate == Self.then && granted?.revokedAt == nil)
    let kind = TrustedService.Kind.statusAnswers
    let other = TrustedService.Kind.otherStatusAnswers
    let after = UTCTime(seconds: Self.then.seconds + 1)
    for periods in [
      [period(other)], [period(other, .recognised)],
      [period(kind, .withdrawn, since: after), period(kind)],
      [period(kind, since: Self.then)], [period(kind), period(kind, .underSupervision, since: 1)],
    ] { #expect(try status(periods) != nil, "\(periods)") }
    for periods in [
      [period(kind, .withdrawn)], [period(kind, .withdrawn, since: Self.then), period(kind)],
      [period(kind, since: after)], [period(kind, isUnclear: true)], [period(kind, .recognised)],
      [period(kind, .accredited)], [period(other, .deprecated)], [period(.statusLists)],
      [period(.otherStatusLists)], [.of()], [period(.timeStamps)],
    ] { #expect(try status(periods) == nil, "\(periods)") }
    // Another provider, another state, and both.
    #expect(try status([period(kind)], provider: "Altra S.p.A.") == nil)
    #expect(try status([period(kind)], territory: "BE") == nil)
    #expect(try status([period(kind)], territory: "BE", provider: "Altra S.p.A.") == nil)
    // The provider has to be that of this issuer.
    #expect(
      try own.status(
        responses: [good], [.of(own.responder.certificate, [period(kind)])]) == nil)
    let namesake = try Made("Issuer of status", keyOf: "Namesake", [Made.authority])
    #expect(
      try own.status(
        responses: [good],
        [.of(namesake.certificate, [.of()]), .of(own.responder.certificate, [period(kind)])])
        == nil)
    // A revocation counts as well.
    let revoked = try own.responder.response(
      about: own.certificate, of: own.issuer.certificate, Word(Self.then, revokedAt: Self.early))
    #expect(try status([period(kind)], revoked)?.revokedAt == Self.early)
    #expect(try status([period(kind)], territory: "BE", revoked) == nil)
    // A changed signature, and one of another key with the same name.
    var changed = good
    changed[changed.count - 1] ^= 1
    #expect(try status([period(kind)], changed) == nil)
    let stranger = try Made(
      "Responder", keyOf: "Stranger", [Made.usage(0), Made.purpose(Self.answering)])
    let foreign = try stranger.response(
      about: own.certificate, of: own.issuer.certificate, Word(Self.then))
    #expect(try status([period(kind)], foreign) == nil)
  }

  /// The certificate of a responder must be for that, and valid.
  @Test func usage() throws {
    let own = try Self.own.get()
    func isHeard(
      _ extensions: [Made.Extension], from start: UTCTime = 0, to end: UTCTime = 4_000_000_000
    ) throws -> Bool {
      let responder = try Made("Responder", extensions, from: start, to: end)
      let response = try responder.response(
        about: own.certificate, of: own.issuer.certificate, Word(Self.then))
      return try own.status(
        responses: [response],
        [own.issuing(), .of(responder.certificate, [period(.statusAnswers)])]) != nil
    }
    let answering = Made.purpose(Self.answering)
    #expect(try isHeard([answering]) && isHeard([answering, Made.usage(1)]))
    #expect(try !isHeard([Made.usage(0)]) && !isHeard([answering, Made.usage(5)]))
    #expect(try !isHeard([Made.usage(0), Made.purpose("1.3.6.1.5.5.7.3.8")]))
    #expect(try !isHeard([answering], from: UTCTime(seconds: Self.then.seconds + 1)))
    #expect(try !isHeard([answering], to: UTCTime(seconds: Self.then.seconds - 1)))
  }

  /// A CRL in the issuer's name by another key, which the list has.
  @Test func lists() throws {
    let own = try Self.own.get()
    func status(
      _ signer: Made, _ periods: [Period], _ word: Word = Word(Self.then),
      territory: String = "IT", provider: String = "Prova S.p.A."
    ) throws -> CertificateStatus? {
      try own.status(
        lists: [signer.list(about: own.certificate, word)],
        [
          own.issuing(),
          .of(signer.certificate, periods, territory: territory, provider: provider),
        ])
    }
    let kind = TrustedService.Kind.statusLists
    #expect(try status(own.listSigner, [period(kind)])?.thisUpdate == Self.then)
    #expect(try status(own.listSigner, [period(.otherStatusLists, .recognised)]) != nil)
    let revoked = Word(Self.then, revokedAt: Self.early)
    #expect(try status(own.listSigner, [period(kind)], revoked)?.revokedAt == Self.early)
    for periods in [
      [period(kind, .withdrawn)], [period(kind, since: Self.now)], [period(.statusAnswers)],
      [period(kind, isUnclear: true)],
    ] { #expect(try status(own.listSigner, periods, revoked) == nil) }
    #expect(try status(own.listSigner, [period(kind)], revoked, territory: "BE") == nil)
    #expect(try status(own.listSigner, [period(kind)], revoked, provider: "Altra S.p.A.") == nil)
    // One for parts of the certificates, and those of other names, are not the issuer's.
    #expect(try status(own.listSigner, [period(kind)], Word(Self.then, hasPoint: true)) == nil)
    let other = try Made("Other name", keyOf: "List signer", [Made.usage(6)])
    #expect(try status(other, [period(kind)], revoked) == nil)
    for extensions in [[], [Made.usage(0)], [Made.usage(5)]] {
      let signer = try Made("Issuer of status", keyOf: "List signer", extensions)
      #expect(try status(signer, [period(kind)], revoked) == nil)
    }
    let late = try Made(
      "Issuer of status", keyOf: "List signer", [Made.usage(6)],
      to: UTCTime(seconds: Self.then.seconds - 1))
    #expect(try status(late, [period(kind)], revoked) == nil)
    var changed = try own.listSigner.list(about: own.certificate, revoked)
    changed[changed.count - 1] ^= 1
    let services = [own.issuing(), .of(own.listSigner.certificate, [period(kind)])]
    #expect(try own.status(lists: [changed], services) == nil)
  }

  /// The revocation may be by a service that a damaged index hides, although the issuer itself said nothing of it.
  @Test func damaged() throws {
    let own = try Self.own.get()
    let issuer = own.issuer.certificate
    var index = try ServiceIndex.bytes(
      of: [own.issuing(), .of(own.responder.certificate, [period(.statusAnswers)])], lists: [.of()])
    func verdict() throws -> SignatureVerdict? {
      var judge = SignerJudge(trust: [issuer, own.certificate], time: Self.then)
      judge.services = ServiceJudge(
        services: try TrustedServices(ByteSource(index)), present: Self.now)
      let word = try own.issuer.list(about: own.certificate, Word(Self.then))
      judge.store.add(SecurityStore([], RevocationEvidence(choices: [word])))
      var none: AuthorityExchanges?
      return judge.revocation(
        on: .found([own.certificate, issuer], by: nil), in: SignedData(), at: Self.then,
        claiming: nil, asking: &none)
    }
    #expect(try verdict() == .proved)
    // The line of the responder is the last.
    index[index.count - 20] ^= 1
    #expect(try verdict() == .couldNotCheck(.servicesUnreadable))
  }

  /// An issuer's own answer after the end of a certificate: it means something only if the certificate stays in it.
  @Test func ended() throws {
    let own = try Self.own.get()
    let issuer = own.issuer.certificate
    func statuses(
      _ word: Word, keptSince kept: UTCTime? = nil, _ status: TrustedService.Status = .granted,
      beside other: [TrustedService] = []
    ) throws -> [CertificateStatus?] {
      let service = own.issuing([.of(status, keepsExpiredSince: kept)])
      let judge = ServiceJudge(services: try .of([service] + other), present: Self.now)
      var answers = RevocationEvidence()
      answers.responses = [
        try own.issuer.response(about: own.certificate, of: issuer, word)
      ]
      var lists = RevocationEvidence()
      lists.lists = [try own.issuer.list(about: own.certificate, word)]
      let delegates = try judge.delegates(of: issuer)
      return [answers, lists].map {
        $0.status(of: own.certificate, issuer: issuer, beside: delegates)
      }
    }
    let after = UTCTime(seconds: Self.end.seconds + 1)
    for (word, kept, isHeard) in [
      (Word(Self.then), nil, true), (Word(Self.end), nil, true), (Word(Self.now), nil, false),
      (Word(Self.now, keepsExpired: Self.early), nil, true),
      (Word(Self.now, keepsExpired: Self.end), nil, true),
      (Word(Self.now, keepsExpired: after), nil, false), (Word(Self.now), Self.end, true),
      (Word(Self.now), after, false), (Word(Self.now, keepsExpired: after), Self.early, true),
      (Word(Self.now, revokedAt: Self.then), nil, true),
    ] as [(Word, UTCTime?, Bool)] {
      for status in try statuses(word, keptSince: kept) {
        #expect((status != nil) == isHeard, "\(word), \(String(describing: kept))")
        #expect(status?.revokedAt == (isHeard ? word.revokedAt : nil))
      }
    }
    // The list's word counts while the service is granted.
    #expect(try statuses(Word(Self.now), keptSince: Self.early, .withdrawn) == [nil, nil])
    // Of several services all must say so; one of another kind, or that ended, says nothing about it.
    for (period, isHeard) in [
      (.of(keepsExpiredSince: nil), false), (.of(keepsExpiredSince: after), false),
      (.of(keepsExpiredSince: Self.end), true), (.of(.granted, .timeStamps), true),
      (.of(.withdrawn), true),
    ] as [(TrustedService.Period, Bool)] {
      let other = TrustedService.of(issuer, [period], provider: "Altra S.p.A.")
      for status in try statuses(Word(Self.now), keptSince: Self.early, beside: [other]) {
        #expect((status != nil) == isHeard, "\(period)")
      }
    }
  }
}
