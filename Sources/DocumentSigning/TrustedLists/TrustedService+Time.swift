internal import CIECard

/// The state of a service at a time, and the conditions of its qualifiers.
extension TrustedService {
  /// The beginning of Regulation (EU) 910/2014 where the lists are written: 1 July 2016 in Brussels.
  static let regulation = UTCTime(seconds: 1_467_324_000)

  /// The state at a time; nil if the list does not go back that far.
  func period(at time: UTCTime) -> Period? {
    periods.filter { $0.start <= time }.max { $0.start < $1.start }
  }
}

extension TrustedService.Period {
  /// True if the service was allowed to do what its type says: since the regulation by the status `granted` alone
  /// (TS 119 615 §4.4).
  func isGranted(at time: UTCTime) -> Bool {
    status.isGranted && (time < TrustedService.regulation || status == .granted)
  }

  /// The qualifiers of a certificate; nil if that of a condition which is not known is among them.
  func qualifiers(of certificate: CertificateStatements) -> Set<TrustedService.Qualifier>? {
    var found: Set<TrustedService.Qualifier> = []
    for qualification in qualifications {
      let meant = qualification.qualifiers.subtracting([.other])
      guard !meant.isEmpty else { continue }
      guard let holds = qualification.criterion.holds(for: certificate) else { return nil }
      if holds { found.formUnion(meant) }
    }
    return found
  }
}

extension TrustedService.Criterion {
  /// Nil if it cannot be said; an empty condition says nothing.
  func holds(for certificate: CertificateStatements) -> Bool? {
    func every(_ names: [String], in own: Set<String>) -> Bool? {
      names.isEmpty ? nil : own.isSuperset(of: names)
    }
    switch self {
    case .all(let parts):
      let results = parts.map { $0.holds(for: certificate) }
      return results.contains(false) ? false : results.isEmpty || results.contains(nil) ? nil : true
    case .any(let parts):
      let results = parts.map { $0.holds(for: certificate) }
      return results.contains(true) ? true : results.isEmpty || results.contains(nil) ? nil : false
    case .none(let parts): return Self.any(parts).holds(for: certificate).map { !$0 }
    case .keyUsage(let bits):
      return bits.isEmpty
        ? nil : bits.allSatisfy { certificate.keyUsage.contains($0.key) == $0.value }
    case .policies(let names): return every(names, in: certificate.policies)
    case .extendedKeyUsages(let names): return every(names, in: certificate.extendedKeyUsages)
    case .subjectAttributes(let names): return every(names, in: certificate.subjectAttributes)
    case .unknown: return nil
    }
  }
}
