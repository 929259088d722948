import Arguments
import CIECard
import CardWork
import Glibc
import Messages
import Primitives

/// `verify`: judges the authenticity of the card, of its saved files, or of evidence from another machine, point by point.
struct Verify: CardFunction {
  static let name = "verify"
  static let served: Served? = Served(
    "Whether the card is genuine, point by point.", answer: "All is proved.")

  let key: DocumentKey
  let groups: Set<DataGroup>?
  let from: String?
  let evidence: EvidenceChoice
  let expectation: EvidenceExpectation
  let validity: ValidityChoice
  let trust: TrustChoice

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Result {
    let order = try evidence.order(
      in: context, readsDocument: key.isGiven, takesChallenge: true)
    let verification = try VerificationJob(
      key: key.named, groups: groups,
      challenge: order == nil ? evidence.challenge.value(in: context) : nil, portable: order?.blank,
      requiresValidity: validity.isRequired, trust: trust.store(for: card, in: context)
    ).run(on: card, in: context)
    return Result(
      verification: verification, evidence: try order?.finish(verification.ias?.portable))
  }

  func runWithoutCard(
    besides options: [String], in context: RunContext
  ) throws(Failure) -> Result? {
    guard evidence.file != nil || !expectation.isGiven else { throw .usage("evidence-missing") }
    if let file = evidenceToJudge(besides: options, in: context) {
      guard !isAboutCard, from == nil, options.isEmpty else {
        throw .usage("folder-with-card", key: "document-option.folder-with-card")
      }
      return Result(
        verification: try expectation.judge(
          evidence, in: file, trust: try trust.store(in: context),
          requiresValidity: validity.isRequired, in: context))
    }
    guard let from else { return nil }
    guard !isAboutCard, !evidence.isGiven, options.isEmpty else {
      throw .usage("folder-with-card", key: "document-option.folder-with-card")
    }
    return Result(
      verification: try SavedDocument.verify(
        from, trust: try trust.store(in: context), requiresValidity: validity.isRequired,
        at: context.present))
  }

  private var isAboutCard: Bool { key.isGiven || groups != nil || evidence.terminalKey != nil }

  /// The file of evidence that is there already: it is judged, unless something names a card or lets it be replaced. What
  /// only a judge asks for, and standard input, are never a file to be written.
  private func evidenceToJudge(besides options: [String], in context: RunContext) -> String? {
    guard let file = evidence.file else { return nil }
    if file == "-" || expectation.isGiven { return file }
    let namesCard = isAboutCard || !options.isEmpty || context.mayOverwrite
    return !namesCard && access(file, F_OK) == 0 ? file : nil
  }
}

extension Verify {
  static let mayNeedNoCard = true

  init(from inputs: inout Inputs) throws(Failure) {
    key = try inputs.part()
    groups = try inputs.words(
      "only", help: "option.verify.only", value: "groups", completion: .groups, http: .groups
    ) { (names, _) throws(Failure) in try DataGroupList.groups(named: names) }
    from = try inputs.text(
      "from", help: "option.verify.from", value: "folder", completion: .folder)
    evidence = try inputs.part()
    expectation = try inputs.part()
    validity = try inputs.part()
    trust = try inputs.part()
  }

  struct Result: FunctionResult {
    let verification: Verification
    /// The evidence for another machine, if that was asked for.
    var evidence: HandedEvidence?

    static let members: [Member<Result>] =
      Member.all(of: \.verification) + [.whenPresent("evidence", \.evidence)]

    /// The sides of a card or of saved files, or the request of evidence in place of the IAS side's old members.
    static let alternatives = [
      [
        "servicesNumber", "outcome", "cloning", "test", "points", "challenge", "response",
        "overall", "ias", "document",
      ],
      ["overall", "ias", "document", "request"],
    ]

    var failure: Failure? { verification.failure }

    func lines(_ language: Language) -> [String] {
      verification.lines(language) + HandedEvidence.lines(evidence, language)
    }
  }
}
