internal import CIECard

/// The fixed slots, and which reader is which.
///
/// Hosts ask once how many slots there are; a reader that comes later gets one of those that were empty, and keeps it for
/// as long as nobody else needs it, so that a reader pulled and plugged in again is the same slot.
struct SlotTable {
  /// As many readers as anybody has at one machine.
  static let count = 4

  private(set) var slots = [Slot](repeating: Slot(), count: SlotTable.count)

  /// The slot of a number that a host gave.
  func slot(_ number: Int) throws(ReturnValue) -> Slot {
    guard slots.indices.contains(number) else { throw .slotIDInvalid }
    return slots[number]
  }

  /// Changes a slot.
  mutating func update(_ number: Int, _ change: (inout Slot) -> Void) {
    guard slots.indices.contains(number) else { return }
    change(&slots[number])
  }

  /// Takes in what readers there are now.
  ///
  /// - Returns: the slots whose card has left, be it for another.
  mutating func update(_ readers: [PCSCContext.Reader]) -> [Int] {
    for index in slots.indices where !readers.contains(where: { $0.name == slots[index].name }) {
      slots[index].reader = nil
    }
    for reader in readers {
      guard let index = place(for: reader.name) else { continue }
      slots[index].name = reader.name
      slots[index].reader = reader
    }
    return slots.indices.filter { slots[$0].settle() }
  }

  /// The slot of a reader: its own, else one that nobody had, else one whose reader is gone.
  private func place(for reader: String) -> Int? {
    slots.firstIndex { $0.name == reader } ?? slots.firstIndex { $0.name == nil }
      ?? slots.firstIndex { $0.reader == nil }
  }

  /// A slot where something happened that nobody was told of yet (C_WaitForSlotEvent); it is told now.
  mutating func takeEvent() -> Int? {
    guard let index = slots.firstIndex(where: \.hasEvent) else { return nil }
    slots[index].hasEvent = false
    return index
  }
}

/// A slot: its reader, the card in it, and what is known of that.
struct Slot {
  /// The reader that it had last.
  fileprivate(set) var name: String?
  /// That reader, while it is there.
  fileprivate(set) var reader: PCSCContext.Reader?
  /// The card that the rest is about.
  private(set) var insertion: Insertion?
  fileprivate(set) var hasEvent = false

  /// What a look at the card has shown.
  var token = Token.unknown
  /// Tries of PIN and PUK, as far as the card told them.
  var pinTries: Int?
  var pukTries: Int?
  var login = LoginState.nobody
  /// The objects, once a login has read the certificate.
  var objects: TokenObjects?

  /// What is known of the card.
  enum Token: Equatable {
    case unknown
    /// A CIE, by its services number.
    case identityCard(ServicesNumber)
    /// A card that is none, or that does not answer.
    case other
  }

  /// One stay of a card in a reader.
  struct Insertion: Equatable, Sendable {
    let reader: String
    let eventCount: UInt16
  }

  /// Compares the card that is known with the one that is there, and forgets what is no longer so.
  ///
  /// - Returns: whether a card has left.
  fileprivate mutating func settle() -> Bool {
    let now = reader.flatMap { reader in
      reader.answerToReset.map { _ in
        Insertion(reader: reader.name, eventCount: reader.eventCount)
      }
    }
    guard now != insertion else { return false }
    let hasLeft = insertion != nil
    let (name, reader) = (name, reader)
    self = Slot()
    (self.name, self.reader, insertion, hasEvent) = (name, reader, now, true)
    return hasLeft
  }

  /// The objects that may be seen now.
  var visibleObjects: [TokenObject] {
    (objects?.all ?? []).filter { $0.kind != .privateKey || login == .user }
  }
}
