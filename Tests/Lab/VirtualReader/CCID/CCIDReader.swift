internal import Dispatch
internal import Synchronization

/// A card reader emulated on a serial line, for Debian's own CCID driver (libccidtwin of libccid).
///
/// It is a GemPC Twin, whose frames the driver echoes: all layers above the plug are real, pcscd, driver, T=1. The
/// driver opens the line once, when pcscd starts, so the reader must be there before it.
final class CCIDReader: Sendable {
  /// An action on the running reader, from another thread.
  enum Event: Sendable {
    case insert(@Sendable () -> CardInReader)
    case remove
    /// The cable is pulled: no further answer.
    case pull
    case plug
    case faults(TransmissionFaults)
    /// Signals that all earlier events have been handled.
    case tell(DispatchSemaphore)
    case stop
  }

  private let line: SerialLine
  private let events = Mutex<[Event]>([])
  private let ended = DispatchSemaphore(value: 0)

  /// A reader whose line is found at a symbolic link.
  init(link: String) throws(ReaderError) { line = try SerialLine(link: link) }

  /// Queues an event, handled at the latest at the driver's next check of the card, every 0.4 seconds.
  func post(_ event: Event) { events.withLock { $0.append(event) } }

  /// Queues an event, and waits until it is handled.
  func perform(_ event: Event) {
    let done = DispatchSemaphore(value: 0)
    events.withLock { $0 += [event, .tell(done)] }
    done.wait()
  }

  /// Runs the reader until it is stopped.
  ///
  /// - Parameter inserted: called each time a card is powered on for the first time.
  func serve(inserted: () -> Void = {}) {
    var framing = SerialFraming()
    var slot = CCIDSlot()
    var isConnected = true
    var isNews = false
    while true {
      for event in events.withLock({ events in
        defer { events = [] }
        return events
      }) {
        switch event {
        case .insert(let make):
          slot.insert(make())
          isNews = true
        case .remove: slot.remove()
        case .pull: isConnected = false
        case .plug: isConnected = true
        case .faults(let faults): slot.faults = faults
        case .tell(let semaphore): semaphore.signal()
        case .stop:
          ended.signal()
          return
        }
      }
      framing.append(line.receive(within: 50))
      while let content = framing.next() {
        guard isConnected else { continue }
        guard case .message(let message) = content else {
          line.send(SerialFraming.refusal)
          continue
        }
        let before = slot.status
        let command = CCIDCommand(message)
        let reply: [UInt8]
        switch slot.react(to: command) {
        case .answer(let answer): reply = answer.bytes(to: command, card: slot.status)
        case .silence: continue
        case .end:
          isConnected = false
          continue
        }
        let notice =
          (before == .absent) == (slot.status == .absent)
          ? [] : SerialFraming.notice(isPresent: slot.status != .absent)
        line.send(SerialFraming.frame(message) + notice + SerialFraming.frame(reply))
        if isNews, slot.isPowered {
          isNews = false
          inserted()
        }
      }
    }
  }

  /// Ends `serve` and waits for that.
  func stop() {
    post(.stop)
    ended.wait()
  }
}
