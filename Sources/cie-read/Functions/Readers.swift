import CIECard
import CardWork
import Messages
import Primitives

/// `readers`: lists the readers, and the cards on them.
struct Readers: CardFunction {
  typealias Result = ReaderList

  static let name = "readers"

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> ReaderList {
    switch card.source {
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

extension Readers {
  init(from inputs: inout Inputs) throws(Failure) { self.init() }
}

struct ReaderList: FunctionResult {
  private let rows: [ListedReader]

  static let members: [Member<ReaderList>] = [Member("readers", \.rows)]

  /// A card that is in no reader.
  init(name: String, _ atr: [UInt8]) {
    let reader = PCSCContext.Reader(
      name: name, answerToReset: atr, isAvailable: true, eventCount: 0)
    rows = [ListedReader(number: 0, reader: reader)]
  }

  init(_ selection: PCSCContext.ReaderSelection, _ service: PCSCContext) throws(ChannelError) {
    let readers = try service.readers()
    guard !readers.isEmpty else { throw .noReader }
    let fitting = selection.candidates(among: readers.map(\.name))
    guard !fitting.isEmpty else { throw .readerNotFound(selection.text) }
    rows = readers.enumerated().map { ListedReader(number: $0.offset, reader: $0.element) }
      .filter { fitting.contains($0.reader.name) }
  }

  func lines(_ language: Language) -> [String] {
    rows.map { row in
      let (number, reader) = (row.number, row.reader)
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
}
