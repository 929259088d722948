internal import CIECard

/// The readers of the PC/SC service.
///
/// One context lists the readers; each card has a separate one, because cancelling an overdue call
/// ends its context. Nothing is opened before it is needed.
final class PCSCReaders: ReaderSource {
  private let listing = Lock(Listing())

  /// Another program finishes its commands within this time, or holds the card for longer than a
  /// host should wait.
  private static let patienceOfALook = Duration.seconds(1)
  /// A person who has typed a PIN waits for a program that holds the card exclusively, but not for long.
  private static let patienceOfALogin = Duration.seconds(5)
  /// The service may start later.
  private static let pauseWithoutService = Duration.seconds(2)

  func readers() -> [PCSCContext.Reader] {
    listing.withLock { listing in
      guard !listing.isGivenUp else { return [] }
      do throws(ChannelError) {
        let open: PCSCContext
        if let context = listing.context { open = context } else { open = try PCSCContext() }
        listing.context = open
        listing.problem = nil
        return try open.readers()
      } catch {
        // The next call makes a new context: the service may have been restarted.
        listing.note(error)
        return []
      }
    }
  }

  func problem() -> ChannelError? { listing.withLock { $0.problem } }

  func open(_ reader: String, patience: CardPatience) throws(ChannelError) -> AnyCardChannel {
    let context =
      switch patience {
      case .look: try PCSCContext(patience: .connecting(within: Self.patienceOfALook))
      case .use: try PCSCContext()
      }
    let channel: PCSCContext.Channel
    do throws(ChannelError) { channel = try context.connect(to: reader) } catch {
      guard error == .sharingViolation, patience == .use else { throw error }
      channel = try context.openCard(
        in: .exactly(reader), for: .zero, orRelease: Self.patienceOfALogin)
    }
    let isPresent = channel.presence()
    return AnyCardChannel(channel, isPresent: isPresent)
  }

  func waitForChange(from known: [PCSCContext.Reader], until cancellation: Cancellation) {
    do throws(ChannelError) {
      let context = try PCSCContext()
      try cancellation.ending({ context.cancel() }) { () throws(ChannelError) in
        try context.waitForChange(from: known, for: .seconds(3600))
      }
    } catch { cancellation.pause(Self.pauseWithoutService) }
  }
}

/// The context that lists the readers, and the reason why there is none.
private struct Listing {
  var context: PCSCContext?
  var problem: ChannelError?
  private var noted = ContinuousClock.now

  /// A host asks again and again, and each time would wait for a service that hangs.
  private static let rest = Duration.seconds(30)

  /// True for a while after the service did not answer.
  var isGivenUp: Bool { problem == .serviceUnresponsive && .now < noted + Self.rest }

  mutating func note(_ error: ChannelError) {
    context = nil
    problem = error
    noted = .now
  }
}
