import Dispatch
import Glibc
import Testing

@testable import CIECard

/// Waiting for readers and cards, with readers that come and go.
@Suite(.timeLimit(.minutes(20))) struct WaitingTests {
  @Test func `a reader and then a card appear during the wait`() throws {
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
    // The known state is passed without SCARD_STATE_CHANGED, because only then does the service wait.
    #expect(
      service.notes == ["\(plugAndPlay):0", "R:0 \(plugAndPlay):0", "R:10 \(plugAndPlay):0"])
    #expect(service.isFinished)
  }

  @Test func `of several readers the one with a card is selected`() throws {
    let service = ScriptedService([
      (.listReaders, .names(["A", "B"])),
      (.getStatusChange, .states([.empty("A"), .occupied("B"), .listUnchanged])),
    ])
    let context = try PCSCContext(service: service, patience: .init())
    #expect(try context.waitForCard(for: .zero) == "B")
  }

  @Test func `cards in two readers are ambiguous`() throws {
    try expect(
      .readerAmbiguous("", ["A", "B"]), waitingFor: .zero,
      [
        (.listReaders, .names(["A", "B"])),
        (.getStatusChange, .states([.occupied("A"), .occupied("B"), .listUnchanged])),
      ])
  }

  @Test func `of several matching readers the one with a card is selected`() throws {
    let service = ScriptedService([
      (.listReaders, .names(["X A", "B", "X C"])),
      (.getStatusChange, .states([.empty("X A"), .occupied("X C"), .listUnchanged])),
    ])
    let context = try PCSCContext(service: service, patience: .init())
    #expect(try context.waitForCard(in: .named("x"), for: .zero) == "X C")
    try expect(
      .readerAmbiguous("x", ["X A", "X C"]), in: .named("x"), waitingFor: .zero,
      [
        (.listReaders, .names(["X A", "B", "X C"])),
        (.getStatusChange, .states([.empty("X A"), .empty("X C"), .listUnchanged])),
        (.listReaders, .names(["X A", "B", "X C"])), (.getStatusChange, .timeIsOver),
      ])
  }

  @Test func `a reader that is unavailable is no reader without a card`() throws {
    let round: [(PCSCFunction, ScriptedService.Reply)] = [
      (.listReaders, .names(["A"])),
      (.getStatusChange, .states([.unavailable("A"), .listUnchanged])),
      (.listReaders, .names(["A"])),
    ]
    try expect(.readerUnavailable("A"), waitingFor: .zero, round)
    // During the wait it may still leave the list, or come back.
    try expect(
      .readerUnavailable("A"), waitingFor: .seconds(3600), removal: .zero, round)
  }

  @Test func `the missing part is reported during the wait`() throws {
    let service = ScriptedService([
      (.listReaders, .names([])), (.getStatusChange, .states([.listChanged])),
      (.listReaders, .names(["R"])), (.getStatusChange, .states([.empty("R"), .listUnchanged])),
      (.listReaders, .names(["R"])), (.getStatusChange, .states([.occupied("R"), .listUnchanged])),
    ])
    let context = try PCSCContext(service: service, patience: .init())
    var told: [PCSCContext.Awaited] = []
    #expect(try context.waitForCard(for: .seconds(60)) { told.append($0) } == "R")
    #expect(told == [.reader, .card])
  }

  @Test(arguments: [0x8010_0066, 0x8010_0067, 0x8010_000C, 0x8010_0069])
  func `a card that cannot be connected is searched again`(_ code: Int) throws {
    let found: [(PCSCFunction, ScriptedService.Reply)] = [
      (.listReaders, .names(["R"])), (.getStatusChange, .states([.occupied("R"), .listUnchanged])),
    ]
    let service = ScriptedService(
      found + [
        (.getStatusChange, .states([.occupied("R")])), (.connect, .fails(code)),
        (.getStatusChange, .states([.occupied("R")])), (.getStatusChange, .timeIsOver),
      ] + found + PCSCChannelTests.opening + [(.endTransaction, .done)])
    let context = try PCSCContext(service: service, patience: .init())
    _ = try context.openCard(for: .seconds(60))
    #expect(service.isFinished)
  }

  @Test func `a card that stays mute fails at the end of the wait`() throws {
    let round: [(PCSCFunction, ScriptedService.Reply)] = [
      (.listReaders, .names(["R"])), (.getStatusChange, .states([.occupied("R"), .listUnchanged])),
      (.getStatusChange, .states([.occupied("R")])), (.connect, .fails(0x8010_0066)),
    ]
    let service = ScriptedService(round)
    let context = try PCSCContext(service: service, patience: .init(swap: .zero))
    #expect(throws: ChannelError.cardMute) { _ = try context.openCard(for: .zero) }
    #expect(service.isFinished)
  }

  @Test func `the reader of a card that another program holds is named`() throws {
    let service = ScriptedService([
      (.listReaders, .names(["A", "B"])),
      (.getStatusChange, .states([.empty("A"), .occupied("B"), .listUnchanged])),
      (.getStatusChange, .states([.inUse("B")])), (.connect, .fails(0x8010_000B)),
    ])
    let context = try PCSCContext(service: service, patience: .init())
    var found: [String] = []
    #expect(throws: ChannelError.sharingViolation) {
      _ = try context.openCard(for: .zero, found: { found.append($0) })
    }
    #expect(found == ["B"] && service.isFinished)
  }

  @Test func `the end of the wait reports the missing part`() throws {
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

  @Test func `a reader pulled after the listing is searched again`() throws {
    try expect(
      .noReader, waitingFor: .zero,
      [
        (.listReaders, .names(["A"])), (.getStatusChange, .fails(0x8010_0009)),
        (.listReaders, .names([])), (.getStatusChange, .timeIsOver),
      ])
  }

  @Test func `a reader that is listed but unknown causes no busy loop`() throws {
    let round: [(PCSCFunction, ScriptedService.Reply)] = [
      (.listReaders, .names(["A"])), (.getStatusChange, .fails(0x8010_0009)),
    ]
    try expect(
      .readerRemoved, waitingFor: .seconds(3600), Array(repeatElement(round, count: 16).joined()))
  }

  @Test func `a service that returns without events causes no busy loop`() throws {
    let round: [(PCSCFunction, ScriptedService.Reply)] = [
      (.listReaders, .names(["A"])),
      (.getStatusChange, .states([.empty("A"), .listUnchanged])),
    ]
    try expect(
      .readerRemoved, waitingFor: .seconds(3600), Array(repeatElement(round, count: 17).joined()))
  }

  @Test func `a service that stops during the wait is noticed`() throws {
    try expect(
      .serviceStopped, waitingFor: .seconds(3600),
      [(.listReaders, .names(["A"])), (.getStatusChange, .fails(0x8010_0013))])
  }

  @Test func `waiting is cancelled from another thread`() throws {
    try expectCancellation(of: .waitsForCancel)
  }

  @Test func `waiting is cancelled even if the service ignores it`() throws {
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
    _ error: ChannelError, in selection: PCSCContext.ReaderSelection = .any,
    waitingFor limit: Duration,
    removal: Duration = .seconds(1), _ script: [(PCSCFunction, ScriptedService.Reply)]
  ) throws {
    let service = ScriptedService(script)
    let context = try PCSCContext(service: service, patience: .init(removal: removal))
    #expect(throws: error) {
      try context.waitForCard(in: selection, for: limit)
    }
    #expect(service.isFinished)
  }
}
