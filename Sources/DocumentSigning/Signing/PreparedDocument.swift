public import CIECard

/// A document whose signature waits for the card: the first of the two phases.
public enum PreparedDocument: Sendable {
  case cms(PreparedCMS)
  case pdf(PreparedPDF)

  /// The digest for the card.
  public var digest: Digest {
    switch self {
    case .cms(let prepared): prepared.signer.digest
    case .pdf(let prepared): prepared.signer.digest
    }
  }

  /// Writes the signed file with the card's signature.
  ///
  /// - Parameters:
  ///   - assertion: the card's, of `digest`.
  ///   - authority: gives the signature its time stamp (level T); nil for none.
  ///   - write: takes the next bytes; what was written before an error is to be thrown away.
  /// - Throws: `SigningError`.
  public func finish(
    _ assertion: SignedAssertion, stampedBy authority: TimeStampAuthority? = nil,
    write: ([UInt8]) throws(CMSError) -> Void
  ) throws(SigningError) {
    let token: [UInt8]?
    do throws(TimeStampError) { token = try authority?.token(for: assertion.signature) } catch {
      throw .timeStamp(error)
    }
    switch self {
    case .cms(let prepared):
      try SigningError.reading { () throws(CMSError) in
        try prepared.finish(signature: assertion.signature, token: token, write: write)
      }
    case .pdf(let prepared):
      let bytes: [UInt8]
      do throws(PDFError) {
        bytes = try prepared.finish(signature: assertion.signature, token: token)
      } catch { throw .pdf(error) }
      try SigningError.reading { () throws(CMSError) in try write(bytes) }
    }
  }
}
