import CIECard
import CardWork
import Messages
import Primitives

/// `info`: the kind of card, as far as it is known without a PIN.
struct Info: CardFunction {
  typealias Result = CardInformation

  static let name = "info"
  static let served: Served? = Served("What card it is, and the tries left.", answer: "The card.")

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> CardInformation {
    try card.perform(in: context) { (card, random, context) throws(Failure) in
      var card = card
      var found = CardInformation(family: card.family, atr: card.atr)
      do throws(CardError) {
        found.applications = try card.probeApplications()
        found.number = try card.readServicesNumber()
        found.tries = try Self.tries(of: card, remembering: context.tries, random: &random)
      } catch {
        if case .channel(.transmissionFailed) = error.reason { throw .card(error) }
        found.failure = .card(error)
      }
      return found
    }
  }

  /// The tries left. The card reports them only in a secure channel, which takes no PIN to open.
  private static func tries(
    of card: consuming SessionCard, remembering known: KnownTries, random: inout SessionRandom
  ) throws(CardError) -> CardInformation.Tries {
    do throws(CardError) {
      let tries = try card.readTries(remembering: known, random: &random)
      return .reported(pin: tries.pin, puk: tries.puk)
    } catch {
      guard error.leavesFileOut || error.isEndOfChannel else { throw error }
      return .refused(error)
    }
  }
}

extension Info {
  init(from inputs: inout Inputs) throws(Failure) { self.init() }
}

/// The kind of a card, as far as it is known without a PIN.
struct CardInformation: Sendable {
  let family: ChipFamily
  let atr: [UInt8]
  /// The applications that answer; like all below, `nil` if the card failed before.
  fileprivate(set) var applications: [CardApplication]?
  fileprivate(set) var number: ServicesNumber?
  fileprivate(set) var tries: Tries?
  /// The failure of a card that is no CIE, whose known facts are worth showing.
  fileprivate(set) var failure: Failure?

  enum Tries: Sendable {
    /// As the card reports them; `nil` for one that it does not.
    case reported(pin: Int?, puk: Int?)
    /// The card refused the channel in which it reports them: a finding, because it still counts as a card.
    case refused(CardError)
  }
}

extension CardError {
  /// True if the card ended the secure channel with an answer in clear.
  fileprivate var isEndOfChannel: Bool {
    if case .channelEnded = reason { true } else { false }
  }
}

/// The tries that a card reports, or why it does not.
private struct TriesFacts: DescribedObject {
  let tries: CardInformation.Tries

  static let members: [Member<TriesFacts>] = [
    Member("pinTriesLeft", \.pin), Member("pukTriesLeft", \.puk),
    Member("triesRefusal", \.refusal, note: "Why the card does not tell them."),
  ]

  private var pin: Int? { if case .reported(let pin, _) = tries { pin } else { nil } }
  private var puk: Int? { if case .reported(_, let puk) = tries { puk } else { nil } }

  private var refusal: ErrorFacts? {
    if case .refused(let error) = tries { ErrorFacts(diagnosis: Diagnosis(error)) } else { nil }
  }
}

extension CardInformation: FunctionResult {
  static let members: [Member<CardInformation>] =
    [
      Member("family", \.family.rawValue), Member("atr") { Digits($0.atr) },
      .unlessFailed("applications") { $0.applications?.map(\.rawValue) },
      .unlessFailed("servicesNumber") { $0.number?.description },
    ] + Member.all { $0.tries.map(TriesFacts.init) }

  func lines(_ language: Language) -> [String] {
    var rows = [
      (Message("label.chip"), family.text(language)), (Message("label.atr"), atr.hexadecimal),
    ]
    if let applications {
      let names = applications.map { $0.text(language) }
      rows.append((Message("label.applications"), names.joined(separator: ", ")))
    }
    if let number { rows.append((Message("label.nis"), number.description)) }
    switch tries {
    case .reported(let pin, let puk):
      for (name, left) in [("PIN", pin), ("PUK", puk)] {
        if let left { rows.append((Message("label.tries", ["name": name]), "\(left)")) }
      }
    case .refused(let error):
      let reason = Message("info.not-told", ["reason": Diagnosis(error).what])
      rows.append((Message("label.all-tries"), reason(language)))
    case nil: break
    }
    return (summary.map { [$0(language)] } ?? []) + rows.map { $0.0.row($0.1, language) }
  }

  /// One sentence about a CIE; `nil` for another card, whose failure says it.
  private var summary: Message? {
    guard failure == nil else { return nil }
    guard case .reported(let pin?, _) = tries else { return Message("info.card") }
    return Message(pin == 0 ? "info.card-blocked" : "info.card-tries", ["count": pin])
  }
}
