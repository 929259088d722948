/// EF.CardSecurity: the chip's SecurityInfos, signed like a document security object (Doc 9303-11 §9.2.11; BSI
/// TR-03110-3 §A.1.2.2).
///
/// Successful parsing proves nothing: check `signature`, and the signer with a `TrustStore`.
struct CardSecurity: Sendable {
  /// The signed SecurityInfos, as stored.
  let securityInfos: [UInt8]
  /// The signer's certificate, as embedded in the file.
  let signer: Certificate
  /// Result of verifying these contents with the embedded signer's key.
  let signature: SecurityObject.Signature
  let usesSHA1: Bool

  /// id-SecurityObject (BSI TR-03110-3 §A.1.2.2).
  static let contentType = "0.4.0.127.0.7.3.2.1"

  /// Parses the structure at the start of the file; bytes after it are padding and are dropped.
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
  /// Compares with the static keys in EF.CardSecurity. The report judges whether that file is
  /// genuine.
  func judge(cardSecurity file: [UInt8]) -> ChipAuthenticationResult {
    do {
      let infos = try SecurityInfos(CardSecurity(file: file).securityInfos)
      let offers = try ChipAuthenticationOffer.all(in: infos)
      guard !offers.isEmpty else { return .notOffered }
      if offers.contains(where: { isConfirmed(by: $0.publicValue, in: $0.domain) }) {
        return .proved
      }
      // The key in use may be one that is not supported.
      let isComplete = Set(offers.map(\.publicValue)).count == infos.chipAuthenticationKeys.count
      return isComplete ? .failed : .unsupported
    } catch {
      // An unknown file form or key says nothing about the chip.
      return .unsupported
    }
  }
}
