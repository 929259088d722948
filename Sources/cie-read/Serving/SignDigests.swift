import Arguments
import CIECard
import CardWork
import Primitives

/// `sign` of hash values, for requests.
struct SignDigests: CardFunction {
  typealias Result = HolderSignatures

  static let name = "sign"
  static let served: Served? = Served(
    "Signatures with the holder's key, all with one VERIFY.",
    answer: "The signatures; `in` is the number of the hash value, from 0.")

  private let digests: [Digest]
  private let pin: CodeInput
  private let terms: HolderTerms

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> HolderSignatures {
    SigningStatement.ask(digests.count, in: context)
    return try SignatureJob(
      digests: digests, pin: try pin.held(in: context), access: try terms.access(in: context)
    ).run(on: card, in: context)
  }
}

extension SignDigests {
  private static let most = 16

  init(from inputs: inout Inputs) throws(Failure) {
    pin = try inputs.code(.pin, http: .pin)
    let usual = Digest.Algorithm.sha256
    let algorithm = try inputs.requestText(
      "algorithm",
      Offer(
        "The algorithm of the hash values.",
        .choice(Digest.Algorithm.allArguments).with("default", .string(usual.rawValue))),
      as: Digest.Algorithm.init(rawValue:))
    let texts = try inputs.requestTexts(
      "digests",
      Offer(
        "Hash values in hexadecimal digits, as long as the algorithm says.",
        .list(of: .text(pattern: "^([0-9A-Fa-f]{2})+$"), atLeast: 1).with(
          "maxItems", .int(Self.most)), isRequired: true))
    terms = try inputs.part()
    digests = texts.compactMap { text in
      [UInt8](hexadecimal: text).flatMap { Digest(algorithm ?? usual, bytes: $0) }
    }
    guard (1...Self.most).contains(digests.count), digests.count == texts.count else {
      throw Request.unfit("digests")
    }
  }
}
