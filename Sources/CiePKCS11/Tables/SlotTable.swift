internal import CIECard

/// The fixed slots, and their readers.
///
/// Hosts ask only once for the number of slots; a new reader gets an empty slot and keeps it for as
/// long as no other reader needs it, so that a reader that is unplugged and comes back has the same
/// slot.
struct SlotTable {
  /// More readers than are connected to one machine in practice.
  static let count = 4

  private(set) var slots = [Slot](repeating: Slot(), count: SlotTable.count)
  private var stays = 0
  private var updated = ContinuousClock.now

  func slot(_ number: Int) throws(ReturnValue) -> Slot {
    guard slots.indices.contains(number) else { throw .slotIDInvalid }
    return slots[number]
  }

  mutating func update(_ number: Int, _ change: (inout Slot) -> Void) {
    guard slots.indices.contains(number) else { return }
    change(&slots[number])
  }

  /// - Parameters:
  ///   - held: the states of the cards that are held.
  ///   - longestGap: the longest time between two updates after which a card still counts as the
  ///     same without being identified again.
  /// - Returns: the insertions that have ended, also because another card is there.
  mutating func update(
    _ readers: [PCSCContext.Reader], _ held: [HeldCard], longestGap: Duration
  ) -> [Departure] {
    for index in slots.indices where !readers.contains(where: { $0.name == slots[index].name }) {
      slots[index].reader = nil
    }
    for reader in readers {
      guard let index = place(for: reader.name) else { continue }
      slots[index].name = reader.name
      slots[index].reader = reader
    }
    let hasGap = ContinuousClock.now - updated > longestGap
    updated = .now
    for index in slots.indices {
      if hasGap { slots[index].isSure = false }
      switch held.indices.contains(index) ? held[index] : .none {
      case .none: break
      case .present(let insertion):
        if slots[index].insertion == insertion { slots[index].isSure = true }
      case .lost(let insertion):
        if slots[index].insertion == insertion { slots[index].sight = nil }
      }
    }
    return slots.indices.compactMap { settle($0) }
  }

  /// Compares the known card of a slot with the present one, and drops state that is no longer
  /// valid.
  private mutating func settle(_ index: Int) -> Departure? {
    let now = slots[index].reader.flatMap { Slot.Sight($0) }
    let old = slots[index].insertion
    if let now, let sight = slots[index].sight, now.isSame(as: sight) {
      if !now.answerToReset.isEmpty { slots[index].sight = now }
      return nil
    }
    guard now != nil || old != nil else { return nil }
    stays += 1
    slots[index].begin(now, stays)
    return old.map { Departure(slot: index, insertion: $0) }
  }

  /// Treats the present card as a new one, because it is not the known one.
  mutating func exchange(_ index: Int) -> Departure? {
    guard slots.indices.contains(index) else { return nil }
    slots[index].sight = nil
    return settle(index)
  }

  /// The slot of a reader: its own, else one that was never used, else one whose reader is
  /// disconnected.
  private func place(for reader: String) -> Int? {
    slots.firstIndex { $0.name == reader } ?? slots.firstIndex { $0.name == nil }
      ?? slots.firstIndex { $0.reader == nil }
  }

  /// Takes a slot event that was not yet reported (C_WaitForSlotEvent).
  mutating func takeEvent() -> Int? {
    guard let index = slots.firstIndex(where: \.hasEvent) else { return nil }
    slots[index].hasEvent = false
    return index
  }
}

/// An insertion that has ended.
struct Departure: Sendable {
  let slot: Int
  let insertion: Insertion
}
