import Dispatch
import Glibc
import Testing

@testable import CIECard

/// Waiting for readers and cards, with readers that come and go.
@Suite(.timeLimit(.minutes(1))) struct WaitingTests {
  @Test func `a reader and then a card come while we wait`() throws {
    let service = ScriptedService([
      (.listReaders, .names([])),
      (.getStatusChange, .states([.listChanged])),
      (.listReaders, .names(["R"])),
      (.getStatusChange, .states([.empty("R"), .listUnchanged])),
      (.listReaders, .names(["R"])),
      (.getStatusChange, .states([.occupied("R"), .listUnchanged])),
    ])
    let context = try PCSCContext(service: service, patience: .init())
    #expect(try context.waitForCard(for: .seconds(60)) == "R")
    let plugAndPlay = ReaderStatus.plugAndPlay
    // What is known is handed in without SCARD_STATE_CHANGED: only then does the service wait.
    #expect(
      service.notes == ["\(plugAndPlay):0", "R:0 \(plugAndPlay):0", "R:10 \(plugAndPlay):0"])
    #expect(service.isFinished)
  }

  @Test func `of several readers the one with a card is taken`() throws {
    let service = ScriptedService([
      (.listReaders, .names(["A", "B"])),
      (.getStatusChange, .states([.empty("A"), .occupied("B"), .listUnchanged])),
    ])
    let context = try PCSCContext(service: service, patience: .init())
    #expect(try context.waitForCard(for: .zero) == "B")
  }

  @Test func `cards in two readers are one too many`() throws {
    try expect(
      .readerAmbiguous("", ["A", "B"]), waitingFor: .zero,
      [
        (.listReaders, .names(["A", "B"])),
        (.getStatusChange, .states([.occupied("A"), .occupied("B"), .listUnchanged])),
      ])
  }

  @Test func `when the time is over, what is missing is said`() throws {
    try expect(
      .noReader, waitingFor: .zero, [(.listReaders, .names([])), (.getStatusChange, .timeIsOver)])
    try expect(
      .readerNotFound("X"), in: .named("X"), waitingFor: .zero,
      [(.listReaders, .names(["A"])), (.getStatusChange, .timeIsOver)])
    try expect(
      .readerNotFound("3"), in: .number(3), waitingFor: .zero,
      [(.listReaders, .names(["A"])), (.getStatusChange, .timeIsOver)])
    try expect(
      .noCard, waitingFor: .zero,
      [
        (.listReaders, .names(["A"])),
        (.getStatusChange, .states([.empty("A"), .listUnchanged])),
        (.listReaders, .names(["A"])), (.getStatusChange, .timeIsOver),
      ])
  }

  @Test func `a reader pulled after it was listed is looked for anew`() throws {
    try expect(
      .noReader, waitingFor: .zero,
      [
        (.listReaders, .names(["A"])), (.getStatusChange, .fails(0x8010_0009)),
        (.listReaders, .names([])), (.getStatusChange, .timeIsOver),
      ])
  }

  @Test func `a reader that is listed but unknown does not keep us busy`() throws {
    let round: [(PCSCFunction, ScriptedService.Reply)] = [
      (.listReaders, .names(["A"])), (.getStatusChange, .fails(0x8010_0009)),
    ]
    try expect(
      .readerRemoved, waitingFor: .seconds(3600), Array(repeatElement(round, count: 16).joined()))
  }

  @Test func `a service that returns without news does not keep us busy`() throws {
    let round: [(PCSCFunction, ScriptedService.Reply)] = [
      (.listReaders, .names(["A"])),
      (.getStatusChange, .states([.empty("A"), .listUnchanged])),
    ]
    try expect(
      .readerRemoved, waitingFor: .seconds(3600), Array(repeatElement(round, count: 17).joined()))
  }

  @Test func `a service that stops while we wait is noticed`() throws {
    try expect(
      .serviceStopped, waitingFor: .seconds(3600),
      [(.listReaders, .names(["A"])), (.getStatusChange, .fails(0x8010_0013))])
  }

  @Test func `waiting is cancelled from another thread`() throws {
    try expectCancellation(of: .waitsForCancel)
  }

  @Test func `waiting is cancelled even when the service is deaf`() throws {
    // SCardCancel is lost when it comes just before the wait.
    let end = DispatchSemaphore(value: 0)
    try expectCancellation(of: .waits(for: end, then: .timeIsOver))
    end.signal()
  }

  private func expectCancellation(of reply: ScriptedService.Reply) throws {
    let service = ScriptedService([(.listReaders, .names(["A"])), (.getStatusChange, reply)])
    let context = try PCSCContext(service: service, patience: .init())
    DispatchQueue.global().async {
      while !service.isFinished { usleep(1000) }
      context.cancel()
    }
    #expect(throws: ChannelError.cancelled) {
      try context.waitForCard(for: .seconds(3600))
    }
    #expect(throws: ChannelError.cancelled) { try context.readers() }
  }

  private func expect(
    _ error: ChannelError, in selection: ReaderSelection = .any, waitingFor limit: Duration,
    _ script: [(PCSCFunction, ScriptedService.Reply)]
  ) throws {
    let service = ScriptedService(script)
    let context = try PCSCContext(service: service, patience: .init())
    #expect(throws: error) {
      try context.waitForCard(in: selection, for: limit)
    }
    #expect(service.isFinished)
  }
}
