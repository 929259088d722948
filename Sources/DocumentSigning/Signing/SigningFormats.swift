internal import CIECard

/// Contents that were read, and can be signed in the one format that was chosen for them.
protocol SignableContent: Sendable {
  /// SHA-256 of the contents.
  var digest: Digest { get }
  /// Number of pages; nil for files other than PDF.
  var pages: Int? { get }
  /// Number of signatures that are there already.
  var signatures: Int { get }

  /// Prepares the signature of a signer.
  func prepared(
    for certificate: Certificate, _ others: [Certificate], at time: UTCTime
  ) throws(DocumentError) -> PreparedDocument
}

/// The place of a signature in a file of some format.
protocol SignaturePlacement: Sendable {
  /// The steps to the file with a signer.
  func finished(
    _ signer: SignerInfo, _ certificates: [Certificate], raisedBy extension: SignatureExtension?
  ) throws(DocumentError) -> SigningSteps
}

/// CAdES-B (EN 319 122-1).
extension HashedContent: SignableContent, SignaturePlacement {
  var signatures: Int { existing.signers.count }
  var pages: Int? { nil }

  func prepared(
    for certificate: Certificate, _ others: [Certificate], at time: UTCTime
  ) throws(DocumentError) -> PreparedDocument {
    PreparedDocument(
      try PreparedSigner(certificate, signing: digest, at: time), [certificate] + others, in: self)
  }

  func finished(
    _ signer: SignerInfo, _ certificates: [Certificate], raisedBy extension: SignatureExtension?
  ) throws(DocumentError) -> SigningSteps {
    var data = existing
    data.add(signer, certificates)
    let last = data.signers.count - 1..<data.signers.count
    // Of a detached signature the file stays where it is, and must still be the one that was hashed.
    return SigningSteps(
      `extension`.map { .cms(CMSRaising(data, last, .hash(digest.bytes), $0)) } ?? .raisedCMS(data),
      `extension`?.service, contents: try blocks(), length: isAttached ? length : nil)
  }
}
