internal import CIECard

/// A service of a trusted list that issues certificates, time stamps, or words about revocations, with its history
/// (ETSI TS 119 612 §5.5, §5.6).
struct TrustedService: Sendable, Equatable {
  /// The state or body whose list has it: two capital letters (§5.3.10).
  let territory: String
  /// The provider's name (§5.4.1), in Italian or else in English where the list has it.
  let provider: String
  /// The certificates among its digital identities (§5.5.3); empty if it is known by name and key identifier alone.
  let certificates: [Certificate]
  /// The key identifiers among its digital identities.
  let keyIdentifiers: [[UInt8]]
  /// Its states, the newest first: each ends where the one before it in this list begins.
  let periods: [Period]

  /// True if the other service is of the same provider on the same list.
  func isOfSameProvider(as other: TrustedService) -> Bool {
    territory == other.territory && provider == other.provider
  }

  /// One state of a service, from a moment on (§5.5.4, §5.5.5, §5.6.4).
  struct Period: Sendable, Equatable {
    /// The service's name at that time (§5.5.2), in Italian or else in English.
    let name: String
    let kind: Kind
    let status: Status
    let start: UTCTime
    /// The uses of certificates that it issues (§5.5.9.4); empty if the list does not say.
    let uses: Set<Use>
    /// Qualifiers of some of the certificates that it issues (§5.5.9.2).
    let qualifications: [Qualification]
    /// Since when revocations of expired certificates stay in its lists (§5.5.9.1); nil if they do not.
    let keepsExpiredSince: UTCTime?
    /// True if an extension is critical that is not known: nothing can be concluded from this state (§5.5.9).
    let hasUnknownExtension: Bool
  }

  /// Types of services that count for signatures (§5.5.1, §D.3); all others are left out when a list is read.
  enum Kind: String, Sendable {
    /// Issues qualified certificates: CA/QC.
    case certificates = "CA/QC"
    /// Makes qualified time stamps: TSA/QTST.
    case timeStamps = "TSA/QTST"
    /// Answers about the revocation of qualified certificates: Certstatus/OCSP/QC.
    case statusAnswers = "Certstatus/OCSP/QC"
    /// Lists revoked qualified certificates: Certstatus/CRL/QC.
    case statusLists = "Certstatus/CRL/QC"
    /// The same for certificates that are not qualified, too: Certstatus/OCSP and Certstatus/CRL.
    case otherStatusAnswers = "Certstatus/OCSP"
    case otherStatusLists = "Certstatus/CRL"
    /// Makes advanced signatures, such as those of the Italian identity card: AdESGeneration.
    case advancedSignatures = "AdESGeneration"

    /// True if it speaks about revocations.
    var isAboutStatus: Bool {
      switch self {
      case .statusAnswers, .statusLists, .otherStatusAnswers, .otherStatusLists: true
      case .certificates, .timeStamps, .advancedSignatures: false
      }
    }

    /// True for the types of qualified services: their state is `granted` or not.
    var isQualified: Bool {
      switch self {
      case .certificates, .timeStamps, .statusAnswers, .statusLists: true
      case .otherStatusAnswers, .otherStatusLists, .advancedSignatures: false
      }
    }
  }

  /// The status, by its last word in the URI (§5.5.4, §D.5).
  enum Status: String, Sendable {
    case granted, withdrawn
    /// Those of lists before Regulation (EU) 910/2014, 1 July 2016.
    case underSupervision = "undersupervision"
    case supervisionInCessation = "supervisionincessation"
    case supervisionCeased = "supervisionceased"
    case supervisionRevoked = "supervisionrevoked"
    case accredited
    case accreditationCeased = "accreditationceased"
    case accreditationRevoked = "accreditationrevoked"
    /// Those of services that are not qualified.
    case recognised = "recognisedatnationallevel"
    case deprecated = "deprecatedatnationallevel"
    /// Any other.
    case other

    /// True if the service was allowed to do what its type says (TS 119 615 §4.3).
    var isGranted: Bool {
      switch self {
      case .granted, .underSupervision, .supervisionInCessation, .accredited: true
      case .withdrawn, .supervisionCeased, .supervisionRevoked, .accreditationCeased,
        .accreditationRevoked, .recognised, .deprecated, .other:
        false
      }
    }

    /// True if the state recognised a service that is not qualified.
    var isRecognised: Bool { self == .recognised }
  }

  /// Uses of certificates: ForeSignatures, ForeSeals, ForWebSiteAuthentication (§5.5.9.4).
  enum Use: String, Sendable {
    case signatures = "ForeSignatures"
    case seals = "ForeSeals"
    case webSites = "ForWebSiteAuthentication"
  }

  /// Qualifiers of the certificates that meet a criterion (§5.5.9.2).
  struct Qualification: Sendable, Equatable {
    let qualifiers: Set<Qualifier>
    let criterion: Criterion
  }

  /// §5.5.9.2.3, by the last word of the URI.
  enum Qualifier: String, Sendable {
    case qualified = "QCStatement"
    case notQualified = "NotQualified"
    case withQSCD = "QCWithQSCD"
    case noQSCD = "QCNoQSCD"
    case qscdAsInCertificate = "QCQSCDStatusAsInCert"
    case qscdOnBehalf = "QCQSCDManagedOnBehalf"
    case withSSCD = "QCWithSSCD"
    case noSSCD = "QCNoSSCD"
    case sscdAsInCertificate = "QCSSCDStatusAsInCert"
    case forLegalPerson = "QCForLegalPerson"
    case forSignature = "QCForESig"
    case forSeal = "QCForESeal"
    case forWebSite = "QCForWSA"
    /// Any other: it has no meaning here.
    case other
  }

  /// A condition on a certificate (§5.5.9.2.2).
  indirect enum Criterion: Sendable, Equatable {
    case all([Criterion])
    case any([Criterion])
    case none([Criterion])
    /// Bits of keyUsage by their numbers in RFC 5280 §4.2.1.3, and whether each must be set.
    case keyUsage([Int: Bool])
    /// Dotted identifiers of policies, all of which the certificate must have.
    case policies([String])
    /// Dotted identifiers of extended key usages, all of which it must have.
    case extendedKeyUsages([String])
    /// Dotted identifiers of attributes, all of which its subject must have.
    case subjectAttributes([String])
    /// A condition that is not known: whether it holds cannot be said.
    case unknown
  }
}
