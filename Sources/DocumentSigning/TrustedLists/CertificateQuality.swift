internal import CIECard

/// The quality of a certificate at a time, by its own statements and those of the service that issued it (ETSI TS 119 615
/// §4.4, §4.5).
enum CertificateQuality: Hashable {
  /// Statements contradict each other, or a condition is not known.
  case undetermined
  /// - Parameters:
  ///   - use: nil if it is stated neither by the certificate nor by the list.
  ///   - hasDevice: true if the key is in a qualified signature creation device.
  case known(isQualified: Bool, use: TrustedService.Use?, hasDevice: Bool)

  /// - Parameters:
  ///   - certificate: nil if its statements cannot be read.
  ///   - issued: the beginning of its validity.
  ///   - period: the state of the service at the time in question.
  init(
    _ certificate: CertificateStatements?, issued: UTCTime, by period: TrustedService.Period
  ) {
    guard let certificate, let qualifiers = period.qualifiers(of: certificate),
      !Self.isContradictory(qualifiers)
    else {
      self = .undetermined
      return
    }
    // A certificate from before the regulation keeps its rules (article 51), a list changed them on that day.
    let own = Own(certificate, isOld: issued < TrustedService.regulation)
    let isOld = period.start < TrustedService.regulation
    let isQualified =
      !qualifiers.contains(.notQualified) && (qualifiers.contains(.qualified) || own.isQualified)
    let named = Self.named(by: qualifiers)
    let use = isQualified && isOld ? .signatures : isQualified ? named.first ?? own.use : own.use
    let hasDevice = Self.device(qualifiers, isOld: isOld) ?? own.hasDevice
    guard isQualified, !isOld else {
      self = .known(isQualified: isQualified, use: use, hasDevice: isQualified && hasDevice)
      return
    }
    guard let use, !period.uses.isEmpty, named.isEmpty || period.uses.contains(use) else {
      self = .undetermined
      return
    }
    let isAllowed = Self.uses(of: period, qualifiers).contains(use)
    self = .known(isQualified: isAllowed, use: use, hasDevice: isAllowed && hasDevice)
  }

  private static let uses: [TrustedService.Qualifier: TrustedService.Use] = [
    .forSignature: .signatures, .forSeal: .seals, .forWebSite: .webSites,
  ]

  /// The uses that qualifiers name.
  private static func named(by qualifiers: Set<TrustedService.Qualifier>) -> [TrustedService.Use] {
    uses.filter { qualifiers.contains($0.key) }.map { $0.value }
  }

  /// That of a certificate whose service was not granted.
  init(withoutService certificate: CertificateStatements?, issued: UTCTime) {
    guard let certificate else {
      self = .undetermined
      return
    }
    let own = Own(certificate, isOld: issued < TrustedService.regulation)
    self = .known(isQualified: false, use: own.use, hasDevice: false)
  }

  /// True if a state of a service is about certificates of this use: a list may have an issuer once for signatures, and once
  /// for seals (TS 119 615 §4.4).
  static func concerns(
    _ certificate: CertificateStatements?, issued: UTCTime, by period: TrustedService.Period
  ) -> Bool {
    guard let certificate, issued >= TrustedService.regulation,
      let own = Own(certificate, isOld: false).use,
      // One whose conditions are not known may concern it.
      let qualifiers = period.qualifiers(of: certificate)
    else { return true }
    let uses = Self.uses(of: period, qualifiers)
    let named = Self.named(by: qualifiers)
    return uses.contains(own) || named.count == 1 && uses.isSuperset(of: named)
  }

  /// The uses of certificates with these qualifiers: legal persons do not sign, they seal.
  private static func uses(
    of period: TrustedService.Period, _ qualifiers: Set<TrustedService.Qualifier>
  ) -> Set<TrustedService.Use> {
    qualifiers.contains(.forLegalPerson) ? period.uses.subtracting([.signatures]) : period.uses
  }

  /// True if qualifiers exclude each other.
  private static func isContradictory(_ qualifiers: Set<TrustedService.Qualifier>) -> Bool {
    let exclusive: [[Set<TrustedService.Qualifier>]] = [
      [[.qualified], [.notQualified]],
      [[.forSignature], [.forSeal], [.forWebSite]],
      [[.forSignature], [.forLegalPerson]],
    ]
    return exclusive.contains { areOfSeveral($0, qualifiers) }
  }

  /// True if qualifiers are of more than one set of a group.
  private static func areOfSeveral(
    _ group: [Set<TrustedService.Qualifier>], _ qualifiers: Set<TrustedService.Qualifier>
  ) -> Bool {
    group.filter { !$0.isDisjoint(with: qualifiers) }.count > 1
  }

  /// The word of the list about the device; nil if it leaves that to the certificate. Contrary words, and those of the law
  /// before the regulation alone, show no device.
  private static func device(
    _ qualifiers: Set<TrustedService.Qualifier>, isOld: Bool
  ) -> Bool? {
    let exclusive: [Set<TrustedService.Qualifier>] = [
      [.withQSCD, .qscdOnBehalf, .withSSCD], [.noQSCD, .noSSCD],
      [.qscdAsInCertificate, .sscdAsInCertificate],
    ]
    let areOutdated =
      !isOld && !qualifiers.isDisjoint(with: [.withSSCD, .noSSCD])
      && qualifiers.isDisjoint(with: [.withQSCD, .qscdOnBehalf, .noQSCD])
    if areOutdated || areOfSeveral(exclusive, qualifiers) { return false }
    let (with, without): (Set<TrustedService.Qualifier>, TrustedService.Qualifier) =
      isOld ? ([.withSSCD], .noSSCD) : ([.withQSCD, .qscdOnBehalf], .noQSCD)
    if !with.isDisjoint(with: qualifiers) { return true }
    return qualifiers.contains(without) ? false : nil
  }

  /// The words of a certificate about itself (EN 319 412-5 §4.2, §4.3; TS 101 456 §5.2 for those of before the regulation).
  private struct Own {
    let isQualified: Bool
    let use: TrustedService.Use?
    let hasDevice: Bool

    init(_ certificate: CertificateStatements, isOld: Bool) {
      let states = certificate.statements
      let isCompliant = states.contains("0.4.0.1862.1.1")
      let withDevice = "0.4.0.1456.1.1"
      let hasOldPolicy =
        isOld && !certificate.policies.isDisjoint(with: [withDevice, "0.4.0.1456.1.2"])
      // A statement of the law (QcCClegislation) is that of another than the Union's.
      let isForeign = states.contains("0.4.0.1862.1.7")
      isQualified = !isForeign && (isCompliant || hasOldPolicy)
      hasDevice =
        states.contains("0.4.0.1862.1.4") || isOld && certificate.policies.contains(withDevice)
      let named = Self.types.filter { certificate.types.contains($0.key) }.map { $0.value }
      use =
        isOld
        ? (isCompliant || hasOldPolicy ? .signatures : nil)
        : certificate.types.isEmpty
          ? (isCompliant ? .signatures : nil) : named.count == 1 ? named.first : nil
    }

    /// id-etsi-qct-esign, -eseal, -web.
    private static let types: [String: TrustedService.Use] = [
      "0.4.0.1862.1.6.1": .signatures, "0.4.0.1862.1.6.2": .seals, "0.4.0.1862.1.6.3": .webSites,
    ]
  }
}
