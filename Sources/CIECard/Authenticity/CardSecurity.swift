/// EF.CardSecurity: the chip's SecurityInfos, signed like a document security object (Doc 9303-11 §9.2.11; BSI
/// TR-03110-3 §A.1.2.2).
///
/// To have parsed one means nothing yet: `signature` and a `TrustStore` have to speak for it.
struct CardSecurity: Sendable {
  /// The signed SecurityInfos, as stored.
  let securityInfos: [UInt8]
  /// The certificate of the signer, as the file brings it.
  let signer: Certificate
  /// Whether the embedded signer signed these contents.
  let signature: SecurityObject.Signature
  /// Whether SHA-1 takes part in the signature.
  let usesSHA1: Bool

  /// id-SecurityObject (BSI TR-03110-3 §A.1.2.2).
  static let contentType = "0.4.0.127.0.7.3.2.1"

  /// Parses the structure at the start of the file; what follows it is padding and is dropped.
  ///
  /// - Throws: `AuthenticityReport.SecurityObjectError`.
  init(file: [UInt8]) throws(AuthenticityReport.SecurityObjectError) {
    var cursor = TLVCursor(file)
    let encoded: [UInt8]
    do throws(TLVError) {
      encoded = [UInt8](try cursor.next(DER.sequence).encoded)
    } catch {
      throw .notASecurityObject
    }
    let signed = try CMSSignedData(securityObject: encoded)
    guard signed.contentType == Self.contentType else { throw .contentType(signed.contentType) }
    securityInfos = signed.content
    signer = try signed.signer()
    signature = SecurityObject.Signature(of: signed)
    usesSHA1 = signed.usesSHA1
  }
}

extension ChipMappingProof {
  /// Compares with the static keys that EF.CardSecurity names. Whether that file is genuine is for the report.
  func judge(cardSecurity file: [UInt8]) -> ChipAuthenticationResult {
    do {
      let infos = try SecurityInfos(CardSecurity(file: file).securityInfos)
      let offers = try ChipAuthenticationOffer.all(in: infos)
      guard !offers.isEmpty else { return .notOffered }
      if offers.contains(where: { isConfirmed(by: $0.publicValue, in: $0.domain) }) {
        return .proved
      }
      // The key in use may be one of those that cannot be calculated with.
      let isComplete = Set(offers.map(\.publicValue)).count == infos.chipAuthenticationKeys.count
      return isComplete ? .failed : .unsupported
    } catch {
      // A file or a key that is not understood says nothing of the chip.
      return .unsupported
    }
  }
}
