import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// Transmission rules: classes, GET RESPONSE, chaining, the end of secure messaging.
@Suite struct VirtualCardTests {
  @Test(
    arguments: [
      ("80A40000", 0x6E00), ("FFB0000000", 0x6E00), ("01A40000", 0x6881), ("03A40000", 0x6881),
      ("04A40000", 0x6882), ("08A40000", 0x6882), ("0CA40000", 0x6985), ("00D60000", 0x6982),
      ("00E40000", 0x6982), ("0022F301", 0x6982), ("002A9E9A0101", 0x6982), ("00700000", 0x6D00),
      ("00C0000010", 0x6985), ("00C0010010", 0x6A86), ("00C000000101", 0x6700), ("00A4", 0x6700),
      ("10A4000C", 0x6884), ("10200081013100", 0x6884), ("00CB3FFF00000000", 0x6700),
    ] as [(String, UInt16)])
  func refusals(_ hex: String, _ status: UInt16) throws {
    let card = VirtualCard(persona: .gemalto)
    #expect(try card.respond(to: Hex.bytes(hex)) == [UInt8(status >> 8), UInt8(status & 0xFF)])
  }

  @Test func anotherCommandBreaksAChain() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.open()
    try terminal.expect("102241A403800102")
    #expect(try terminal.plain("00B081000C").status == 0x9000)
    #expect(try terminal.plain("002241A403840183").status == 0x6A80, "the first half is gone")
  }

  @Test func getResponseIsPlainAndCountsNothing() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.open()
    try terminal.agree()
    // Under secure messaging with the GET RESPONSE in class 00, then in class 0C.
    for getResponseClass in [0x00, 0x0C] as [UInt8] {
      let command = try terminal.wrap(
        [0, 0xCB, 0x3F, 0xFF], Hex.bytes("4D097007BFA004037F4980"))
      let first = try terminal.card.respond(to: command)
      #expect(first.count == 258 && first[256] == 0x61)
      let second = try terminal.card.respond(to: [getResponseClass, 0xC0, 0, 0, first[257]])
      let answer = try terminal.unwrap(
        (first.dropLast(2) + second.dropLast(2), 0x9000), oddInstruction: true)
      #expect(answer.status == 0x9000)
      #expect(answer.data.count == 305)
    }
    #expect(try terminal.secure([0, 0xB0, 0x81, 0], le: 12).status == 0x9000)
  }

  @Test func anotherCommandDropsTheWaitingBytes() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.open()
    let first = try terminal.raw(Hex.bytes("00CB3FFF0B4D097007BFA004037F4980"))
    #expect(first.suffix(2) == [0x61, 0x31])
    try terminal.expect("00B081000C")
    #expect(try terminal.raw(Hex.bytes("00C0000031")) == [0x69, 0x85])
  }

  @Test func errorsUnderSecureMessagingEndIt() throws {
    for damage in [
      { (_: inout [UInt8]) in }, { $0[$0.count - 2] ^= 1 }, { $0 = Array($0.prefix(5)) },
    ]
      as [(inout [UInt8]) -> Void]
    {
      var terminal = TestTerminal(.gemalto)
      try terminal.open()
      try terminal.agree()
      var command = try terminal.wrap([0, 0xB0, 0x81, 0], le: 12)
      let original = command
      damage(&command)
      let response = try terminal.raw(command)
      terminal.counter += 1
      let next = try terminal.raw(terminal.wrap([0, 0xB0, 0x81, 0], le: 12))
      if command == original {
        #expect(next.count > 2)
      } else {
        #expect(response == [0x69, 0x88] || response == [0x69, 0x87])
        #expect(next == [0x69, 0x85])
      }
    }
  }

  @Test func replayedCommandIsRefused() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.open()
    try terminal.agree()
    let command = try terminal.wrap([0, 0xB0, 0x81, 0], le: 12)
    #expect(try terminal.raw(command).count > 2)
    #expect(try terminal.raw(command) == [0x69, 0x88])
  }

  @Test func selectingElsewhereKeepsThePIN() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.open()
    try terminal.authenticate()
    try terminal.verifyPIN(Persona.gemalto.pin)
    #expect(try terminal.secure([0, 0xA4, 4, 0x0C], Application.identityAID).status == 0x9000)
    #expect(try terminal.secure([0, 0xB0, 0x82, 0], le: 9).status == 0x9000)
    #expect(try terminal.secure([0, 0xA4, 4, 0x0C], Application.rootAID).status == 0x9000)
    #expect(try terminal.secure([0, 0xB0, 0x82, 0], le: 9).status == 0x6A82)
    #expect(try terminal.secure([0, 0xA4, 4, 0x0C], Application.identityAID).status == 0x9000)
    #expect(try terminal.secure([0, 0xB0, 0x82, 0], le: 9).status == 0x9000)
    // The environment of a fresh selection: client and server authentication with key 81.
    #expect(try terminal.secure([0, 0x88, 0, 0], [1]).data.count == 256)
  }

  /// IAS ECC §3.3.3.1, §7.1.14: only a plain SELECT by AID keeps secure messaging.
  @Test func onlySelectByNameLeavesTheChannelAlone() throws {
    for (command, survives) in [
      ("00A4040C06A00000000039", true), ("00A4040C03A00000", true), ("00A40000", false),
      ("00A4020C021001", false), ("00A4000C023F00", false), ("00B081000C", false),
      ("0084000008", false),
    ] {
      for options in [[], ["select-ends-sm"]] {
        var terminal = try TestTerminal(.gemalto, options: options.first ?? "nonce=16")
        try terminal.open()
        try terminal.authenticate()
        try terminal.verifyPIN(Persona.gemalto.pin)
        _ = try terminal.plain(command)
        let answer = try terminal.raw(terminal.wrap([0, 0xA4, 4, 0x0C], Application.identityAID))
        #expect((answer.count > 2) == (survives && options.isEmpty), "\(command)")
        if answer.count == 2 { #expect(answer == [0x69, 0x85]) }
      }
    }
  }

  @Test func extendedLengthOnlyWhereAnnounced() throws {
    var terminal = TestTerminal(.itj4)
    try terminal.open()
    let sod = try terminal.plain("00B0860000 0000".replacing(" ", with: ""))
    #expect(sod.status == 0x9000 && sod.data.count == 0x7E3 - 2)
    let parameter = try terminal.plain("00CB3FFF00000C4D0A7008BFA10104A30298000000")
    #expect(parameter.status == 0x9000 && parameter.data.count == 274)
    let long = [0x00, 0x88, 0, 0, 0, 0x04, 0xE0] + [UInt8](repeating: 0, count: 0x4E0)
    #expect(try terminal.raw(long) == [0x67, 0x00])
  }

  @Test func logHasHeadersAndNoData() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.open()
    try terminal.authenticate()
    try terminal.verifyPIN(Persona.gemalto.pin)
    let log = terminal.card.log
    let verify = try #require(log.entries.last)
    #expect(verify.instruction == 0x20 && verify.p2 == 0x81 && verify.isSecured)
    #expect(verify.statusWord == 0x9000)
    #expect(!String(describing: log).contains(Persona.gemalto.pin))
    #expect(
      log.bytesReceived
        == terminal.wire.indices.filter { $0 % 2 == 0 }
        .reduce(0) { $0 + terminal.wire[$1].count })
    #expect(
      log.bytesSent
        == terminal.wire.indices.filter { $0 % 2 == 1 }
        .reduce(0) { $0 + terminal.wire[$1].count })
  }
}
