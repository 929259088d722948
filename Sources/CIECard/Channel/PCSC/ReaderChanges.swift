extension PCSCContext {
  package enum Change: Sendable, Equatable {
    case readerAdded(String)
    /// A reader was disconnected; the removal of a card in it was reported before.
    case readerRemoved(String)
    /// A card was inserted: with its answer to reset, empty if it is mute, nil if it has been
    /// removed again.
    case cardPresent(String, answerToReset: [UInt8]?)
    case cardRemoved(String)
  }
}

extension [PCSCContext.Reader] {
  /// The changes between two lists of readers, in their necessary order, including cards that came
  /// and went in between, which the service counts.
  package func changes(to now: [PCSCContext.Reader]) -> [PCSCContext.Change] {
    var changes: [PCSCContext.Change] = []
    for old in self {
      guard let new = now.first(where: { $0.name == old.name }), !new.isAnother(than: old) else {
        changes += old.end
        continue
      }
    }
    for new in now {
      guard let old = first(where: { $0.name == new.name }), !new.isAnother(than: old) else {
        changes += [.readerAdded(new.name)]
        if new.answerToReset != nil { changes.append(new.present) }
        continue
      }
      changes += old.visits(until: new)
    }
    return changes
  }

  /// The changes when the service has gone, and all readers with it.
  package var ends: [PCSCContext.Change] { flatMap(\.end) }
}

extension PCSCContext.Reader {
  /// More cards than are inserted between two looks: the counter has restarted.
  private static let mostEvents: UInt16 = 1000

  fileprivate var present: PCSCContext.Change { .cardPresent(name, answerToReset: answerToReset) }

  fileprivate var end: [PCSCContext.Change] {
    (answerToReset == nil ? [] : [.cardRemoved(name)]) + [.readerRemoved(name)]
  }

  private func events(since old: PCSCContext.Reader) -> UInt16 { eventCount &- old.eventCount }

  /// True if it was disconnected and connected again, which restarts its event counter.
  fileprivate func isAnother(than old: PCSCContext.Reader) -> Bool {
    events(since: old) > Self.mostEvents
  }

  /// The cards that came and went between the two states.
  fileprivate func visits(until new: PCSCContext.Reader) -> [PCSCContext.Change] {
    // A service without event counts still shows whether there is a card.
    let hadCard = answerToReset != nil
    let hasCard = new.answerToReset != nil
    let least: UInt16 = hadCard == hasCard ? 0 : 1
    let counted = max(new.events(since: self), least)
    let events = counted % 2 == least ? counted : counted + 1
    return (0..<events).map { index in
      let isRemoval = (index % 2 == 0) == hadCard
      if isRemoval { return .cardRemoved(name) }
      return index + 1 == events ? new.present : .cardPresent(name, answerToReset: nil)
    }
  }
}
