import Arguments
import CIECard
import Messages
import System

/// `cie-read info`: the kind of card, as far as it is known without a PIN.
struct InfoCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("info", "command.info")
  }

  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    try Self.outcome(of: source.conversation(), in: session)
  }

  /// The result for one card.
  static func outcome(
    of card: Conversation, in session: Session
  ) throws(Failure) -> CommandOutcome {
    try card.perform(in: session) { (card, random, session) throws(Failure) in
      try CommandOutcome(of: card, random: &random, in: session)
    }
  }
}

extension CommandOutcome {
  fileprivate init(
    of card: consuming SessionCard, random: inout SessionRandom, in session: Session
  ) throws(Failure) {
    self.init()
    let language = session.language
    add(
      Message("label.chip"), card.family.text(language), in: language,
      .init("family", card.family.rawValue))
    add(
      Message("label.atr"), card.atr.hexadecimal, in: language, .init("atr", card.atr.hexadecimal))
    do throws(CardError) {
      let applications = try card.probeApplications()
      add(
        Message("label.applications"),
        applications.map { $0.text(language) }.joined(separator: ", "), in: language,
        .init("applications", .array(applications.map { .string($0.rawValue) })))
      let number = try card.readServicesNumber().description
      add(Message("label.nis"), number, in: language, .init("servicesNumber", number))
      try addTries(of: card, random: &random, in: session)
    } catch {
      if case .channel(.transmissionFailed) = error.reason { throw .card(error) }
      // The known facts about a card that is no CIE are worth showing.
      failure = .card(error)
    }
  }

  /// Adds the tries left. The card reports them only in a secure channel, which takes no PIN to open. A card that
  /// refuses that channel still counts as a card: its answer is a finding.
  private mutating func addTries(
    of card: consuming SessionCard, random: inout SessionRandom, in session: Session
  ) throws(CardError) {
    let language = session.language
    do throws(CardError) {
      let tries = try card.readTries(remembering: session.tries, random: &random)
      add(tries: tries.pin, of: .pin, in: language)
      add(tries: tries.puk, of: .puk, in: language)
      members.append(.init("triesRefusal", nil as String?))
    } catch {
      guard error.leavesFileOut || error.isEndOfChannel else { throw error }
      let refusal = Diagnosis(error)
      add(tries: nil, of: .pin, in: language)
      add(tries: nil, of: .puk, in: language)
      add(
        Message("label.all-tries"), Message("info.not-told", ["reason": refusal.what])(language),
        in: language, .init("triesRefusal", refusal.json(language)))
    }
  }

  /// Adds the tries left of a code, if the card reports them.
  private mutating func add(tries: Int?, of kind: CardError.CodeKind, in language: Language) {
    let name = kind.rawValue.uppercased()
    guard let tries else {
      members.append(.init("\(kind.rawValue)TriesLeft", nil as Int?))
      return
    }
    add(
      Message("label.tries", ["name": name]), "\(tries)", in: language,
      .init("\(kind.rawValue)TriesLeft", tries))
  }

  /// Adds a finding: a line with a label for people, a member for scripts.
  mutating func add(
    _ label: Message, _ value: String, in language: Language, _ member: JSON.Member
  ) {
    let label = label(language)
    lines.append(label + String(repeating: " ", count: max(1, 14 - label.count)) + value)
    members.append(member)
  }
}

extension CardError {
  /// True if the card ended the secure channel with an answer in clear.
  fileprivate var isEndOfChannel: Bool {
    if case .channelEnded = reason { true } else { false }
  }
}
