import CIECard

/// What was found of a card or of saved files, side by side, and what it comes to.
struct Verification: Sendable {
  /// The travel document; `nil` when nobody asked for it.
  let document: Document?
  /// The IAS side; `nil` when there are only saved files.
  let ias: CardEvidence?

  /// What was found of a travel document.
  struct Document: Sendable {
    /// How it was opened; `nil` for saved files.
    let access: AccessCode.AccessProtocol?
    let evidence: AuthenticityReport.Evidence.Document
    let report: AuthenticityReport
    let validity: Validity
  }

  /// What it comes to. Its raw value is for scripts.
  enum Conclusion: String, Sendable {
    /// Everything that was asked for is proved, and no side of the card is a copy.
    case proved
    /// Something is false.
    case `false`
    /// The state signed the document, which offers no proof of its chip; the IAS side proved its own in the same
    /// contact. It is not enough: only that contact binds the two sides to each other, so a copied document beside a
    /// true IAS side comes to this as well.
    case documentWithoutChipProof = "document-without-chip-proof"
    /// The state signed the saved files; of the chip that they came from nothing is known.
    case savedFiles = "saved-files"
    /// Nothing is false but what the state has published as a fault of genuine cards.
    case knownProductionFault = "known-production-fault"
    /// Nothing is false, and something is missing.
    case incomplete
  }

  /// The fault of genuine cards that was found, if one was.
  var knownFault: AuthenticityReport.KnownFault? { document?.report.knownFault }

  /// The outcome as a whole.
  var outcome: AuthenticityReport.Outcome {
    switch conclusion {
    case .proved: .proved
    case .false: .false
    case .knownProductionFault: knownFault.map { .knownFault($0) } ?? .couldNotCheck
    case .documentWithoutChipProof, .savedFiles, .incomplete: .couldNotCheck
    }
  }

  /// What the sides come to together: false when one of them is, proved when each of them is.
  var conclusion: Conclusion {
    let reports = [document?.report, ias?.report].compactMap { $0 }
    let outcomes = reports.map { $0.outcome }
    if outcomes.contains(.false) { return .false }
    if knownFault != nil { return .knownProductionFault }
    if outcomes.allSatisfy({ $0 == .proved }) { return .proved }
    guard let document = document?.report, document.isPassivelyProved else { return .incomplete }
    guard let ias else { return .savedFiles }
    // Signed, not false, and yet possibly a copy: it offers no proof of its chip.
    return ias.report.outcome == .proved && document.cloning == .possible
      ? .documentWithoutChipProof : .incomplete
  }
}
