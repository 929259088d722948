package import CIECard

/// The findings about a card or saved files, side by side, and the conclusion.
package struct Verification: Sendable {
  /// The travel document; `nil` when it was not requested.
  package let document: Document?
  /// The IAS side; `nil` when there are only saved files.
  package let ias: CardEvidence?
  package let demand: ValidityDemand

  /// The findings about a travel document.
  package struct Document: Sendable {
    /// The protocol that opened it; `nil` for saved files.
    package let access: AccessCode.AccessProtocol?
    package let evidence: AuthenticityReport.Evidence.Document
    package let report: AuthenticityReport
    /// True for a software card.
    package let isTest: Bool
    package let validity: Validity
  }

  /// The conclusion. Its raw value is for scripts.
  package enum Conclusion: String, Sendable {
    /// Every requested point is proved, and no side of the card is a copy.
    case proved
    /// A point is false.
    case `false`
    /// The state signed the document, which offers no proof of its chip; the IAS side proved its own in the same
    /// contact. It is not enough: only that contact binds the two sides to each other, so a copied document beside a
    /// true IAS side has this conclusion as well.
    case documentWithoutChipProof = "document-without-chip-proof"
    /// The state signed the saved files; their chip is unknown.
    case savedFiles = "saved-files"
    /// The only false point is a fault that the state has published of genuine cards.
    case knownProductionFault = "known-production-fault"
    /// No point is false, and some are missing.
    case incomplete
  }

  /// True for a software card.
  package var isTest: Bool { document?.isTest == true || ias?.isTest == true }

  /// The known fault of genuine cards, if it was found.
  package var knownFault: AuthenticityReport.KnownFault? { document?.report.knownFault }

  /// The outcome as a whole.
  package var outcome: AuthenticityReport.Outcome {
    switch conclusion {
    case .proved: .proved
    case .false: .false
    case .knownProductionFault: knownFault.map { .knownFault($0) } ?? .couldNotCheck
    case .documentWithoutChipProof, .savedFiles, .incomplete: .couldNotCheck
    }
  }

  /// The conclusion of the sides together: false when one of them is, proved when each of them is.
  package var conclusion: Conclusion {
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

  /// The failure, unless all is proved, and valid if that is required.
  package var failure: Failure? {
    let judgement: Failure? =
      switch conclusion {
      case .proved: nil
      case .false, .knownProductionFault, .incomplete: .notProved(outcome)
      case .documentWithoutChipProof: .possibleCopy(isSaved: false)
      case .savedFiles: .possibleCopy(isSaved: true)
      }
    return demand.failure(document?.validity, besides: judgement)
  }
}
