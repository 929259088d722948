import Arguments
import CIECard
import Messages
import System
import VirtualCIE
import Traces

/// `cie-read readers`: lists the readers, and the cards on them.
struct ReadersCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("readers", "command.readers")
  }

  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    switch try source.conversation().source {
    case .virtual(let persona, _, _):
      let atr = VirtualCard(persona: persona).answerToReset
      return CommandOutcome(
        [Row(number: 0, name: "virtual \(persona.identifier)", atr: atr)], session)
    case .replay(let trace):
      return CommandOutcome([Row(number: 0, name: "replay", atr: trace.header.traits.atr)], session)
    case .reader(let selection, let wait):
      return CommandOutcome(try Row.all(selection, waiting: wait, session), session)
    }
  }

  /// One reader.
  fileprivate struct Row {
    let number: Int
    let name: String
    /// Empty for a mute card, nil without a card.
    let atr: [UInt8]?
    var isAvailable = true

    /// The matching readers, once a card is on one of them or the time is over.
    static func all(
      _ selection: PCSCContext.ReaderSelection, waiting limit: Duration, _ session: Session
    ) throws(Failure) -> [Row] {
      do throws(ChannelError) {
        let context = try PCSCContext()
        defer { session.interruption.forget() }
        return try session.interruption.cancelling({ context.cancel() }) {
          () throws(ChannelError) in
          if limit > .zero { try wait(for: selection, limit, context, session) }
          return try now(selection, context)
        }
      } catch { throw .channel(error) }
    }

    /// A missing card is no error here, because the list shows it.
    private static func wait(
      for selection: PCSCContext.ReaderSelection, _ limit: Duration, _ context: PCSCContext,
      _ session: Session
    ) throws(ChannelError) {
      defer { session.progress.clear() }
      do throws(ChannelError) {
        _ = try context.waitForCards(in: selection, for: limit) {
          session.progress.show($0.request)
        }
      } catch .noCard {
      } catch .readerAmbiguous {
      } catch .readerUnavailable {
      }
    }

    private static func now(
      _ selection: PCSCContext.ReaderSelection, _ context: PCSCContext
    ) throws(ChannelError) -> [Row] {
      let readers = try context.readers()
      guard !readers.isEmpty else { throw .noReader }
      let fitting = selection.candidates(among: readers.map(\.name))
      guard !fitting.isEmpty else { throw .readerNotFound(selection.text) }
      return readers.enumerated()
        .map {
          Row(
            number: $0.offset, name: $0.element.name, atr: $0.element.answerToReset,
            isAvailable: $0.element.isAvailable)
        }
        .filter { fitting.contains($0.name) }
    }

    var json: JSON {
      PCSCContext.Reader(
        name: name, answerToReset: atr, isAvailable: isAvailable, eventCount: 0
      ).json(number: number)
    }

    func line(_ language: Language) -> String {
      let card =
        switch atr {
        case nil where !isAvailable:
          Message("readers.unavailable")(language)
        case nil: Message("readers.empty")(language)
        case .some(let atr) where atr.isEmpty:
          Message("readers.mute")(language)
        case .some(let atr): "\(ChipFamily(atr: atr).text(language)), \(atr.hexadecimal)"
        }
      return "\(number)  \(name)  (\(card))"
    }
  }
}

extension CommandOutcome {
  fileprivate init(_ rows: [ReadersCommand.Row], _ session: Session) {
    lines = rows.map { $0.line(session.language) }
    members = [.init("readers", .array(rows.map(\.json)))]
  }
}
