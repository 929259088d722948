/// A card reader and what lies on it.
public struct Reader: Sendable, Equatable {
  /// Its name, as PC/SC gives it: the one thing that tells readers apart.
  public let name: String
  /// The answer to reset of the card in it; empty when the card is mute, nil when there is none.
  public let answerToReset: [UInt8]?
}

extension PCSCContext {
  /// The readers that are connected, in the order of PC/SC; empty when there are none.
  public func readers() throws(ChannelError) -> [Reader] {
    let states = try status(of: readerNames().map { ReaderStatus(name: $0) }) ?? []
    return states.filter { !$0.isGone }.map {
      Reader(name: $0.name, answerToReset: $0.hasCard ? $0.answerToReset : nil)
    }
  }

  /// Waits until there is a card in the reader that is meant; the reader itself may come late, too.
  ///
  /// - Parameters:
  ///   - selection: which reader. With `.any` and cards in several readers nothing is guessed.
  ///   - limit: how long to wait, a year at most; with zero, what is there now counts.
  /// - Returns: the name of the reader.
  /// - Throws: `readerAmbiguous`; when the time is over `noReader`, `readerNotFound` or `noCard`; `cancelled`.
  public func waitForCard(
    in selection: ReaderSelection = .any, for limit: Duration
  ) throws(ChannelError) -> String {
    let end = ContinuousClock.now + min(limit, .seconds(365 * 86_400))
    var seen: [String: ReaderStatus] = [:]
    // A service that returns at once without news must not keep us busy for ever.
    var returnsWithoutNews = 0
    while returnsWithoutNews < 16 {
      let names = try readerNames()
      let candidates = try selection.candidates(among: names)
      let watched = (candidates + [ReaderStatus.plugAndPlay]).map {
        seen[$0] ?? ReaderStatus(name: $0)
      }
      let left = max(.zero, end - ContinuousClock.now)
      let change: [ReaderStatus]?
      do throws(ChannelError) {
        // In slices: a reader that comes between the list and the wait is told by nobody.
        change = try status(of: watched, changedWithin: min(left, .seconds(10)))
      } catch .readerNotFound {
        // Pulled after it was listed.
        returnsWithoutNews += 1
        continue
      }
      guard let change else {
        if ContinuousClock.now < end { continue }
        throw selection.missing(candidates: candidates, readers: names)
      }
      let occupied = change.filter(\.hasCard).map(\.name)
      guard occupied.count <= 1 else { throw .readerAmbiguous("", occupied) }
      if let reader = occupied.first { return reader }
      let states = change.map(\.seen)
      returnsWithoutNews = states == watched ? returnsWithoutNews + 1 : 0
      seen = Dictionary(states.map { ($0.name, $0) }) { first, _ in first }
    }
    throw .readerRemoved
  }

  private func readerNames() throws(ChannelError) -> [String] {
    try call(.listReaders, within: patience.service) { service, context throws(PCSCFailure) in
      try service.listReaders(context)
    }
  }

  /// What the readers are in, or go over to within the time given; nil when nothing changes.
  func status(
    of readers: [ReaderStatus], changedWithin limit: Duration = .zero
  ) throws(ChannelError) -> [ReaderStatus]? {
    guard !readers.isEmpty else { return [] }
    let milliseconds = UInt32(clamping: Int64((limit / .milliseconds(1)).rounded(.up)))
    return try call(.getStatusChange, reader: readers[0].name, within: limit + patience.service) {
      service, context throws(PCSCFailure) in
      try service.statusChange(context, of: readers, milliseconds: milliseconds)
    }
  }
}
