import Arguments
import CIECard
import CardWork
import Messages
import Primitives

/// `cie-read readers`: lists the readers, and the cards on them.
struct ReadersCommand: CardCommand {
  static let configuration = CommandConfiguration("readers", "command.readers")

  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    CommandOutcome(try listed(in: context), context.language)
  }

  private func listed(in context: RunContext) throws(Failure) -> ReaderList {
    switch try source.conversation().source {
    case .substitute(let card): return ReaderList(name: card.place, card.answerToReset)
    case .reader(let selection, let limit):
      do throws(ChannelError) {
        let service = try PCSCContext()
        defer { context.interruption.forget() }
        return try context.interruption.cancelling({ service.cancel() }) {
          () throws(ChannelError) in
          if limit > .zero { try Self.wait(for: selection, limit, service, context) }
          return try ReaderList(selection, service)
        }
      } catch { throw .channel(error) }
    }
  }

  /// Waits until a card is on one of the readers. A missing card is no error here, because the list shows it.
  private static func wait(
    for selection: PCSCContext.ReaderSelection, _ limit: Duration, _ service: PCSCContext,
    _ context: RunContext
  ) throws(ChannelError) {
    defer { context.progress.clear() }
    do throws(ChannelError) {
      _ = try service.waitForCards(in: selection, for: limit) {
        context.progress.show($0.request)
      }
    } catch .noCard {
    } catch .readerAmbiguous {
    } catch .readerUnavailable {
    }
  }
}

private struct ReaderList: Presentable {
  private let rows: [(number: Int, reader: PCSCContext.Reader)]

  /// A card that is in no reader.
  init(name: String, _ atr: [UInt8]) {
    let reader = PCSCContext.Reader(
      name: name, answerToReset: atr, isAvailable: true, eventCount: 0)
    rows = [(0, reader)]
  }

  init(_ selection: PCSCContext.ReaderSelection, _ service: PCSCContext) throws(ChannelError) {
    let readers = try service.readers()
    guard !readers.isEmpty else { throw .noReader }
    let fitting = selection.candidates(among: readers.map(\.name))
    guard !fitting.isEmpty else { throw .readerNotFound(selection.text) }
    rows = readers.enumerated().map { ($0.offset, $0.element) }
      .filter { fitting.contains($0.reader.name) }
  }

  func lines(_ language: Language) -> [String] {
    rows.map { number, reader in
      let card =
        switch reader.answerToReset {
        case nil where !reader.isAvailable: Message("readers.unavailable")(language)
        case nil: Message("readers.empty")(language)
        case []?: Message("readers.mute")(language)
        case let atr?: "\(ChipFamily(atr: atr).text(language)), \(atr.hexadecimal)"
        }
      return "\(number)  \(reader.name)  (\(card))"
    }
  }

  func members(_ language: Language) -> [JSON.Member] {
    [.init("readers", .array(rows.map { $0.reader.json(number: $0.number) }))]
  }
}
