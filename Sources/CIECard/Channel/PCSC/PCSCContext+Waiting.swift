extension PCSCContext {
  /// The reader or card still missing during a wait.
  public enum Awaited: Sendable, Equatable {
    /// No matching reader is connected.
    case reader
    /// A reader is connected, but has no card.
    case card
    /// Another program holds the card.
    case release
  }

  /// Waits until there is a card in the selected reader, which itself may be connected later.
  ///
  /// - Parameters:
  ///   - selection: the reader. If several match and have cards, an error is thrown.
  ///   - limit: the time limit, a year at most; with zero, only the present state counts.
  ///   - report: called with the missing reader or card whenever that changes, on the caller's
  ///     thread.
  /// - Returns: the name of the reader.
  /// - Throws: `readerAmbiguous`; `readerUnavailable` if all that match are; after the time limit
  ///   `noReader`, `readerNotFound` or `noCard`; `cancelled`.
  public func waitForCard(
    in selection: ReaderSelection = .any, for limit: Duration,
    report: (Awaited) -> Void = { _ in }
  ) throws(ChannelError) -> String {
    let occupied = try waitForCards(in: selection, for: limit, report: report)
    guard let reader = occupied.first, occupied.count == 1 else {
      throw .readerAmbiguous(selection.text, occupied)
    }
    return reader
  }

  /// Waits until there are cards in selected readers.
  ///
  /// - Returns: the names of the readers with cards, at least one.
  /// - Throws: as `waitForCard`, except for several cards.
  public func waitForCards(
    in selection: ReaderSelection, for limit: Duration,
    report: (Awaited) -> Void
  ) throws(ChannelError) -> [String] {
    let end = ContinuousClock.now + min(limit, .year)
    var seen: [String: ReaderStatus] = [:]
    var awaited: Awaited?
    // A reader that is being removed may be unavailable for a moment.
    var unavailableSince: ContinuousClock.Instant?
    // Limits the iterations if the service keeps returning without a change.
    var returnsWithoutNews = 0
    while returnsWithoutNews < 16 {
      let names = try readerNames()
      let candidates = selection.candidates(among: names)
      let watched = (candidates + [ReaderStatus.plugAndPlay]).map {
        seen[$0] ?? ReaderStatus(name: $0)
      }
      let unavailable = watched.first { $0.isUnavailable }
      let isHopeless = unavailable != nil && watched.dropLast().allSatisfy(\.isUnavailable)
      unavailableSince = isHopeless ? unavailableSince ?? .now : nil
      if let unavailable, let since = unavailableSince, .now >= min(end, since + patience.removal) {
        throw .readerUnavailable(unavailable.name)
      }
      let missing: Awaited = candidates.isEmpty ? .reader : .card
      if missing != awaited, limit > .zero, seen.count > 0 || candidates.isEmpty {
        report(missing)
        awaited = missing
      }
      // In slices, because a reader plugged in between listing and waiting raises no event.
      let slice = isHopeless ? patience.removal : .seconds(10)
      let left = max(.zero, end - ContinuousClock.now)
      let change: [ReaderStatus]?
      do throws(ChannelError) {
        change = try status(of: watched, changedWithin: min(left, slice))
      } catch .readerNotFound {
        // Unplugged after it was listed.
        returnsWithoutNews += 1
        continue
      }
      guard let change else {
        if ContinuousClock.now < end || isHopeless { continue }
        throw selection.missing(candidates: candidates, readers: names)
      }
      let occupied = change.filter(\.hasCard).map(\.name)
      guard occupied.isEmpty else { return occupied }
      let states = change.map(\.seen)
      returnsWithoutNews = states == watched ? returnsWithoutNews + 1 : 0
      seen = Dictionary(states.map { ($0.name, $0) }) { first, _ in first }
    }
    throw .readerRemoved
  }

  /// Waits for a card and connects to it, repeatedly until the time limit if the card was exchanged
  /// or does not answer.
  ///
  /// The service polls cards every 0.4 seconds, so a card that it reports may already be gone; a
  /// second look is worthwhile even without waiting.
  ///
  /// - Parameters:
  ///   - selection: the readers that count.
  ///   - limit: the time limit; zero to look once.
  ///   - release: the time limit for a card that is there and that another program holds, if it is longer.
  ///   - report: called with the thing that is waited for, whenever that changes.
  ///   - found: called with the name of the reader before its card is connected to.
  /// - Throws: as `waitForCard` and `connect(to:)`.
  public func openCard(
    in selection: ReaderSelection = .any, for limit: Duration, orRelease release: Duration = .zero,
    report: (Awaited) -> Void = { _ in }, found: (String) -> Void = { _ in }
  ) throws(ChannelError) -> Channel {
    let start = ContinuousClock.now
    let endOfCard = start + max(min(limit, .year), patience.swap)
    let endOfRelease = start + min(max(limit, release), .year)
    var left = limit
    while true {
      let reader = try waitForCard(in: selection, for: left, report: report)
      found(reader)
      let failure: ChannelError
      do {
        return try connect(to: reader, releasedWithin: endOfRelease - ContinuousClock.now) {
          report(.release)
        }
      } catch { failure = error }
      left = max(.zero, min(limit, endOfCard - ContinuousClock.now))
      let isHeld = failure == .sharingViolation
      let end = isHeld ? endOfRelease : endOfCard
      guard isHeld || failure.mayPass, !hasEnded, ContinuousClock.now < end else { throw failure }
      if isHeld { report(.release) }
      // Waits for an event in the reader; a card that stays mute is powered anew after half a
      // second.
      guard let now = try? status(of: [ReaderStatus(name: reader)])?.first else { continue }
      _ = try? status(
        of: [now.seen], changedWithin: min(patience.swap, max(.zero, end - ContinuousClock.now)))
    }
  }
}

extension ChannelError {
  /// True if connecting may succeed a moment later: the card was exchanged, is badly positioned, or
  /// its reader was unplugged.
  fileprivate var mayPass: Bool {
    switch self {
    case .cardMute, .noCard, .cardRemoved, .cardReset, .readerNotFound, .readerRemoved: true
    case .serviceMissing, .serviceStopped, .serviceUnresponsive, .serviceOfOtherVersion,
      .accessDenied, .noReader, .readerAmbiguous,
      .readerUnavailable, .transmissionFailed, .sharingViolation, .truncatedResponse,
      .lengthNotCarried, .replayMismatch, .cancelled, .withheld, .other:
      false
    }
  }
}

extension Duration {
  /// Longer than any real wait, and short enough to be added to any moment.
  fileprivate static let year = Duration.seconds(365 * 86_400)
}
