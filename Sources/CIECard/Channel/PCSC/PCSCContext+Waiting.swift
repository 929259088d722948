extension PCSCContext {
  /// What is missing while we wait.
  public enum Awaited: Sendable, Equatable {
    /// No reader that fits is there.
    case reader
    /// A reader is there, and no card on it.
    case card
  }
}

extension PCSCContext {
  /// Waits until there is a card in the reader that is meant; the reader itself may come late, too.
  ///
  /// - Parameters:
  ///   - selection: which reader. Where several fit and have cards nothing is guessed.
  ///   - limit: how long to wait, a year at most; with zero, what is there now counts.
  ///   - report: told what is missing whenever that changes; called on the caller's thread.
  /// - Returns: the name of the reader.
  /// - Throws: `readerAmbiguous`; `readerUnavailable` where all that fit are; when the time is over `noReader`,
  ///   `readerNotFound` or `noCard`; `cancelled`.
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

  /// Waits until there are cards in readers that are meant.
  ///
  /// - Returns: the names of the readers with cards, at least one.
  /// - Throws: as `waitForCard`, but where several have cards.
  public func waitForCards(
    in selection: ReaderSelection, for limit: Duration,
    report: (Awaited) -> Void
  ) throws(ChannelError) -> [String] {
    let end = ContinuousClock.now + min(limit, .year)
    var seen: [String: ReaderStatus] = [:]
    var awaited: Awaited?
    // A reader that is about to leave the list may be unavailable for a moment.
    var unavailableSince: ContinuousClock.Instant?
    // A service that returns at once without news must not keep us busy for ever.
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
      // In slices: a reader that comes between the list and the wait is told by nobody.
      let slice = isHopeless ? patience.removal : .seconds(10)
      let left = max(.zero, end - ContinuousClock.now)
      let change: [ReaderStatus]?
      do throws(ChannelError) {
        change = try status(of: watched, changedWithin: min(left, slice))
      } catch .readerNotFound {
        // Pulled after it was listed.
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

  /// Waits for a card and connects to it: one that was exchanged or does not answer in between is looked for again
  /// while there is time.
  ///
  /// The service looks at cards every 0.4 seconds, so what it takes for one may have gone; even without waiting that
  /// is worth a second look.
  ///
  /// - Parameters: as those of `waitForCard`.
  /// - Throws: as `waitForCard` and `connect(to:)`.
  public func openCard(
    in selection: ReaderSelection = .any, for limit: Duration,
    report: (Awaited) -> Void = { _ in }
  ) throws(ChannelError) -> Channel {
    let end = ContinuousClock.now + max(min(limit, .year), patience.swap)
    var left = limit
    while true {
      let reader = try waitForCard(in: selection, for: left, report: report)
      let failure: ChannelError
      do throws(ChannelError) { return try connect(to: reader) } catch {
        failure = error
      }
      left = max(.zero, min(limit, end - ContinuousClock.now))
      guard failure.mayPass, !hasEnded, ContinuousClock.now < end else { throw failure }
      // Until something happens in the reader; a card that stays mute is powered anew after half a second.
      guard let now = try? status(of: [ReaderStatus(name: reader)])?.first else { continue }
      _ = try? status(
        of: [now.seen], changedWithin: min(patience.swap, max(.zero, end - ContinuousClock.now)))
    }
  }
}

extension ChannelError {
  /// Whether connecting may go well a moment later: the card was exchanged, lies badly, or its reader was pulled.
  fileprivate var mayPass: Bool {
    switch self {
    case .cardMute, .noCard, .cardRemoved, .cardReset, .readerNotFound, .readerRemoved: true
    case .serviceMissing, .serviceStopped, .accessDenied, .noReader, .readerAmbiguous,
      .readerUnavailable, .transmissionFailed, .sharingViolation, .truncatedResponse,
      .lengthNotCarried, .replayMismatch, .cancelled, .withheld, .other:
      false
    }
  }
}

extension Duration {
  /// Longer than anybody waits, and short enough to be added to any moment.
  fileprivate static let year = Duration.seconds(365 * 86_400)
}
