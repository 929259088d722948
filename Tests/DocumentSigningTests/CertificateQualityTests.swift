import CIECard
import Primitives
import Testing

@testable import DocumentSigning

/// Conclusions about certificates by ETSI TS 119 615 §4.4 and §4.5, case by case.
@Suite struct CertificateQualityTests {
  private typealias Service = TrustedService
  private static let now: UTCTime = 1_700_000_000
  private static let before: UTCTime = 1_400_000_000

  private static func quality(
    _ statements: [String], _ types: [String]?, _ period: Service.Period,
    issued: UTCTime = now, _ extensions: [String] = []
  ) throws -> CertificateQuality {
    let signer = try QualifiedSigner(
      statements: statements, types: types,
      ["keyUsage=critical,nonRepudiation", "extendedKeyUsage=emailProtection"] + extensions)
    return CertificateQuality(signer.certificate.ownStatements, issued: issued, by: period)
  }

  private static func known(
    _ isQualified: Bool, _ use: Service.Use?, device: Bool = false
  ) -> CertificateQuality {
    .known(isQualified: isQualified, use: use, hasDevice: device)
  }

  private static func period(
    _ qualifiers: Set<Service.Qualifier>, if criterion: Service.Criterion = .keyUsage([1: true]),
    since start: UTCTime = ListState.july2016, for uses: Set<Service.Use> = [.signatures, .seals]
  ) -> Service.Period {
    .of(since: start, for: uses, [.init(qualifiers: qualifiers, criterion: criterion)])
  }

  /// The certificate's own words, with a list that says no more than its uses.
  @Test func ownStatements() throws {
    let period = Service.Period.of(for: [.signatures, .seals])
    let cases: [([String], [String]?, CertificateQuality)] = [
      ([QC.compliance, QC.device], [QC.signature], Self.known(true, .signatures, device: true)),
      ([QC.compliance, QC.device], [QC.seal], Self.known(true, .seals, device: true)),
      ([QC.compliance], [QC.signature], Self.known(true, .signatures)),
      ([QC.compliance], nil, Self.known(true, .signatures)),
      ([QC.compliance], [QC.webSite], Self.known(false, .webSites)),
      ([QC.device], [QC.signature], Self.known(false, .signatures)),
      ([QC.device], [QC.seal], Self.known(false, .seals)),
      ([], nil, Self.known(false, nil)),
      ([QC.compliance, QC.legislation], [QC.signature], Self.known(false, .signatures)),
      ([QC.compliance], [QC.signature, QC.seal], .undetermined),
      ([QC.compliance], ["1.2.3"], .undetermined),
      ([QC.compliance], [], Self.known(true, .signatures)),
    ]
    for (statements, types, expected) in cases {
      let found = try Self.quality(statements, types, period)
      #expect(found == expected, "\(statements), \(String(describing: types))")
    }
    let own = [QC.compliance, QC.device]
    #expect(try Self.quality(own, [QC.signature], .of(for: [])) == .undetermined)
    #expect(
      try Self.quality(own, [QC.signature], .of(for: [.seals])) == Self.known(false, .signatures))
  }

  /// Before the regulation policies said it, and lists had other qualifiers.
  @Test func before2016() throws {
    let old = Service.Period.of(.accredited, since: Self.before, for: [])
    func policy(_ last: Int) -> [String] { ["certificatePolicies=0.4.0.1456.1.\(last)"] }
    for (statements, last, expected) in [
      ([], 1, Self.known(true, .signatures, device: true)), ([], 2, Self.known(true, .signatures)),
      ([], 3, Self.known(false, nil)), ([QC.device], 3, Self.known(false, nil)),
      ([QC.compliance, QC.device], 3, Self.known(true, .signatures, device: true)),
    ] as [([String], Int, CertificateQuality)] {
      let found = try Self.quality(statements, nil, old, issued: Self.before, policy(last))
      #expect(found == expected, "\(statements), \(last)")
    }
    // Such a certificate keeps its rules when it signs later; a new one cannot use them.
    let new = Service.Period.of()
    #expect(
      try Self.quality([], nil, new, issued: Self.before, policy(1))
        == Self.known(true, .signatures, device: true))
    #expect(try Self.quality([], nil, new, policy(1)) == Self.known(false, nil))
    func device(_ qualifier: Service.Qualifier, _ start: UTCTime) throws -> CertificateQuality {
      try Self.quality(
        [QC.compliance], nil, Self.period([qualifier], since: start), issued: Self.before)
    }
    let (with, without) = (
      Self.known(true, .signatures, device: true), Self.known(true, .signatures)
    )
    #expect(try device(.withSSCD, Self.before) == with)
    #expect(try device(.withQSCD, Self.before) == without)
    #expect(try device(.withSSCD, ListState.july2016) == without)
    #expect(try device(.withQSCD, ListState.july2016) == with)
  }

  /// Each qualifier alone, and those that exclude each other.
  @Test func qualifiers() throws {
    let bare: ([String], [String]?) = ([QC.compliance], [QC.signature])
    let full: ([String], [String]?) = ([QC.compliance, QC.device], [QC.signature])
    let cases: [(([String], [String]?), Set<Service.Qualifier>, CertificateQuality)] = [
      (([], [QC.signature]), [.qualified], Self.known(true, .signatures)),
      (([], nil), [.qualified], .undetermined),
      (([], nil), [.qualified, .forSeal], Self.known(true, .seals)),
      (full, [.notQualified], Self.known(false, .signatures)),
      (bare, [.withQSCD], Self.known(true, .signatures, device: true)),
      (bare, [.qscdOnBehalf], Self.known(true, .signatures, device: true)),
      (bare, [.qscdAsInCertificate], Self.known(true, .signatures)),
      (full, [.qscdAsInCertificate], Self.known(true, .signatures, device: true)),
      (full, [.noQSCD], Self.known(true, .signatures)),
      (full, [.forSeal], Self.known(true, .seals, device: true)),
      (full, [.forSignature], Self.known(true, .signatures, device: true)),
      (([QC.compliance], [QC.signature, QC.seal]), [.forSeal], Self.known(true, .seals)),
      (full, [.other], Self.known(true, .signatures, device: true)),
      (([QC.compliance], [QC.seal]), [.forLegalPerson], Self.known(true, .seals)),
      (([], [QC.signature]), [.withQSCD], Self.known(false, .signatures)),
      (full, [.forWebSite], .undetermined), (full, [.qualified, .notQualified], .undetermined),
      (full, [.forSignature, .forSeal], .undetermined),
      (full, [.forSignature, .forLegalPerson], .undetermined),
      (full, [.forLegalPerson], Self.known(false, .signatures)),
      // Contrary words about the device show none, as those of the old law alone.
      (full, [.withQSCD, .noQSCD], Self.known(true, .signatures)),
      (full, [.noQSCD, .qscdAsInCertificate], Self.known(true, .signatures)),
      (full, [.withSSCD, .noQSCD], Self.known(true, .signatures)),
      (full, [.withQSCD, .qscdAsInCertificate], Self.known(true, .signatures)),
      (full, [.withSSCD], Self.known(true, .signatures)),
      (full, [.noSSCD], Self.known(true, .signatures)),
      (bare, [.withSSCD, .withQSCD], Self.known(true, .signatures, device: true)),
    ]
    for (certificate, qualifiers, expected) in cases {
      let found = try Self.quality(certificate.0, certificate.1, Self.period(qualifiers))
      #expect(found == expected, "\(certificate), \(qualifiers)")
    }
  }

  /// States about certificates of this use, and of others.
  @Test func concerned() throws {
    let own = try QualifiedSigner().certificate.ownStatements
    func concerns(_ period: Service.Period) -> Bool {
      CertificateQuality.concerns(own, issued: Self.now, by: period)
    }
    #expect(concerns(.of(for: [.signatures])) && !concerns(.of(for: [.seals])))
    #expect(concerns(Self.period([.forSeal], for: [.seals])))
    #expect(!concerns(Self.period([.forLegalPerson], for: [.signatures])))
    #expect(concerns(Self.period([.withQSCD], if: .unknown, for: [.seals])))
  }

  /// Each criterion, true, false and unknown, by what it does to a qualifier.
  @Test func criteria() throws {
    let held: [Service.Criterion] = [
      .keyUsage([1: true, 0: false, 5: false]), .policies(["1.2.3"]),
      .policies(["1.2.3", "1.2.4"]),
      .extendedKeyUsages(["1.3.6.1.5.5.7.3.4"]), .subjectAttributes(["2.5.4.3", "2.5.4.6"]),
      .all([.policies(["1.2.3"]), .keyUsage([1: true])]), .any([.unknown, .policies(["1.2.3"])]),
      .none([.policies(["9.9"]), .keyUsage([0: true])]), .any([.all([.policies(["1.2.4"])])]),
    ]
    let failed: [Service.Criterion] = [
      .keyUsage([0: true]), .keyUsage([1: false]), .policies(["1.2.3", "9.9"]),
      .extendedKeyUsages(["1.3.6.1.5.5.7.3.4", "1.3.6.1.5.5.7.3.2"]),
      .subjectAttributes(["2.5.4.10"]),
      .all([.unknown, .policies(["9.9"])]), .any([.policies(["9.9"])]),
      .none([.unknown, .policies(["1.2.3"])]),
    ]
    let unknown: [Service.Criterion] = [
      .unknown, .all([.unknown, .policies(["1.2.3"])]), .any([.unknown, .policies(["9.9"])]),
      .none([.unknown]), .all([]), .any([]), .none([]), .policies([]), .keyUsage([:]),
    ]
    func quality(_ criterion: Service.Criterion) throws -> CertificateQuality {
      try Self.quality(
        [QC.compliance], [QC.signature], Self.period([.withQSCD], if: criterion),
        ["certificatePolicies=1.2.3,1.2.4"])
    }
    for each in held {
      #expect(try quality(each) == Self.known(true, .signatures, device: true), "\(each)")
    }
    for each in failed { #expect(try quality(each) == Self.known(true, .signatures), "\(each)") }
    for each in unknown { #expect(try quality(each) == .undetermined, "\(each)") }
  }

  /// Statements that cannot be read prove nothing.
  @Test func malformed() throws {
    for bytes in ["0400", "3002", "30043002", "300630040400"] {
      let signer = try QualifiedSigner(
        statements: [], types: nil, ["1.3.6.1.5.5.7.1.3=DER:" + bytes])
      #expect(signer.certificate.ownStatements == nil, "\(bytes)")
    }
    #expect(CertificateQuality(nil, issued: Self.now, by: .of()) == .undetermined)
  }
}
