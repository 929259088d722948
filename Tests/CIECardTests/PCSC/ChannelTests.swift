import Dispatch
import Testing

@testable import CIECard

/// Connecting and transmitting, with drivers and other programs that the virtual reader does not offer.
@Suite(.timeLimit(.minutes(20))) struct PCSCChannelTests {
  typealias Script = [(PCSCFunction, ScriptedService.Reply)]

  /// The service's part in connecting to a T=1 card whose driver has no properties.
  static let opening: Script = [
    (.getStatusChange, .states([.occupied("R")])), (.connect, .connected(.t1)),
    (.beginTransaction, .done), (.status, .bytes([0x3B, 0x00])), (.control, .fails(0x8010_001F)),
  ]
  static let select: [UInt8] = [0, 0xA4, 4, 0]

  private func context(_ service: ScriptedService) throws(ChannelError) -> PCSCContext {
    try PCSCContext(service: service, patience: .init())
  }

  @Test func `a channel begins with a transaction and ends with a reset`() throws {
    let service = ScriptedService(
      Self.opening + [(.transmit, .bytes([0x90, 0])), (.endTransaction, .done)])
    let context = try context(service)
    do {
      var channel = try context.connect(to: "R")
      #expect(channel.traits == ChannelTraits(atr: [0x3B, 0x00], extendedLength: .unknown))
      #expect(try channel.transmit(Self.select) == [0x90, 0])
    }
    #expect(service.isFinished)
    // The reset came with the end of the transaction: a second one would reset other programs' sessions.
    #expect(service.notes.last == "disconnect")
  }

  @Test(arguments: [(0x8010_0001, "disconnect, reset"), (0x8010_0069, "disconnect")])
  func `a card that was not reset with the transaction is reset after it, unless it is gone`(
    _ code: Int, _ note: String
  ) throws {
    let service = ScriptedService(Self.opening + [(.endTransaction, .fails(code))])
    let context = try context(service)
    _ = try context.connect(to: "R")
    #expect(service.notes.last == note)
    withExtendedLifetime(context) {}
  }

  @Test func `the driver's properties are requested`() throws {
    let service = ScriptedService(
      Self.opening.dropLast() + [
        (.control, .bytes([0x12, 4, 0x42, 0x33, 0, 0x12])),
        (.control, .bytes([0x0A, 4, 0, 0, 1, 0])), (.endTransaction, .done),
      ])
    let channel = try context(service).connect(to: "R")
    #expect(channel.traits.extendedLength == .carried(maximumDataLength: 65_536))
    #expect(service.notes.suffix(2) == ["42000d48", "42330012"])
  }

  @Test func `under T=0 Le of case 4 is dropped and extended length refused`() throws {
    let service = ScriptedService([
      (.getStatusChange, .states([.occupied("R")])), (.connect, .connected(.t0)),
      (.beginTransaction, .done), (.status, .bytes([0x3B, 0x00])),
      (.transmit, .bytes([0x61, 0x10])), (.transmit, .bytes([0x90, 0])),
      (.transmit, .bytes([0x90, 0])), (.endTransaction, .done),
    ])
    var channel = try context(service).connect(to: "R")
    #expect(channel.traits.extendedLength == .notCarried)
    #expect(try channel.transmit([0, 0xA4, 4, 0, 2, 1, 2, 0]) == [0x61, 0x10])
    #expect(try channel.transmit([0, 0xA4, 4, 0, 2, 1, 2]) == [0x90, 0])
    #expect(try channel.transmit([0, 0xC0, 0, 0, 0x10]) == [0x90, 0])
    #expect(service.notes.suffix(3) == ["0 a4 4 0 2 1 2", "0 a4 4 0 2 1 2", "0 c0 0 0 10"])
    #expect(throws: ChannelError.lengthNotCarried(length: 7)) {
      try channel.transmit([0, 0xB0, 0, 0, 0, 2, 0])
    }
  }

  @Test func `raw is requested when no protocol fits`() throws {
    let service = ScriptedService([
      (.getStatusChange, .states([.occupied("R")])), (.connect, .fails(0x8010_000F)),
      (.connect, .connected(.raw)), (.beginTransaction, .done), (.status, .bytes([0x3B, 0x00])),
      (.control, .bytes([])), (.endTransaction, .done),
    ])
    _ = try context(service).connect(to: "R")
    #expect(service.notes.contains("raw"))
    #expect(service.isFinished)
  }

  @Test func `a card reset before our turn is reconnected`() throws {
    let service = ScriptedService(
      [
        Self.opening[0], (.connect, .connected(.t1)), (.beginTransaction, .fails(0x8010_0068)),
      ] + Self.opening.dropFirst() + [(.endTransaction, .done)])
    _ = try context(service).connect(to: "R")
    #expect(service.isFinished)
  }

  @Test func `connecting to a card that is reset again and again is given up`() throws {
    let round: Script = [(.connect, .connected(.t1)), (.beginTransaction, .fails(0x8010_0068))]
    try expectConnecting(.cardReset, [Self.opening[0]] + round + round + round)
  }

  @Test func `connecting fails with the service's reason`() throws {
    try expectConnecting(.readerNotFound("R"), [(.getStatusChange, .fails(0x8010_0009))])
    try expectConnecting(.readerNotFound("R"), [(.getStatusChange, .states([.gone("R")]))])
    try expectConnecting(.noCard, [(.getStatusChange, .states([.empty("R")]))])
    try expectConnecting(.sharingViolation, [Self.opening[0], (.connect, .fails(0x8010_000B))])
    try expectConnecting(.cardMute, [Self.opening[0], (.connect, .fails(0x8010_0066))])
    try expectConnecting(.accessDenied, [Self.opening[0], (.connect, .fails(0x8010_006A))])
    try expectConnecting(
      .readerUnavailable("R"), [Self.opening[0], (.connect, .fails(0x8010_0017))])
    try expectConnecting(
      .readerUnavailable("R"), [(.getStatusChange, .states([.unavailable("R")]))])
  }

  @Test(arguments: [(true, ChannelError.sharingViolation), (false, .cardMute)])
  func `a connection that hangs is not waited for`(
    _ inUse: Bool, _ expected: ChannelError
  ) throws {
    let late = DispatchSemaphore(value: 0)
    let service = ScriptedService([
      (.getStatusChange, .states([inUse ? .inUse("R") : .occupied("R")])),
      (.connect, .waits(for: late, then: .fails(0x8010_0069))),
    ])
    let context = try PCSCContext(
      service: service, patience: .init(connect: .milliseconds(200)))
    #expect(throws: expected) { _ = try context.connect(to: "R") }
    // The context has ended, and releases everything when the call returns after all.
    #expect(throws: ChannelError.serviceUnresponsive) {
      try context.readers()
    }
    #expect(!service.notes.contains("release"))
    late.signal()
    try PCSCRig.eventually("released") { service.notes.contains("release") }
  }

  @Test(
    arguments: [
      (0x8010_0069, nil, ChannelError.cardRemoved),
      (0x8010_0068, nil, .cardReset),
      (0x8010_0017, nil, .readerRemoved),
      (0x8010_0013, nil, .serviceStopped),
      (0x8010_001F, nil, .other(code: 0x8010_001F, function: "SCardTransmit")),
      (0x8010_0016, .states([.empty("R")]), .cardRemoved),
      (0x8010_0016, .states([.gone("R")]), .readerRemoved),
      (0x8010_0016, .fails(0x8010_0009), .readerRemoved),
      (0x8010_0016, .states([.unavailable("R")]), .readerUnavailable("R")),
      (0x8010_0016, .fails(0x8010_0013), .transmissionFailed(code: 0x8010_0016)),
      (0x8010_0008, nil, .other(code: 0x8010_0008, function: "SCardTransmit")),
    ] as [(Int, ScriptedService.Reply?, ChannelError)])
  func `a failed command has a reason`(
    _ code: Int, _ status: ScriptedService.Reply?, _ expected: ChannelError
  ) throws {
    let look: Script = status.map { [(.getStatusChange, $0)] } ?? []
    try expectTransmitting(Self.select, expected, [(.transmit, .fails(code))] + look)
  }

  private static let stays: Script = [
    (.getStatusChange, .states([.inUse("R")])), (.getStatusChange, .timeIsOver),
  ]

  @Test func `a card that stays is mute, or the command was lost`() throws {
    try expectTransmitting(
      Self.select, .cardMute, [(.transmit, .fails(0x8010_0066))] + Self.stays)
    try expectTransmitting(
      Self.select, .transmissionFailed(code: 0x8010_0016),
      [(.transmit, .fails(0x8010_0016))] + Self.stays)
  }

  @Test(arguments: [0x8010_0016, 0x8010_0004, 0x8010_0008])
  func `a long command that a driver does not carry is reported as such`(_ code: Int) throws {
    try expectTransmitting(
      [0, 0xB0, 0, 0, 0, 8, 0], .lengthNotCarried(length: 7),
      [(.transmit, .fails(code))] + Self.stays)
  }

  /// 80100004 and 80100008 on a long command are the reader's fault; on a short one they have their usual meaning.
  @Test(arguments: [0x8010_0004, 0x8010_0008, 0x8010_0016])
  func `a reader without extended length is reported, however it signals that`(_ code: Int) throws {
    let stays: Script = [
      (.transmit, .fails(code)), (.getStatusChange, .states([.inUse("R")])),
      (.getStatusChange, .timeIsOver),
    ]
    let long = [UInt8](repeating: 0, count: 273)
    try expectTransmitting(long, .lengthNotCarried(length: 273), stays)
    if code != 0x8010_0016 {
      try expectTransmitting(
        Self.select, .other(code: UInt32(code), function: "SCardTransmit"), [stays[0]])
    }
  }

  @Test func `a power cycle disconnects without power and reconnects`() throws {
    let service = ScriptedService(
      Self.opening + Self.opening.dropFirst() + [
        (.transmit, .bytes([0x90, 0])), (.endTransaction, .done),
      ])
    let context = try context(service)
    do {
      var channel = try context.connect(to: "R")
      #expect(try channel.powerCycle())
      #expect(try channel.transmit(Self.select) == [0x90, 0])
    }
    #expect(service.isFinished)
    #expect(
      service.notes.filter { $0.hasPrefix("disconnect") } == ["disconnect, unpower", "disconnect"])
  }

  @Test func `a card that does not come back from a power cycle is an error`() throws {
    let service = ScriptedService(
      Self.opening + [(.connect, .fails(0x8010_0069)), (.endTransaction, .fails(0x8010_0003))])
    var channel: PCSCContext.Channel? = try context(service).connect(to: "R")
    #expect(throws: ChannelError.cardRemoved) { _ = try channel?.powerCycle() }
    channel = nil
    #expect(service.isFinished)
  }

  @Test func `an empty answer means that the card or the reader is gone`() throws {
    let nothing: Script = [(.transmit, .bytes([]))]
    try expectTransmitting(
      Self.select, .cardRemoved, nothing + [(.getStatusChange, .states([.empty("R")]))])
    try expectTransmitting(
      Self.select, .readerRemoved, nothing + [(.getStatusChange, .fails(0x8010_0009))])
    try expectTransmitting(
      Self.select, .readerRemoved,
      nothing + [
        (.getStatusChange, .states([.inUse("R")])), (.getStatusChange, .states([.gone("R")])),
      ])
  }

  private func expectConnecting(_ error: ChannelError, _ script: Script) throws {
    let service = ScriptedService(script)
    #expect(throws: error) {
      _ = try context(service).connect(to: "R")
    }
    #expect(service.isFinished)
  }

  private func expectTransmitting(
    _ command: [UInt8], _ error: ChannelError, _ script: Script
  ) throws {
    let service = ScriptedService(Self.opening + script + [(.endTransaction, .done)])
    var channel: PCSCContext.Channel? = try context(service).connect(to: "R")
    #expect(throws: error) { _ = try channel?.transmit(command) }
    channel = nil
    #expect(service.isFinished)
  }
}
