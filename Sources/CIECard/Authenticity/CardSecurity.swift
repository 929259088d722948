/// EF.CardSecurity: the chip's SecurityInfos, signed like a document security object (Doc 9303-11 §9.2.11; BSI
/// TR-03110-3 §A.1.2.2).
///
/// Successful parsing proves nothing: check `signed.signature`, and `signer` with a `TrustStore`.
struct CardSecurity: Sendable {
  /// The structure, whose contents are the SecurityInfos, with the result of verifying them with the embedded
  /// signer's key.
  let signed: SignedContents
  let signer: Certificate

  /// id-SecurityObject (BSI TR-03110-3 §A.1.2.2).
  static let contentType = "0.4.0.127.0.7.3.2.1"

  /// Parses the structure at the start of the file; bytes after it are padding and are dropped.
  init(file: [UInt8]) throws(AuthenticityReport.SecurityObjectError) {
    var cursor = TLVCursor(file)
    let encoded = try mapError([UInt8](try cursor.next(DER.sequence).encoded)) { (_: TLVError) in
      AuthenticityReport.SecurityObjectError.notASecurityObject
    }
    signed = try SignedContents(encoded)
    guard let signer = signed.signer else { throw .noSignerCertificate }
    self.signer = signer
    guard signed.contentType == Self.contentType else { throw .contentType(signed.contentType) }
  }
}

extension ChipMappingProof {
  /// Compares with the static keys in EF.CardSecurity. The report judges whether that file is
  /// genuine.
  func judge(cardSecurity file: [UInt8]) -> AuthenticityReport.ChipProof {
    do {
      let infos = try SecurityInfos(CardSecurity(file: file).signed.content)
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
