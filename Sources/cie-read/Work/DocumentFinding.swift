import CIECard

/// The data read from a travel document, and their judgement.
struct DocumentFinding: Sendable {
  let reading: DocumentReading
  let data: DocumentData
  let validity: Validity
  let signer: DocumentSigner
  let demand: ValidityDemand
  /// The file to which the portrait was written, if any.
  var photo: String?
  /// The folder to which all files were written, if any.
  var folder: String?
  /// The reason why one of them was not written; it matters less than a false document.
  var problem: Failure?

  /// The reason why the document is not good, if any.
  var failure: Failure? {
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
struct DocumentSigner: Sendable {
  let certificate: Certificate?
  let anchor: Certificate?
  let signingTime: UTCTime?

  init(securityObject file: [UInt8]?, trust: TrustStore?, at time: UTCTime) {
    let object = file.flatMap { try? SecurityObject(file: $0) }
    certificate = object?.signer
    signingTime = object?.signingTime
    anchor = object.flatMap { trust?.anchor(of: $0.signer, at: time) }
  }
}
