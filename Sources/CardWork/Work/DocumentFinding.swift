package import CIECard

/// The data read from a travel document, and their judgement.
package struct DocumentFinding: Sendable {
  package let reading: DocumentReading
  package let data: DocumentData
  package let validity: Validity
  package let signer: DocumentSigner
  package let demand: ValidityDemand
  /// The file to which the portrait was written, if any.
  package var photo: String?
  /// The folder to which all files were written, if any.
  package var folder: String?
  /// The reason why one of them was not written; it matters less than a false document.
  package var problem: Failure?

  /// The reason why the document is not good, if any.
  package var failure: Failure? {
    let judgement: Failure? =
      switch reading.report.outcome {
      case .proved: problem
      case .false: .notProved(.false)
      case .knownFault, .couldNotCheck: problem ?? .notProved(reading.report.outcome)
      }
    return demand.failure(validity, besides: judgement)
  }
}

/// The signer of a document, and the CSCA behind.
package struct DocumentSigner: Sendable {
  package let certificate: Certificate?
  package let anchor: Certificate?
  package let signingTime: UTCTime?

  package init(securityObject file: [UInt8]?, trust: TrustStore?, at time: UTCTime) {
    let object = file.flatMap { try? SecurityObject(file: $0) }
    certificate = object?.signer
    signingTime = object?.signingTime
    anchor = object.flatMap { trust?.anchor(of: $0.signer, at: time) }
  }
}
