package import CIECard

/// The findings about a card or saved files, side by side, and the conclusion.
package struct Verification: Sendable {
  /// The travel document; `nil` when it was not requested.
  package let document: DocumentReading?
  /// The IAS side; `nil` when there are only saved files.
  package let ias: IASReading?
  /// The judgement of the request, if this is about evidence from another machine.
  package let judgement: EvidenceReport?
  /// That evidence.
  package let evidence: CardEvidence?
  let requiresValidity: Bool

  /// The conclusion. Its raw value is for scripts.
  package enum Conclusion: String, Sendable {
    /// Every requested point is proved, and no side of the card is a copy.
    case proved
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
  var knownFault: AuthenticityReport.KnownFault? { document?.report.knownFault }

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
    // Evidence is proved as a whole: of no side of a card it proves nothing, whatever the request.
    if let judgement {
      return switch judgement.outcome {
      case .proved: .proved
      case .false: .false
      case .knownFault: .knownProductionFault
      case .couldNotCheck: .incomplete
      }
    }
    let reports = [document?.report, ias?.report].compactMap { $0 }
    let outcomes = reports.map { $0.outcome }
    if outcomes.contains(.false) { return .false }
    if knownFault != nil { return .knownProductionFault }
    if !outcomes.isEmpty, outcomes.allSatisfy({ $0 == .proved }) { return .proved }
    guard let document = document?.report, document.isPassivelyProved else { return .incomplete }
    guard let ias else { return .savedFiles }
    // Signed, not false, and yet possibly a copy: it offers no proof of its chip.
    return ias.report.outcome == .proved && document.cloning == .possible
      ? .documentWithoutChipProof : .incomplete
  }

  /// The error of a clock that is all that is in the way of a side.
  private var clockProblem: Diagnosis? {
    let document = document.flatMap { $0.present.problem(of: [$0.report]) }
    return document ?? ias.flatMap { $0.present.problem(of: [$0.report]) }
  }

  /// The failure, unless all is proved, and valid if that is required.
  package var failure: Failure? {
    let judgement: Failure? =
      switch conclusion {
      case .proved: nil
      case .incomplete: clockProblem.map { .found($0) } ?? .notProved(outcome)
      case .false, .knownProductionFault: .notProved(outcome)
      case .documentWithoutChipProof: .possibleCopy(isSaved: false)
      case .savedFiles: .possibleCopy(isSaved: true)
      }
    return document.failure(isRequired: requiresValidity, besides: judgement)
  }
}

extension Verification {
  init(document: DocumentReading?, ias: IASReading?, requiresValidity: Bool) {
    self.init(
      document: document, ias: ias, judgement: nil, evidence: nil,
      requiresValidity: requiresValidity)
  }
}

/// `verify`: judges the authenticity of a card, point by point.
package struct VerificationJob: Sendable {
  /// The key to the travel document; without it no file is read there.
  var key: DocumentKey?
  /// The selected groups; `nil` for all that the card returns.
  var groups: Set<DataGroup>?
  var challenge: [UInt8]?
  /// The evidence to fill for another machine; `nil` for none.
  var portable: CardEvidence?
  let requiresValidity: Bool
  let trust: TrustStore?

  package init(
    key: DocumentKey? = nil, groups: Set<DataGroup>? = nil, challenge: [UInt8]? = nil,
    portable: CardEvidence? = nil, requiresValidity: Bool, trust: TrustStore?
  ) {
    self.key = key
    self.groups = groups
    self.challenge = challenge
    self.portable = portable
    self.requiresValidity = requiresValidity
    self.trust = trust
  }

  private func ias(_ portable: CardEvidence?) -> EvidenceJob {
    EvidenceJob(
      scope: .everythingFree, challenge: challenge, portable: portable, trust: trust)
  }

  package func run(on card: Conversation, in context: RunContext) throws(Failure) -> Verification {
    guard let key else {
      guard groups == nil else {
        throw .usage(
          "groups-without-access-code", key: "document-option.groups-without-access-code")
      }
      return Verification(
        document: nil, ias: try ias(portable).run(on: card, in: context),
        requiresValidity: requiresValidity)
    }
    var code = try key.awaited(in: context)
    return try card.perform(in: context) { (card, random, context) throws(Failure) in
      try bothSides(of: card, openedWith: &code, random: &random, in: context)
    }
  }

  /// Judges both sides of a card in one contact: the travel document behind PACE or Basic Access Control, then the IAS
  /// application, selected again in clear.
  ///
  /// Throws if the document cannot be opened; there is no partial result.
  private func bothSides(
    of card: consuming SessionCard, openedWith code: inout AwaitedAccess,
    random: inout SessionRandom, in context: RunContext
  ) throws(Failure) -> Verification {
    // The named groups, with the zone that identifies the document, and the date of issue.
    let groups =
      groups?.union([.dg1, .dg12]) ?? Set(DataGroup.allCases).subtracting(DataGroup.ofTheState)
    let opening = try code.resolve(in: context)
    let zone = opening.zone
    var document = try card.opened(with: opening, random: &random, in: context)
    let rest: SessionCard
    let finding: DocumentReading
    var portable = portable
    do throws(CardError) {
      let evidence = try document.gatherEvidence(
        groups, openedWith: zone, into: &portable, random: &random)
      if document.endedOverLength { context.rememberShort(document.atr) }
      finding = DocumentReading(
        evidence, openedBy: document.access,
        AuthenticityReport(
          judging: evidence, trust: trust, at: context.time, isOfCIE: true,
          notBefore: context.present.earliest),
        knowing: trust, isTest: context.isTest, at: context.present)
      rest = try document.endSession()
    } catch { throw .card(error) }
    return Verification(
      document: finding, ias: try ias(portable).evidence(of: rest, random: &random, in: context),
      requiresValidity: requiresValidity)
  }
}
