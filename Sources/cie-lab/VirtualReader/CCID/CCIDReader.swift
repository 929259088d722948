internal import Dispatch
internal import Synchronization

/// A card reader that a program plays on a serial line, for Debian's own CCID driver (libccidtwin of libccid).
///
/// It is a GemPC Twin, whose frames the driver echoes: everything above the plug is real, pcscd, driver, T=1. The
/// driver opens the line once, when pcscd starts, so the reader must be there before it.
final class CCIDReader: Sendable {
  /// What can be done to the reader while it runs, from another thread.
  enum Event: Sendable {
    case insert(@Sendable () -> CardInReader)
    case remove
    /// The cable is pulled: nothing is answered any more.
    case pull
    /// The cable is back.
    case plug
    case faults(TransmissionFaults)
    /// Whoever waits is told that all before has been done.
    case tell(DispatchSemaphore)
    /// The thread of the reader ends.
    case stop
  }

  private let line: SerialLine
  private let events = Mutex<[Event]>([])
  private let ended = DispatchSemaphore(value: 0)

  /// A reader whose line is found at a symbolic link.
  init(link: String) throws(SerialLineError) { line = try SerialLine(link: link) }

  /// Has something done, at the latest when the driver next looks at the card, every 0.4 seconds.
  func post(_ event: Event) { events.withLock { $0.append(event) } }

  /// Has something done, and waits for that.
  func perform(_ event: Event) {
    let done = DispatchSemaphore(value: 0)
    events.withLock { $0 += [event, .tell(done)] }
    done.wait()
  }

  /// Plays the reader until it is stopped.
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
