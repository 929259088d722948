import CIECard
import Glibc
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// The file of trusted services: what is written is read; what was changed is an error or is not found.
@Suite struct ServiceIndexTests {
  private typealias Period = TrustedService.Period

  private static let criteria: [TrustedService.Criterion] = [
    .unknown, .keyUsage([0: false, 1: true, 8: false]), .policies(["1.2.3", "0.4.0.1456.1.1"]),
    .extendedKeyUsages(["1.3.6.1.5.5.7.3.4"]), .subjectAttributes(["2.5.4.10"]),
    .all([.any([.none([.unknown]), .policies(["1.2"])]), .keyUsage([1: true])]), .all([]),
  ]

  private static func services() throws -> [TrustedService] {
    let signer = try QualifiedSigner()
    let full = TrustedService.Period(
      name: "Servizio \"di\" prova\n\u{1F600}", kind: .certificates, status: .granted, start: 1,
      uses: [.signatures, .seals, .webSites],
      qualifications: criteria.map { .init(qualifiers: [.qualified, .withQSCD], criterion: $0) },
      keepsExpiredSince: 7, hasUnknownExtension: true)
    let periods = [full, .of(.withdrawn, since: -1), .of(.other, .statusAnswers)]
    return [
      .of(signer.issuer, periods), .of(signer.namesake, [.of()], territory: "BE"),
      .of(signer.certificate, [.of(.recognised, .advancedSignatures)], keys: [[1, 2]]),
      .of(nil, [.of()], keys: [signer.issuer.keyDigest ?? [], [UInt8](repeating: 9, count: 20)]),
    ]
  }

  private static let lists = [
    ListState.of(),
    ListState(territory: "BE", sequenceNumber: 0, issued: 0, nextUpdate: nil, fetched: 5),
  ]

  /// The services that a reader finds for all names, keys and providers that were written.
  private static func found(
    _ index: TrustedServices, _ written: [TrustedService]
  ) throws(ServiceIndexError) -> [TrustedService] {
    var found: [TrustedService] = []
    for hash in Set(written.flatMap(\.certificates).map(\.subjectHash)).sorted() {
      found += try index.services(named: hash)
    }
    for key in written.filter(\.certificates.isEmpty).flatMap(\.keyIdentifiers) {
      found += try index.services(withKey: key)
    }
    for (place, service) in written.enumerated()
    where !written[..<place].contains(where: service.isOfSameProvider) {
      found += try index.statusServices(beside: service)
    }
    return found
  }

  @Test func roundTrip() throws {
    let services = try Self.services()
    let index = try TrustedServices.of(services, lists: Self.lists)
    #expect(index.lists == Self.lists)
    let found = try Self.found(index, services)
    #expect(found.count == 6)
    #expect(try index.statusServices(beside: services[0]) == [services[0]])
    #expect(try index.statusServices(beside: services[1]).isEmpty)
    for service in services { #expect(found.contains(service)) }
    #expect(try index.servicesByTerritory().mapValues(\.count) == ["IT": 3, "BE": 1])
    let stranger = try QualifiedSigner(subject: "/C=IT/CN=Other")
    #expect(try index.services(named: stranger.certificate.subjectHash).isEmpty)
    #expect(try index.services(withKey: [UInt8](repeating: 8, count: 20)).isEmpty)
    #expect(try TrustedServices.of([], lists: []).services(named: 0).isEmpty)
  }

  /// A name is found whatever its types of text and letters are (RFC 5280 §7.1); only a key that is computed counts.
  @Test func names() throws {
    let other = try QualifiedSigner(issuedBy: "/C=IT/O=PROVA/CN=qualified  ca")
    let signer = try QualifiedSigner()
    #expect(other.issuer.subject != signer.issuer.subject)
    #expect(other.issuer.subjectHash == signer.certificate.issuerHash)
    #expect(other.issuer.isOfSameHolder(as: signer.issuer))
    #expect(!signer.namesake.isOfSameHolder(as: signer.issuer))
    let claimed = try QualifiedSigner(
      "claimed", ["subjectKeyIdentifier=" + (signer.issuer.keyDigest ?? []).hexadecimal])
    #expect(claimed.certificate.keyIdentifier == signer.issuer.keyDigest)
    #expect(claimed.certificate.keyDigest != signer.issuer.keyDigest)
  }

  /// Every byte changed, and every prefix: what was written, less of it or an error, never anything else.
  @Test func damaged() throws {
    let period = Period.of(
      .withdrawn, since: 1, for: [.seals], [.init(qualifiers: [.noQSCD], criterion: .unknown)])
    let short = [1, 2, 3].map { (byte: UInt8) in
      TrustedService.of(nil, [period, .of()], keys: [[UInt8](repeating: byte, count: 20)])
    }
    try expectHarmless(short, by: 1)
    try expectHarmless(Self.services(), by: 31)
  }

  private func expectHarmless(_ services: [TrustedService], by step: Int) throws {
    let bytes = try ServiceIndex.bytes(of: services, lists: Self.lists)
    let all = try Self.found(TrustedServices(ByteSource(bytes)), services).count
    for place in stride(from: 0, to: bytes.count, by: step) {
      for change in [0x01, 0x80] as [UInt8] {
        var changed = bytes
        changed[place] ^= change
        do throws(ServiceIndexError) {
          let index = try TrustedServices(ByteSource(changed))
          #expect(index.lists == Self.lists)
          let found = try Self.found(index, services)
          #expect(found.count < all && found.allSatisfy(services.contains), "\(place)")
        } catch { #expect(error == .damaged) }
      }
    }
    for file in bytes.indices.map({ Array(bytes.prefix($0)) }) + [bytes + [0x0A]] {
      #expect(throws: ServiceIndexError.damaged) { try TrustedServices(ByteSource(file)) }
    }
  }

  /// Thousands of services of one name or key are refused, and read in little time; the others are found.
  @Test func crowded() throws {
    let signer = try QualifiedSigner()
    let one = TrustedService.of(signer.issuer, [.of()])
    let key = signer.issuer.keyDigest ?? []
    let many =
      [TrustedService](repeating: one, count: 300)
      + [TrustedService](repeating: .of(nil, [.of()], keys: [key]), count: 10_000)
    let index = try TrustedServices.of(many + [.of(signer.certificate, [.of()])])
    let limit = ServiceIndexError.crowded(limit: TrustedServices.most)
    #expect(throws: limit) { try index.services(named: signer.issuer.subjectHash) }
    #expect(throws: limit) { try index.services(withKey: key) }
    #expect(try index.services(named: signer.certificate.subjectHash).count == 1)
    let judge = DocumentJudge(
      trust: nil, services: index, at: UTCTime(seconds: signer.certificate.notBefore.seconds + 1))
    let report = try judge.judge(ByteSource(signer.signed())).signatures[0]
    #expect(report[.chain] == .couldNotCheck(.servicesUnreadable))
  }

  /// The file must be the owner's alone to change, and its folder.
  @Test func rights() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("index")
    #expect(throws: ServiceIndexError.absent) { try TrustedServices(indexAt: path) }
    try folder.write("index", ServiceIndex.bytes(of: Self.services(), lists: Self.lists))
    #expect(chmod(path, 0o644) == 0)
    #expect(try TrustedServices(indexAt: path).lists.count == 2)
    #expect(chmod(path, 0o646) == 0)
    #expect(throws: ServiceIndexError.writableByOthers) { try TrustedServices(indexAt: path) }
    #expect(chmod(path, 0o644) == 0)
    #expect(chmod(folder.path(""), 0o777) == 0)
    #expect(throws: ServiceIndexError.writableByOthers) { try TrustedServices(indexAt: path) }
    #expect(chmod(folder.path(""), 0o700) == 0)
    #expect(mkdir(folder.path("sub"), 0o700) == 0)
    #expect(throws: ServiceIndexError.unreadable(errno: EINVAL)) {
      try TrustedServices(indexAt: folder.path("sub"))
    }
  }
}
