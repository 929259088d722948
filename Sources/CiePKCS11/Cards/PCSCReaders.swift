internal import CIECard

/// The readers of the PC/SC service.
///
/// One context lists the readers; each card has a separate one, because cancelling an overdue call
/// ends its context. Nothing is opened before it is needed.
final class PCSCReaders: ReaderSource {
  private let listing = Lock<PCSCContext?>(nil)

  /// Another program finishes its commands within this time, or holds the card for longer than a
  /// host should wait.
  private static let patienceOfALook = Duration.seconds(1)
  /// The service may start later.
  private static let pauseWithoutService = Duration.seconds(2)

  func readers() -> [PCSCContext.Reader] {
    listing.withLock { context in
      do throws(ChannelError) {
        let open: PCSCContext
        if let context { open = context } else { open = try PCSCContext() }
        context = open
        return try open.readers()
      } catch {
        // The next call makes a new context: the service may have been restarted.
        context = nil
        return []
      }
    }
  }

  func open(_ reader: String, patience: CardPatience) throws(ChannelError) -> AnyCardChannel {
    let context =
      switch patience {
      case .look: try PCSCContext(patience: .connecting(within: Self.patienceOfALook))
      case .use: try PCSCContext()
      }
    let channel = try context.connect(to: reader)
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
