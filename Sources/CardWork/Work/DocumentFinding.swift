package import CIECard
import Messages

/// The data read from a travel document, and their judgement.
package struct DocumentFinding: Sendable {
  package let reading: DocumentReading
  package let data: DocumentData
  package let signer: DocumentSigner
  let requiresValidity: Bool
  /// The reason why a file of it was not written; it matters less than a false document.
  package var problem: Failure?

  /// The reason why the document is not good, if any.
  package var failure: Failure? {
    let judgement: Failure? =
      switch reading.report.outcome {
      case .proved: problem
      case .false: .notProved(.false)
      case .knownFault: problem ?? .notProved(reading.report.outcome)
      case .couldNotCheck:
        problem ?? reading.present.problem(of: [reading.report]).map { .found($0) }
          ?? .notProved(reading.report.outcome)
      }
    return DocumentReading?(reading).failure(isRequired: requiresValidity, besides: judgement)
  }
}

extension DocumentReading? {
  /// The failure for which the program ends, given that of the judgement alone. There is no validity if no travel document
  /// was read.
  ///
  /// - Parameter isRequired: true if the document must be valid.
  func failure(isRequired: Bool, besides judgement: Failure?) -> Failure? {
    if case .notProved(.false) = judgement { return judgement }
    guard isRequired else { return judgement }
    if let problem = self?.clockProblem { return .found(problem) }
    let validity = self?.validity
    if validity?.isExpired == true, let until = validity?.until { return .expired(until) }
    return judgement ?? (validity?.isExpired == nil ? .validityUnknown : nil)
  }
}

/// The signer of a document, and the CSCA behind.
package struct DocumentSigner: Sendable {
  package let certificate: Certificate?
  package let anchor: Certificate?
  package let signingTime: UTCTime?

  init(securityObject file: [UInt8]?, trust: TrustStore?, at time: UTCTime) {
    let object = file.flatMap { try? SecurityObject(file: $0, knowing: trust) }
    certificate = object?.signer
    signingTime = object?.signingTime
    anchor = certificate.flatMap { trust?.anchor(of: $0, at: time) }
  }
}

extension DataGroup {
  /// Fingerprints and irises, which the card shows to the issuing state alone (Doc 9303-11 §7.1).
  package static let ofTheState: Set<DataGroup> = [.dg3, .dg4]
}
