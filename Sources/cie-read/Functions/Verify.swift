import Arguments
import CIECard
import CardWork
import Messages
import Primitives

/// `verify`: judges the authenticity of the card, or of its saved files, point by point.
struct Verify: CardFunction {
  typealias Result = Verification

  static let name = "verify"
  static let served: Served? = Served(
    "Whether the card is genuine, point by point.", answer: "All is proved.")

  let key: DocumentKey
  let groups: Set<DataGroup>?
  let from: String?
  let challenge: [UInt8]?
  let validity: ValidityChoice
  let trust: TrustChoice

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Verification {
    try VerificationJob(
      key: key.named, groups: groups, challenge: challenge, requiresValidity: validity.isRequired,
      trust: trust.store(for: card, in: context)
    ).run(on: card, in: context)
  }

  func runWithoutCard(
    besides options: [String], in context: RunContext
  ) throws(Failure) -> Verification? {
    guard let from else { return nil }
    guard !key.isGiven, groups == nil, challenge == nil, options.isEmpty else {
      throw .usage("folder-with-card", key: "document-option.folder-with-card")
    }
    return try SavedDocument.verify(
      from, trust: try trust.store(in: context), requiresValidity: validity.isRequired,
      at: context.present)
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
    challenge = try inputs.text(
      "challenge", help: "option.verify.challenge", value: "hex",
      http: Offer(
        "What the chip is to sign, in hexadecimal digits.",
        .text(pattern: "^([0-9A-Fa-f]{2}){8,102}$"))
    ) { (text, _) throws(Failure) in
      guard let bytes = [UInt8](hexadecimal: text), (8...102).contains(bytes.count) else {
        throw .usage("bad-challenge")
      }
      return bytes
    }
    validity = try inputs.part()
    trust = try inputs.part()
  }
}
