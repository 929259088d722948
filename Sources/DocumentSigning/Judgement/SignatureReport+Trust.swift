public import Primitives

extension SignatureReport {
  /// The service of a trusted list that vouches for a signer's certificate or a time stamp.
  public struct TrustedBy: Sendable, Equatable {
    /// The provider's name (ETSI TS 119 612 §5.4.1).
    public let provider: String
    /// The service's name when the certificate was issued, or the time stamp made (§5.5.2).
    public let service: String
    /// The list that has it.
    public let list: ListState
    /// True if a newer list must have been issued by the time of judging.
    public let isListOld: Bool
    /// The day on which the signer's certificate was issued.
    public let issued: UTCTime
    /// True if a state recognises the service without qualifying it, as that of its identity cards.
    public let isNational: Bool
    /// The quality of the signature if everything else is proved, too.
    let qualification: Qualification
  }

  /// The quality of a signature, by the conclusions of ETSI TS 119 615 §4.6.
  public enum Qualification: String, Sendable, CaseIterable {
    /// Qualified electronic signature: qualified certificate for signatures, its key in a qualified device.
    case qualifiedSignature = "QESig"
    /// Qualified electronic seal.
    case qualifiedSeal = "QESeal"
    /// Advanced electronic signature with a qualified certificate.
    case signature = "AdESig-QC"
    /// Advanced electronic seal with a qualified certificate.
    case seal = "AdESeal-QC"
    /// Signature with a certificate that is not qualified.
    case advanced = "AdESig"
    /// Seal with a certificate that is not qualified.
    case advancedSeal = "AdESeal"
    /// Made with a certificate that is for neither signatures nor seals.
    case other = "AdES"
    /// Qualified time stamp.
    case timeStamp = "QTST"
    /// Certificate and list contradict each other, or a condition of the list is not known.
    case undetermined
  }

  /// The quality; nil if the signature is not proved, or without a trusted list that has its issuer.
  public var qualification: Qualification? { isProved ? trustedBy?.qualification : nil }

  /// True for a qualified signature, seal or time stamp: Regulation (EU) 910/2014, articles 3 (12), 3 (27) and 3 (34); false
  /// for an advanced one with a qualified certificate. Nil if nothing is known.
  public var isQualified: Bool? {
    switch qualification {
    case .qualifiedSignature, .qualifiedSeal, .timeStamp: true
    case .signature, .seal, .advanced, .advancedSeal, .other: false
    case .undetermined, nil: nil
    }
  }
}
