import CIECard
import Dispatch
import Synchronization
import Testing
import VirtualCIE

/// Cards in an asynchronous program: the queue that a server's requests share.
@Suite(.timeLimit(.minutes(20))) struct CardQueueTests {
  private let queue = CardQueue()

  /// Starts a task that stands in the queue when this returns: it runs at once, up to its wait.
  private func ask<Value: Sendable>(
    whenCancelled end: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () throws -> Value
  ) -> Task<Value, any Error> {
    Task.immediate { [queue] in try await queue.run(whenCancelled: end, work) }
  }

  /// Two conversations with one card would mix their commands.
  @Test func `two requests have the card one after the other`() async throws {
    let read: @Sendable (VirtualCard) throws -> String = { card in
      var reader = IdentityCard(over: VirtualCardChannel(card))
      return try reader.readServicesNumber().description
    }
    let alone = VirtualCard(persona: .gemalto)
    let number = try read(alone)
    // Unsafe but for the queue, which is what is tested.
    nonisolated(unsafe) let card = VirtualCard(persona: .gemalto)
    let requests = (0..<8).map { _ in ask { try read(card) } }
    for request in requests { #expect(try await request.value == number) }
    let conversation = alone.log.entries.map(\.instruction)
    #expect(
      card.log.entries.map(\.instruction) == Array(repeating: conversation, count: 8).flatMap { $0 }
    )
  }

  @Test func `requests wait, and come in the order of their calls`() async throws {
    let (gate, order) = (DispatchSemaphore(value: 0), Order())
    let first = ask {
      gate.wait()
      order.note(0)
    }
    let others = (1...20).map { number in ask { order.note(number) } }
    #expect(order.noted.isEmpty)
    gate.signal()
    try await first.value
    for other in others { try await other.value }
    #expect(order.noted == Array(0...20))
  }

  @Test func `an error reaches its caller, and the next request has its turn`() async throws {
    let failed = ask { throw ChannelError.cardRemoved }
    let next = ask { 7 }
    await #expect(throws: ChannelError.cardRemoved) { try await failed.value }
    #expect(try await next.value == 7)
  }

  @Test func `a request that is cancelled while it waits does nothing`() async throws {
    let (gate, order) = (DispatchSemaphore(value: 0), Order())
    let first = ask { gate.wait() }
    let cancelled = ask { order.note(1) }
    let last = ask { order.note(2) }
    cancelled.cancel()
    gate.signal()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    try await first.value
    try await last.value
    #expect(order.noted == [2])
  }

  @Test func `a request that is cancelled at work is ended, and the next has its turn`()
    async throws
  {
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let cancelled = ask(whenCancelled: { gate.signal() }) {
      begun.signal()
      gate.wait()
      throw ChannelError.cancelled
    }
    let next = ask { 7 }
    #expect(begun.wait(timeout: .now() + 30) == .success)
    cancelled.cancel()
    await #expect(throws: ChannelError.cancelled) { try await cancelled.value }
    #expect(try await next.value == 7)
  }

  /// More readers than the pool of tasks has threads, each with a mute card.
  @Test func `cards that do not answer leave the threads of tasks alone`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let queues = (0..<256).map { _ in CardQueue() }
    let mute = queues.map { queue in
      Task.immediate { try await queue.run { gate.wait() } }
    }
    let answer = await Task.detached { 7 }.value
    #expect(answer == 7)
    for _ in mute { gate.signal() }
    for request in mute { try await request.value }
  }
}

/// The numbers of the requests that did their work, in order.
private final class Order: Sendable {
  private let numbers = Mutex<[Int]>([])

  var noted: [Int] { numbers.withLock { $0 } }

  func note(_ number: Int) { numbers.withLock { $0.append(number) } }
}
