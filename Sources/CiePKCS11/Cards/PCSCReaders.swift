internal import CIECard

/// The readers of the PC/SC service.
///
/// One context tells what readers there are; each card has one of its own, because a context ends with a call that is
/// overdue. Nothing is opened before somebody asks.
final class PCSCReaders: ReaderSource {
  private let listing = Lock<PCSCContext?>(nil)

  /// Another program finishes its commands within this time, or holds the card for longer than a host should wait.
  private static let patienceOfALook = Duration.seconds(1)
  /// The service may not run now, and later.
  private static let pauseWithoutService = Duration.seconds(2)

  func readers() -> [PCSCContext.Reader] {
    listing.withLock { context in
      do throws(ChannelError) {
        let open: PCSCContext
        if let context { open = context } else { open = try PCSCContext() }
        context = open
        return try open.readers()
      } catch {
        // The next call begins anew: the service may have been started again.
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
    return AnyCardChannel(try context.connect(to: reader))
  }

  func waitForChange(from known: [PCSCContext.Reader], until cancellation: Cancellation) {
    do throws(ChannelError) {
      let context = try PCSCContext()
      cancellation.whenCancelled { context.cancel() }
      try context.waitForChange(from: known, for: .seconds(3600))
    } catch { cancellation.pause(Self.pauseWithoutService) }
  }
}
