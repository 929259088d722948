import CIECard
import CardWork
import Messages
import Primitives

/// `verify` of evidence from another machine, for requests: the work of a server that made the challenge.
struct JudgeEvidence: CardFunction {
  typealias Result = Verify.Result

  static let name = "verify"
  static let definition = "evidence"
  static let served: Served? = Served(
    "Judges evidence from another machine without a card, point by point.",
    answer: "All is proved, and answers the challenge.")

  private let evidence: String
  private let expectation: EvidenceReport.Expectation
  private let validity: ValidityChoice
  private let trust: TrustChoice

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Verify.Result {
    Verify.Result(
      verification: try JudgedEvidence.verify(
        [UInt8](evidence.utf8), trust: try trust.store(in: context), expecting: expectation,
        requiresValidity: validity.isRequired, at: context.present))
  }
}

extension JudgeEvidence {
  init(from inputs: inout Inputs) throws(Failure) {
    evidence =
      try inputs.requestText(
        "evidence", Offer("The text of the evidence, unchanged.", isRequired: true)) ?? ""
    let challenge = try inputs.requestText(
      "challenge",
      Offer(
        "The challenge that was given, in hexadecimal digits; without it nothing is proved.",
        .text(pattern: "^([0-9A-Fa-f]{2}){16,64}$"))
    ) { [UInt8](hexadecimal: $0) }
    let audience = try inputs.requestText("audience", "The name of the receiver, as it was given.")
    let mostSeconds = try inputs.requestNumber(
      "maxAge", "The most seconds since the evidence was made.")
    let terminalKey = try inputs.requestText(
      "terminal", "The public key or certificate, in PEM, of a terminal whose word is believed."
    ) { SubjectPublicKey.encoded(pem: [UInt8]($0.utf8)) }
    let parts = try inputs.requestTexts(
      "require",
      Offer(
        "The parts without which nothing is proved.",
        .list(of: .choice(EvidenceReport.Part.allCases.map(\.rawValue)), atLeast: 1))
    ) { (names) throws(Failure) in try EvidenceExpectation.parts(named: names) }
    expectation = EvidenceReport.Expectation(
      challenge: challenge, audience: audience, mostSeconds: mostSeconds, terminalKey: terminalKey,
      parts: parts ?? [])
    validity = try inputs.part()
    trust = try inputs.part()
  }
}
