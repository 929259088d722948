import ArgumentParser
import CIECard
import Messages
import System

/// `cie-read info`: what card it is, as far as it tells without a PIN.
struct InfoCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("info", "command.info")
  }

  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    try source.source().perform(Job(), as: source.conversation, in: session)
  }

  private struct Job: CardJob {
    mutating func run<Channel: CardChannel & ~Copyable>(
      on card: consuming IdentityCard<Channel>, random: inout some RandomSource,
      in session: Session
    ) throws(Failure) -> CommandOutcome {
      var outcome = CommandOutcome()
      let language = session.language
      outcome.add(
        Message("label.chip"), card.family.text(language), in: language,
        .init("family", card.family.rawValue))
      outcome.add(
        Message("label.atr"), card.atr.hexadecimal, in: language,
        .init("atr", card.atr.hexadecimal))
      do throws(CardError) {
        let applications = try card.probeApplications()
        outcome.add(
          Message("label.applications"),
          applications.map { $0.text(language) }.joined(separator: ", "), in: language,
          .init("applications", .array(applications.map { .string($0.rawValue) })))
        let number = try card.readServicesNumber().description
        outcome.add(
          Message("label.nis"), number, in: language, .init("servicesNumber", number))
        try outcome.addTries(of: card, random: &random, in: language)
      } catch {
        if case .channel(.transmissionFailed) = error.reason { throw .card(error) }
        // What is known of a card that is no CIE is worth showing.
        outcome.failure = .card(error)
      }
      return outcome
    }
  }
}

extension CommandOutcome {
  /// Adds the tries left: told to a terminal that has proved itself, in a channel that takes no PIN to open. A card that
  /// refuses that channel is a card all the same: what it said is a finding.
  fileprivate mutating func addTries<Channel: CardChannel & ~Copyable>(
    of card: consuming IdentityCard<Channel>, random: inout some RandomSource,
    in language: Language
  ) throws(CardError) {
    do throws(CardError) {
      let tries = try card.readTries(random: &random)
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

  /// Adds the tries left of a code, where the card tells.
  fileprivate mutating func add(tries: Int?, of kind: CardError.CodeKind, in language: Language) {
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
  /// Whether the card ended the secure channel in the open.
  fileprivate var isEndOfChannel: Bool {
    if case .channelEnded = reason { true } else { false }
  }
}
