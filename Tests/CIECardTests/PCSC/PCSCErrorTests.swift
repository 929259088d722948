import Testing

@testable import CIECard

/// Every return code of PC/SC part 5 and pcsclite.h, and its error.
@Suite struct PCSCErrorTests {
  static let meanings: [(UInt32, ChannelError)] = [
    (0x8010_0002, .cancelled),
    (0x8010_0007, .cardMute),
    (0x8010_0009, .readerNotFound("R")),
    (0x8010_000A, .cardMute),
    (0x8010_000B, .sharingViolation),
    (0x8010_000C, .cardRemoved),
    (0x8010_000F, .cardMute),
    (0x8010_0010, .cardMute),
    (0x8010_0012, .serviceStopped),
    (0x8010_0013, .serviceStopped),
    (0x8010_0016, .transmissionFailed(code: 0x8010_0016)),
    (0x8010_0017, .readerRemoved),
    (0x8010_0018, .serviceStopped),
    (0x8010_001C, .cardMute),
    (0x8010_001D, .serviceStopped),
    (0x8010_001E, .serviceStopped),
    (0x8010_002E, .noReader),
    (0x8010_002F, .transmissionFailed(code: 0x8010_002F)),
    (0x8010_0065, .cardMute),
    (0x8010_0066, .cardMute),
    (0x8010_0067, .cardMute),
    (0x8010_0068, .cardReset),
    (0x8010_0069, .cardRemoved),
    (0x8010_006A, .serviceStopped),
    (0x8010_006E, .cancelled),
  ]

  @Test func `every code has its meaning during a command`() {
    let codes = (0x8010_0000...0x8010_0070).map(UInt32.init) + [1, 0xFFFF_FFFF]
    for code in codes {
      let meaning = Self.meanings.first { $0.0 == code }?.1
      #expect(
        ChannelError(PCSCFailure(function: .transmit, code: code), reader: "R")
          == meaning ?? .other(code: code, function: "SCardTransmit"))
    }
  }

  @Test(
    arguments: [
      (PCSCFunction.establishContext, 0x8010_001D, ChannelError.serviceMissing),
      (.establishContext, 0x8010_001E, .serviceOfOtherVersion),
      (.establishContext, 0x8010_0013, .serviceStopped),
      (.listReaders, 0x8010_001E, .serviceStopped),
      (.establishContext, 0x8010_006A, .accessDenied),
      (.connect, 0x8010_006A, .accessDenied),
      (.getStatusChange, 0x8010_006A, .serviceStopped),
      (.connect, 0x8010_000C, .noCard),
      (.connect, 0x8010_0016, .cardMute),
      (.connect, 0x8010_0017, .readerUnavailable("")),
      (.establishContext, 0x8010_000A, .serviceUnresponsive),
      (.listReaders, 0x8010_000A, .serviceUnresponsive),
      (.getStatusChange, 0x8010_000A, .serviceUnresponsive),
      (.beginTransaction, 0x8010_000A, .sharingViolation),
      (.connect, 0x8010_000A, .cardMute),
    ] as [(PCSCFunction, UInt32, ChannelError)])
  func `some codes depend on the function`(
    _ function: PCSCFunction, _ code: UInt32, _ meaning: ChannelError
  ) {
    #expect(ChannelError(PCSCFailure(function: function, code: code)) == meaning)
  }

  @Test func `a missing service is reported as missing`() {
    #expect(throws: ChannelError.serviceMissing) {
      _ = try PCSCContext(
        service: ScriptedService(establishingFails: 0x8010_001D), patience: .init())
    }
  }
}
