internal import COpenSSL

extension RevocationList {
  /// A limit by which a CRL is not the whole word of its issuer about a certificate.
  ///
  /// It is judged here, because a library may overlook it: OpenSSL 3.0.19 takes a delta CRL for a complete one.
  package enum Limit: Sendable, Equatable {
    /// Only the changes since another CRL (deltaCRLIndicator, RFC 5280 §5.2.4), or entries that only such a list may have
    /// (removeFromCRL, §5.3.1).
    case delta
    /// Entries of other issuers (indirectCRL, §5.2.5; certificateIssuer, §5.3.3).
    case indirect
    /// Only some reasons, or attribute certificates only (§5.2.5).
    case partial
    /// A critical extension that is unknown, or one that is repeated or malformed (§5.2, §5.3).
    case unknownExtension
  }

  /// The certificates that a CRL is about.
  enum Subjects: Sendable, Equatable { case all, users, authorities, none }

  /// The identifiers of CRL extensions, dotted (RFC 5280 §5.2, §5.3).
  private enum Extension {
    static let deltaCRLIndicator = "2.5.29.27"
    static let issuingDistributionPoint = "2.5.29.28"
    static let certificateIssuer = "2.5.29.29"
    static let authorityKeyIdentifier = "2.5.29.35"
    /// X.509 (2008) §8.5.2.12.
    static let expiredCertsOnCRL = "2.5.29.60"
  }

  /// The extent of a CRL, by its extensions.
  struct Scope {
    var limit: Limit?
    var subjects = Subjects.all
    /// True if it is only for certificates that name its distribution point.
    var hasPoint = false
    /// The date since whose end certificates stay in it (expiredCertsOnCRL); nil if it does not say.
    var keepsExpired: UTCTime?

    /// Says nothing about any certificate.
    init(_ limit: Limit) { (self.limit, subjects) = (limit, .none) }
    init() {}
  }

  /// The limit of a CRL, and the certificates that it is about.
  static func scope(of list: OpaquePointer) -> Scope {
    var seen: Set<String> = []
    var scope = Scope()
    for index in 0..<max(0, X509_CRL_get_ext_count(list)) {
      guard let found = X509_CRL_get_ext(list, index),
        let object = X509_EXTENSION_get_object(found),
        let contents = X509_EXTENSION_get_data(found)
      else { return Scope(.unknownExtension) }
      let identifier = X509Value.dotted(object)
      guard seen.insert(identifier).inserted else { return Scope(.unknownExtension) }
      switch identifier {
      case Extension.deltaCRLIndicator: return Scope(.delta)
      case Extension.issuingDistributionPoint:
        let point = X509Value.octets(contents)
        guard let read = try? Self.scope(issuingDistributionPoint: point) else {
          return Scope(.unknownExtension)
        }
        if read.limit != nil { return read }
        (scope.subjects, scope.hasPoint) = (read.subjects, read.hasPoint)
      case Extension.authorityKeyIdentifier: break
      case Extension.expiredCertsOnCRL:
        scope.keepsExpired = X509Value.time(X509Value.octets(contents))
      default:
        guard X509_EXTENSION_get_critical(found) == 0 else { return Scope(.unknownExtension) }
      }
    }
    return entryLimit(of: list).map { Scope($0) } ?? scope
  }

  /// The limit by the extensions of entries: certificateIssuer is the only critical one that is known.
  private static func entryLimit(of list: OpaquePointer) -> Limit? {
    let entries = X509_CRL_get_REVOKED(list)
    for index in 0..<max(0, OPENSSL_sk_num(entries)) {
      guard let entry = OPENSSL_sk_value(entries, index).map({ OpaquePointer($0) }) else {
        return .unknownExtension
      }
      let reason = X509_REVOKED_get_ext_by_NID(entry, NID_crl_reason, -1)
      if reason >= 0, X509_REVOKED_get_ext(entry, reason).map(isRemoval) ?? true { return .delta }
      let place = X509_REVOKED_get_ext_by_critical(entry, 1, -1)
      guard place >= 0 else { continue }
      let object = X509_REVOKED_get_ext(entry, place).flatMap { X509_EXTENSION_get_object($0) }
      return object.map { X509Value.dotted($0) } == Extension.certificateIssuer
        ? .indirect : .unknownExtension
    }
    return nil
  }

  /// True for the reason removeFromCRL, by which OpenSSL takes an entry for none (RFC 5280 §5.3.1).
  private static func isRemoval(_ reason: OpaquePointer) -> Bool {
    let removeFromCRL: [UInt8] = [0x0A, 1, 8]
    return X509_EXTENSION_get_data(reason).map { X509Value.octets($0) == removeFromCRL } ?? true
  }

  /// Parses IssuingDistributionPoint (RFC 5280 §5.2.5): each member once, in the order of its tag. That the distribution
  /// point is one of the certificate's is left to OpenSSL.
  private static func scope(
    issuingDistributionPoint encoded: [UInt8]
  ) throws(TLVError) -> Scope {
    var outer = TLVCursor(encoded)
    var members = try outer.next(DER.sequence).contents
    var last: UInt32 = 0
    var found = Scope()
    while !members.isAtEnd {
      let member = try members.next()
      // [0] is constructed, the others are primitive.
      let number = member.tag & 0x1F
      guard member.tag == (number == 0 ? 0xA0 : 0x80 | number), last == 0 || number > last else {
        return Scope(.unknownExtension)
      }
      last = number
      let isSet = !member.bytes.allSatisfy { $0 == 0 }
      switch number {
      case 0: found.hasPoint = true
      case 1 where isSet: found.subjects = .users
      case 2 where isSet: found.subjects = found.subjects == .all ? .authorities : .none
      case 3: found.limit = .partial
      case 4 where isSet: found.limit = found.limit ?? .indirect
      case 5 where isSet: found.limit = found.limit ?? .partial
      case 1, 2, 4, 5: break
      default: return Scope(.unknownExtension)
      }
    }
    return outer.isAtEnd ? found : Scope(.unknownExtension)
  }
}
