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
  ///   - extension: adds what the signature lacks for a level; nil for level B.
  ///   - write: takes the next bytes; what was written before an error is to be thrown away.
  /// - Throws: `SigningError`; from the extension before anything is written.
  public func finish(
    _ assertion: SignedAssertion, raisedBy extension: SignatureExtension? = nil,
    write: ([UInt8]) throws(CMSError) -> Void
  ) throws(SigningError) {
    let signature = assertion.signature
    switch (self, `extension`) {
    case (.cms(let prepared), let raising?):
      let parts = try SigningError.reading { () throws(CMSError) in try prepared.parts(signature) }
      let new = parts.signers.count - 1
      let raised = try raising.raise(parts, new..<new + 1) { prepared.content.digest.bytes }
      try SigningError.reading { () throws(CMSError) in try prepared.write(raised, to: write) }
    case (.cms(let prepared), nil):
      try SigningError.reading { () throws(CMSError) in
        try prepared.finish(signature: signature, write: write)
      }
    case (.pdf(let prepared), let raising?):
      let password = prepared.password
      let signed = try SigningError.writing { () throws(PDFError) in
        try prepared.finish(signature: signature)
      }
      let bytes = try raising.raise(pdf: signed, password: password)
      try SigningError.reading { () throws(CMSError) in try write(bytes) }
    case (.pdf(let prepared), nil):
      let bytes = try SigningError.writing { () throws(PDFError) in
        try prepared.finish(signature: signature)
      }
      try SigningError.reading { () throws(CMSError) in try write(bytes) }
    }
  }
}
