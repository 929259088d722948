import CIECard
import CardWork
import Messages
import Primitives

/// `nis`: reads the services number with its proofs.
struct NIS: CardFunction {
  static let name = "nis"
  static let served: Served? = Served(
    "The services number, and what could be proved of it.", answer: "The number.")

  let requireProved: Bool
  let evidence: EvidenceChoice
  let trust: TrustChoice

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Result {
    let order = try evidence.order(in: context, readsDocument: false)
    let reading = try EvidenceJob(
      scope: .servicesNumber, portable: order?.blank, trust: try trust.store(for: card, in: context)
    ).run(on: card, in: context)
    return Result(
      evidence: reading, requiresProof: requireProved, handed: try order?.finish(reading.portable))
  }
}

extension NIS {
  init(from inputs: inout Inputs) throws(Failure) {
    requireProved = try inputs.flag(
      "require-proved", help: "option.nis.require-proved",
      http: "A number that is not proved is an error.")
    evidence = try inputs.part()
    trust = try inputs.part()
  }

  struct Result: FunctionResult {
    let evidence: IASReading
    /// True if a number that is only not false is not enough.
    let requiresProof: Bool
    let handed: HandedEvidence?

    static let members: [Member<Result>] =
      [Member("servicesNumber", \.evidence.number.description)]
      + Member.all {
        ReportFacts(
          report: $0.evidence.report, isTest: $0.evidence.isTest, leavingOut: leftOut)
      } + [.whenPresent("evidence", \.handed)]

    /// The points of files that are not read here, because they do not prove the number.
    private static let leftOut: [AuthenticityReport.Kind] = [
      .hash(.deviceKey), .hash(.dhParameters),
    ]

    func lines(_ language: Language) -> [String] {
      [evidence.number.description]
        + evidence.report.lines(
          isTest: evidence.isTest, leavingOut: Self.leftOut, language)
        + HandedEvidence.lines(handed, language)
    }

    /// The failure of a number that is false, or not proved although that is required.
    var failure: Failure? {
      switch evidence.report.outcome {
      case .proved: nil
      case .false: .notProved(.false)
      case .knownFault, .couldNotCheck:
        requiresProof
          ? evidence.present.problem(of: [evidence.report]).map { .found($0) }
            ?? .notProved(evidence.report.outcome) : nil
      }
    }
  }
}
