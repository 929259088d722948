import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// Every fault appears at its moment, and only there.
@Suite struct FaultTests {
  @Test(arguments: [Fault.wrongMAC, .staleCounter]) func theMACIsWrongAtItsMoment(_ fault: Fault)
    throws
  {
    let card = VirtualCard(
      persona: .gemalto, faults: FaultPlan(fault, at: .instruction(0xB0, occurrence: 2)))
    var terminal = TestTerminal(card)
    try terminal.open()
    try terminal.agree()
    #expect(try terminal.secure([0, 0xB0, 0x81, 0], le: 12).status == 0x9000)
    #expect(throws: TestTerminal.BadMAC.self) {
      try terminal.secure([0, 0xB0, 0x81, 0], le: 12)
    }
    #expect(try terminal.secure([0, 0xB0, 0x81, 0], le: 12).status == 0x9000)
    #expect(card.log.triggeredFaults == 1)
  }

  @Test func staleCounterIsTheOneBefore() throws {
    let keys = try SessionKeys(identitySecret: [1])
    var session = CardSession(keys)
    var stale = CardSession(keys)
    let first = try session.seal(.success, oddInstruction: false)
    _ = try stale.seal(.success, oddInstruction: false)
    stale.restart(counter: [0, 0, 0, 0, 0, 0, 0, 3])
    #expect(try stale.seal(.success, oddInstruction: false, flaw: .staleCounter) != first)
    stale.restart(counter: [0, 0, 0, 0, 0, 0, 0, 4])
    #expect(try stale.seal(.success, oddInstruction: false, flaw: .staleCounter) == first)
  }

  @Test func strippedProtection() throws {
    let plan = FaultPlan(.strippedProtection, at: .instruction(0xB0, occurrence: 1))
    var terminal = TestTerminal(.gemalto, faults: plan)
    try terminal.open()
    try terminal.agree()
    let response = try terminal.raw(terminal.wrap([0, 0xB0, 0x81, 0], le: 12))
    #expect(response == Persona.gemalto.nis.utf8 + [0x90, 0x00])
  }

  @Test func truncatedAndCut() throws {
    let plan = try FaultPlan(parsing: "truncated-answer@1,cut-data=3@2,truncated-answer=4@3")
    var card = VirtualCardChannel(persona: .gemalto, faults: plan)
    #expect(throws: ChannelError.truncatedResponse(length: 1)) {
      _ = try card.transmit(Hex.bytes("00A40000"))
    }
    #expect(try card.transmit(Hex.bytes("00A4000402 3F00")).count == 27 - 3)
    #expect(try card.transmit(Hex.bytes("00A4000402 3F00")).count == 4)
  }

  @Test func wrongSignatures() throws {
    let faulty = VirtualCard(persona: .gemalto, faults: FaultPlan(.wrongAuthenticationSignature))
    var misled = TestTerminal(faulty)
    try misled.open()
    #expect(throws: TestTerminal.BadProof.self) { try misled.authenticate() }

    var terminal = TestTerminal(.gemalto, faults: FaultPlan(.wrongSignature))
    try terminal.open()
    try terminal.authenticate()
    try terminal.verifyPIN(Persona.gemalto.pin)
    try terminal.secure([0, 0x22, 0x41, 0xA4], Hex.bytes("800102840181"))
    let (signature, status) = try terminal.secure([0, 0x88, 0, 0], [1, 2, 3])
    #expect(status == 0x9000)
    let modulus = Persona.gemalto.holderKey.modulus
    #expect(try !TestTerminal.opens(signature, [1, 2, 3], modulus: modulus))
    #expect(try TestTerminal.opens(signature, [1, 2, 2], modulus: modulus))
  }

  @Test(arguments: Fault.TrivialDHValue.allCases)
  func trivialValues(_ value: Fault.TrivialDHValue) throws {
    var terminal = TestTerminal(.gemalto, faults: FaultPlan(.trivialDHValue(value)))
    try terminal.open()
    let (_, card) = try terminal.agree()
    let group = DomainParameters.standard
    switch value {
    case .generatorOne: #expect(terminal.group.g == group.one)
    case .generatorMinusOne: #expect(terminal.group.g == group.minusOne)
    case .cardValueZero: #expect(card == [UInt8](repeating: 0, count: 256))
    case .cardValueOne: #expect(card == group.one)
    case .cardValueMinusOne:
      #expect(card == group.minusOne)
      return
    }
    // The card continues with the well-known secret.
    #expect(try terminal.secure([0, 0xB0, 0x81, 0], le: 12).status == 0x9000)
  }

  @Test func endlessAnswersDoNotEnd() throws {
    let more = VirtualCard(
      persona: .gemalto, faults: FaultPlan(.endless61xx(dataLength: 2), at: .command(2)))
    #expect(try more.respond(to: Hex.bytes("00A40000")) == [0x90, 0])
    for _ in 0..<5 { #expect(try more.respond(to: Hex.bytes("00C0000010")) == [0, 0, 0x61, 0x10]) }
    let other = VirtualCard(persona: .gemalto, faults: FaultPlan(.endless6Cxx))
    let first = try other.respond(to: Hex.bytes("00B0000000"))
    #expect(first.first == 0x6C)
    #expect(try other.respond(to: Hex.bytes("00B0000001")) != first)
  }

  @Test func anAnswerIsLongerThanItSays() throws {
    let plan = try FaultPlan(parsing: "extra-data=2@2,false-length=7F@3")
    let card = VirtualCard(persona: .gemalto, faults: plan)
    let select = try Hex.bytes("00A4040C06A00000000039")
    let good = try card.respond(to: select)
    #expect(try card.respond(to: select) == good.dropLast(2) + [0x55, 0x55] + good.suffix(2))
    let read = try Hex.bytes("00B0810000")
    #expect(try card.respond(to: read).dropFirst().first == 0x7F)
  }

  /// A reset is reported once, the end of the service permanently; an exchange is not reported.
  @Test func cardsAndServicesComeAndGo() throws {
    let select = try Hex.bytes("00A40000")
    let reset = VirtualCard(persona: .gemalto, faults: FaultPlan(.cardReset))
    #expect(throws: ChannelError.cardReset) { try reset.respond(to: select) }
    #expect(try reset.respond(to: select) == [0x90, 0])
    let stopped = VirtualCard(persona: .gemalto, faults: FaultPlan(.serviceStopped))
    for _ in 0..<2 {
      #expect(throws: ChannelError.serviceStopped) { try stopped.respond(to: select) }
      stopped.reset()
    }
    stopped.forgive()
    #expect(try stopped.respond(to: select) == [0x90, 0])
    let number = try Hex.bytes("00B0810000")
    let swapped = VirtualCard(persona: .gemalto, faults: FaultPlan(.cardSwapped, at: .command(3)))
    let cie = try Hex.bytes("00A4040C06A00000000039")
    _ = try swapped.respond(to: cie)
    let first = try swapped.respond(to: number)
    _ = try swapped.respond(to: cie)
    #expect(try swapped.respond(to: number) != first)
    #expect(swapped.log.triggeredFaults == 1)
  }

  @Test func anAbsentCardStaysAbsent() throws {
    for (fault, error) in [(Fault.cardRemoved, ChannelError.cardRemoved), (.cardMute, .cardMute)] {
      let card = VirtualCard(persona: .gemalto, faults: FaultPlan(fault, at: .command(2)))
      #expect(try card.respond(to: Hex.bytes("00A40000")) == [0x90, 0])
      for _ in 0..<2 {
        #expect(throws: error) { try card.respond(to: Hex.bytes("00A40000")) }
      }
      card.reset()
      #expect(try card.respond(to: Hex.bytes("00A40000")) == [0x90, 0])
    }
  }

  @Test func statusWordsComeInPlaceOfTheCommand() throws {
    let plan = try FaultPlan(parsing: "status=6F00@b0:1,bare-status=6581@b0:2,delay=1@b0:1")
    var terminal = TestTerminal(.gemalto, faults: plan)
    try terminal.open()
    try terminal.agree()
    #expect(try terminal.secure([0, 0xB0, 0x81, 0], le: 12) == ([], 0x6F00))
    #expect(try terminal.raw(terminal.wrap([0, 0xB0, 0x81, 0], le: 12)) == [0x65, 0x81])
  }

  @Test func theTextFormNamesFaultAndMoment() throws {
    let plan = try FaultPlan(parsing: "wrong-mac@14,card-removed@20:1,trivial-dh=card-value-one")
    #expect(
      plan.entries == [
        .init(fault: .wrongMAC, moment: .command(14)),
        .init(fault: .cardRemoved, moment: .instruction(0x20, occurrence: 1)),
        .init(fault: .trivialDHValue(.cardValueOne), moment: .command(1)),
      ])
    for name in FaultPlan.faultNames {
      let word = name.replacing("[", with: "").replacing("]", with: "")
        .replacing("LENGTH", with: "1").replacing("COUNT", with: "1")
        .replacing("VALUE", with: "card-value-zero").replacing("NUMBER", with: "2")
        .replacing("KEY", with: "mapping-identity").replacing("MILLISECONDS", with: "1")
        .replacing("HHHH", with: "6F00").replacing("HH", with: "7F")
        .replacing("FILE", with: "1006").replacing("WORD", with: "6A82")
      #expect(try FaultPlan(parsing: word + "@3").entries.count == 1)
    }
  }

  @Test(arguments: [
    ("", FaultPlan.ParsingError.unknownFault("")), ("wrong-mac,", .unknownFault("")),
    ("wrong", .unknownFault("wrong")), ("wrong-mac=1", .badValue("wrong-mac")),
    ("wrong-mac@", .badMoment("")), ("wrong-mac@0", .badMoment("0")),
    ("wrong-mac@2:1", .badMoment("2:1")), ("wrong-mac@20:0", .badMoment("20:0")),
    ("wrong-mac@20:1:1", .badMoment("20:1:1")), ("delay", .badValue("delay")),
    ("delay=-1", .badValue("delay")), ("status=9", .badValue("status")),
    ("hidden-file", .badValue("hidden-file")), ("hidden-file=106", .badValue("hidden-file")),
    ("hidden-file=1006:bare", .badValue("hidden-file")),
    ("trivial-dh=two", .badValue("trivial-dh")), ("cut-data=0", .badValue("cut-data")),
    ("false-length=7", .badValue("false-length")), ("extra-data=0", .badValue("extra-data")),
  ])
  func badText(_ text: String, _ error: FaultPlan.ParsingError) {
    #expect(throws: error) { try FaultPlan(parsing: text) }
  }

  @Test func outlandishNumbersAreHarmless() throws {
    for fault in [
      Fault.truncatedAnswer(length: -1), .cutData(count: -1), .cutData(count: .max),
      .extraData(count: -1), .extraData(count: .max),
      .endless61xx(dataLength: -1), .endless61xx(dataLength: .max), .delay(milliseconds: -1),
    ] {
      let card = VirtualCard(persona: .gemalto, faults: FaultPlan(fault))
      _ = try card.respond(to: [0, 0xA4, 0, 0])
    }
  }
}
