/// The ends of a validation (ETSI EN 319 102-1 §5.1.3).
public enum Indication: String, Sendable {
  case passed
  /// Disproved: no further information makes it right.
  case failed
  /// Neither, with what is known.
  case indeterminate
}

/// The reasons for an end that is not `passed`, by the names of ETSI EN 319 102-1 tables 5 and 6.
public enum Subindication: String, Sendable, CaseIterable {
  case formatFailure = "FORMAT_FAILURE"
  case hashFailure = "HASH_FAILURE"
  case signatureCryptoFailure = "SIG_CRYPTO_FAILURE"
  case revoked = "REVOKED"
  case signatureConstraintsFailure = "SIG_CONSTRAINTS_FAILURE"
  case chainConstraintsFailure = "CHAIN_CONSTRAINTS_FAILURE"
  case certificateChainGeneralFailure = "CERTIFICATE_CHAIN_GENERAL_FAILURE"
  case cryptoConstraintsFailure = "CRYPTO_CONSTRAINTS_FAILURE"
  case timeStampOrderFailure = "TIMESTAMP_ORDER_FAILURE"
  case noSigningCertificateFound = "NO_SIGNING_CERTIFICATE_FOUND"
  case noCertificateChainFound = "NO_CERTIFICATE_CHAIN_FOUND"
  case revokedWithoutProofOfExistence = "REVOKED_NO_POE"
  case authorityRevokedWithoutProofOfExistence = "REVOKED_CA_NO_POE"
  case outOfBoundsWithoutProofOfExistence = "OUT_OF_BOUNDS_NO_POE"
  case tryLater = "TRY_LATER"
  case signedDataNotFound = "SIGNED_DATA_NOT_FOUND"
  case generic = "GENERIC"
}

extension SignatureVerdict {
  /// The reason by its standard name; nil when the point is proved.
  public var subindication: Subindication? {
    switch self {
    case .proved: nil
    case .false(let falsehood): falsehood.subindication
    case .couldNotCheck(let obstacle): obstacle.subindication
    }
  }
}

extension SignatureVerdict.Falsehood {
  fileprivate var subindication: Subindication {
    switch self {
    case .noSignedAttributes, .malformedAttributes, .attributeMissing, .attributeRepeated,
      .contentTypeDiffers, .algorithmsDiffer, .coverage, .malformedSignature,
      .malformedTimeStamp:
      .formatFailure
    case .contentsAltered, .otherContents, .otherImprint, .archiveAltered: .hashFailure
    // The key of the certificate that the signer named did not make it, or the issuer's key not the certificate.
    case .signatureWrong, .otherCertificate, .notIssued: .signatureCryptoFailure
    case .revoked: .revoked
    }
  }
}

extension SignatureVerdict.Obstacle {
  fileprivate var subindication: Subindication {
    switch self {
    case .noContents: .signedDataNotFound
    case .noCertificate, .notStated: .noSigningCertificateFound
    case .unsupportedAlgorithm, .weakAlgorithm, .weakKey, .recoverableKey:
      .cryptoConstraintsFailure
    case .algorithmsDisagree, .malformedTime, .digestInfo, .claimsFuture, .claimsOtherTime,
      .timeInside, .notDetached, .bytesBehind, .unknownAttribute:
      .signatureConstraintsFailure
    case .chainRefused, .notASigner, .notATimeStamper, .serviceNotGranted, .serviceNotListedYet,
      .serviceUnclear:
      .chainConstraintsFailure
    case .noTrustStore, .issuerUnknown, .noChain, .servicesUnreadable: .noCertificateChainFound
    case .strayCertificate, .strayEvidence, .deltaList, .indirectList, .partialList,
      .unknownListExtension:
      .certificateChainGeneralFailure
    case .expired, .notYetValid: .outOfBoundsWithoutProofOfExistence
    case .revokedSince(_, isAuthority: true): .authorityRevokedWithoutProofOfExistence
    case .revokedSince(_, isAuthority: false): .revokedWithoutProofOfExistence
    case .revocationUnknown: .tryLater
    case .unsupportedFormat, .clockEarly, .notReached, .noMemory: .generic
    }
  }
}
