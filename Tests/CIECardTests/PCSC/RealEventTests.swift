import Dispatch
import Glibc
import Synchronization
import Testing

@testable import CIECard
@testable import cie_lab

extension RealReader {
  /// Cards and a service that come and go, and other programs.
  @Suite struct Events {
    let context: PCSCContext
    let readers = PCSCRig.readers

    init() throws {
      try #require(PCSCRig.isUp, "CI is set, but there is no tools/with-pcscd around the tests")
      context = try PCSCContext()
    }

    @Test func `both slots are listed, with their cards`() throws {
      let card = try InsertedCard(slot: 1)
      let found = try context.readers()
      #expect(found.map(\.name) == readers)
      #expect(found.map(\.answerToReset) == [nil, InsertedCard.answerToReset])
      withExtendedLifetime(card) {}
    }

    @Test func `an unseen exchange is detected by the event count`() throws {
      var counts: [UInt16] = []
      for _ in 0..<2 {
        let card = try InsertedCard()
        counts.append(try #require(context.readers().first).eventCount)
        withExtendedLifetime(card) {}
      }
      #expect(counts[0] != counts[1])
    }

    @Test func `an empty reader has no card`() throws {
      #expect(throws: ChannelError.noCard) { try context.waitForCard(for: .milliseconds(100)) }
      #expect(throws: ChannelError.noCard) { _ = try context.connect(to: readers[0]) }
      #expect(throws: ChannelError.readerNotFound("X")) { _ = try context.connect(to: "X") }
      #expect(throws: ChannelError.readerNotFound("X")) {
        try context.waitForCard(in: .named("X"), for: .milliseconds(100))
      }
    }

    @Test func `cards in both slots are ambiguous`() throws {
      let cards = [try InsertedCard(slot: 0), try InsertedCard(slot: 1)]
      #expect(throws: ChannelError.readerAmbiguous("", readers)) {
        try context.waitForCard(for: .zero)
      }
      #expect(try context.waitForCard(in: .named("00 01"), for: .zero) == readers[1])
      withExtendedLifetime(cards) {}
    }

    @Test func `a card that comes late is found`() throws {
      let waiting = waitForCard()
      let card = try InsertedCard()
      #expect(try waiting.result() == readers[0])
      withExtendedLifetime(card) {}
    }

    @Test func `waiting is cancelled`() throws {
      let waiting = waitForCard()
      usleep(50_000)
      context.cancel()
      #expect(throws: ChannelError.cancelled) { try waiting.result() }
    }

    @Test func `a card with a senseless answer to reset is used in raw mode`() throws {
      // TS is neither 3B nor 3F (ISO/IEC 7816-3 §8.1).
      let card = try InsertedCard(answerToReset: [0x00, 0x01, 0x02])
      var channel = try context.connect(to: readers[0])
      #expect(channel.traits.atr == [0x00, 0x01, 0x02])
      #expect(try channel.transmit([0, 0xA4, 4, 0]).count == 6)
      withExtendedLifetime(card) {}
    }

    @Test func `a card held by another program is not waited for`() throws {
      let resets = Counter()
      let card = try InsertedCard(reset: { resets.increment() })
      do {
        let hurried = try PCSCContext(
          service: LibPCSCLite(), patience: .init(connect: .milliseconds(300)))
        let other = try context.connect(to: readers[0])
        #expect(throws: ChannelError.sharingViolation) {
          _ = try hurried.connect(to: readers[0])
        }
        resets.clear()
        withExtendedLifetime(other.reader) {}
      }
      // One reset by the other's end, one by the abandoned call that gets its turn after all.
      try PCSCRig.eventually("both have let go") { resets.value >= 2 }
      _ = try context.connect(to: readers[0])
      withExtendedLifetime(card) {}
    }

    @Test func `a program that only keeps the card open does no harm, and finds it reset`()
      throws
    {
      let card = try InsertedCard()
      let other = LibPCSCLite()
      let handle = try other.establishContext()
      defer { other.releaseContext(handle) }
      let itsCard = try other.connect(handle, reader: readers[0], protocols: [.t0, .t1])
      do {
        var channel = try context.connect(to: readers[0])
        #expect(try channel.transmit([0, 0xA4, 4, 0]).count == 6)
      }
      #expect(itsError { try other.transmit([0, 0xA4, 4, 0], to: itsCard) } == .cardReset)
      withExtendedLifetime(card) {}
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `a service that ends while we wait has stopped, and a new one is found`(
      _ signal: Int32
    ) throws {
      let waiting = waitForCard()
      usleep(50_000)
      try PCSCRig.stopService(signal)
      defer { #expect(throws: Never.self) { try PCSCRig.startService() } }
      #expect(throws: ChannelError.serviceStopped) { try waiting.result() }
      #expect(throws: ChannelError.serviceStopped) { try context.readers() }
      #expect(throws: ChannelError.serviceMissing) { _ = try PCSCContext() }
    }

    @Test func `a service that ends while a command runs has stopped`() throws {
      let stopped = DispatchSemaphore(value: 0)
      let card = try InsertedCard(respond: { _ in
        try? PCSCRig.stopService(SIGKILL)
        stopped.signal()
        return .leave
      })
      defer { #expect(throws: Never.self) { try PCSCRig.startService() } }
      var channel = try context.connect(to: readers[0])
      #expect(throws: ChannelError.serviceStopped) { try channel.transmit([0, 0xA4, 4, 0]) }
      try #require(stopped.wait(timeout: .now() + 20) == .success)
      withExtendedLifetime(card) {}
    }

    @Test func `a service that hangs is not waited for`() throws {
      try PCSCRig.signalService(SIGSTOP)
      defer { #expect(throws: Never.self) { try PCSCRig.signalService(SIGCONT) } }
      #expect(throws: ChannelError.serviceUnresponsive) {
        _ = try PCSCContext(
          service: LibPCSCLite(), patience: .init(service: .milliseconds(300)))
      }
    }

    private func itsError(_ body: () throws -> [UInt8]) -> ChannelError? {
      do { _ = try body() } catch let failure as PCSCFailure { return ChannelError(failure) } catch
      {}
      return nil
    }

    /// Waits for a card on another thread.
    private func waitForCard() -> Later<String> {
      Later { [context] in try context.waitForCard(for: .seconds(30)) }
    }
  }
}

/// The result of a separate thread.
private final class Later<Value: Sendable>: Sendable {
  private let value = Mutex<Result<Value, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () throws -> Value) {
    DispatchQueue(label: "later").async {
      let result = Result { try body() }
      self.value.withLock { $0 = result }
      self.done.signal()
    }
  }

  func result() throws -> Value {
    try #require(done.wait(timeout: .now() + 20) == .success)
    return try #require(value.withLock { $0 }).get()
  }
}
