public import CIECard

/// A document whose signature waits for the card: the first of the two phases.
///
/// The card signs `digest`, one command, and sees nothing else of the document; `finish` has the steps to the signed file.
public struct PreparedDocument: Sendable {
  private let signer: PreparedSigner
  /// That of the signer, and others that go into the file.
  private let certificates: [Certificate]
  private let place: any SignaturePlacement

  /// The digest for the card.
  public var digest: Digest { signer.digest }

  init(
    _ signer: PreparedSigner, _ certificates: [Certificate], in place: any SignaturePlacement
  ) {
    (self.signer, self.certificates, self.place) = (signer, certificates, place)
  }

  /// The steps to the signed file with the card's signature.
  ///
  /// - Parameters:
  ///   - assertion: the card's signature of the digest.
  ///   - extension: adds what the signature lacks for a level; nil for level B.
  public func finish(
    _ assertion: SignedAssertion, raisedBy extension: SignatureExtension? = nil
  ) throws(DocumentError) -> SigningSteps {
    try finish(signature: assertion.signature, raisedBy: `extension`)
  }

  /// The same with the signature value alone.
  package func finish(
    signature: [UInt8], raisedBy extension: SignatureExtension? = nil
  ) throws(DocumentError) -> SigningSteps {
    try place.finished(signer.finish(signature), certificates, raisedBy: `extension`)
  }
}
