import CIECard
import Traces
import TestSupport
import Testing

@testable import VirtualCIE

/// A chip that ends the channel, or hides files until power-off, in the middle of the document.
@Suite struct DocumentSurvivalTests {
  private func judge(
    _ persona: Persona, _ faults: String
  ) throws -> (values: [Trace.Expectation.Value], log: CardLog) {
    let card = VirtualCard(persona: persona, faults: try FaultPlan(parsing: faults))
    let values = try DocumentJourneys.run(
      .documentAuthenticity(
        code: DocumentJourneys.can(of: persona), groups: [.dg1, .dg2, .dg11, .dg12],
        trustAnchors: [persona.documentCSCA]),
      on: card)
    return (values, card.log)
  }

  /// gemalto2 reads in extended commands: after one ends the channel, in short ones, and no data are missing.
  @Test(arguments: ["6700", "6F00", "6985"])
  func extendedReadThatEndsTheChannelIsSurvived(word: String) throws {
    let persona = Persona.gemalto2
    let plain = try judge(persona, "delay=0")
    let first = try #require(
      plain.log.entries.filter { $0.instruction == 0xB0 }.firstIndex { $0.isSecured })
    for offset in 1...3 {
      let (values, log) = try judge(persona, "bare-status=\(word)@B0:\(first + offset)")
      #expect(log.triggeredFaults == 1)
      #expect(values == plain.values, "READ \(offset)")
      #expect(log.entries.filter { $0.instruction == 0x22 && $0.p1 == 0xC1 }.count == 2)
    }
  }

  /// A card that knows its root only by 3F00, without any selection after a reset, opens like any other.
  @Test(arguments: [Persona.gemalto2, .itj4].map(\.identifier))
  func rootByIdentifierAlone(name: String) throws {
    let persona = try #require(Persona.named(name))
    func read(_ options: String) throws -> (values: [Trace.Expectation.Value], reads: Int) {
      let card = VirtualCard(persona: persona, options: try CardOptions(parsing: options))
      let values = try DocumentJourneys.run(
        .documentAuthenticity(
          code: DocumentJourneys.can(of: persona), groups: [.dg1, .dg2],
          trustAnchors: [persona.documentCSCA]),
        on: card)
      return (values, card.log.entries.count { $0.instruction == 0xB0 })
    }
    let plain = try read("failure-delay=0")
    let card = try read("no-root-aid,no-bare-root,nothing-selected")
    #expect(card.values == plain.values)
    // One more is the first of EF.CardAccess, before a selection. EF.ATR was found as well: short commands would be more.
    #expect(card.reads == plain.reads + 1)
  }

  /// Two files at which the card ends the channel are left out, although the first one was requested in a long answer.
  @Test func lengthCostsNoFile() throws {
    let card = VirtualCard(
      persona: .gemalto,
      faults: try FaultPlan(parsing: "hidden-file=010B:bare-6982,hidden-file=010C:bare-6982"))
    var document = try DocumentJourneys.open(card)
    let evidence = try document.gatherEvidence([.dg1, .dg2, .dg11, .dg12])
    #expect(evidence.unread == [.dg11, .dg12])
    #expect(evidence.files[.dg2] != nil)
    let ended = document.endedOverLength
    #expect(!ended)
  }

  /// A channel that ends again and again is an error at the end, after two more openings, and one because of the length.
  @Test func openingAgainHasAnEnd() throws {
    let faults = (5...40).map { "bare-status=6982@B0:\($0)" }.joined(separator: ",")
    let card = VirtualCard(persona: .gemalto, faults: try FaultPlan(parsing: faults))
    let error = #expect(throws: CardError.self) {
      try DocumentJourneys.run(
        .documentAuthenticity(
          code: DocumentJourneys.can(of: .gemalto), groups: [.dg1, .dg2], trustAnchors: []),
        on: card)
    }
    #expect(error?.reason == .channelEnded(.securityStatusNotSatisfied))
    #expect(card.log.entries.filter { $0.instruction == 0x22 && $0.p1 == 0xC1 }.count == 4)
  }

  /// Short READ BINARY requests DF bytes in the travel document, because 231 fit only some ciphers.
  @Test func shortReadsAskForWhatEveryChipGives() throws {
    let card = VirtualCard(
      persona: .gemalto, options: try CardOptions(parsing: "no-extended-length=read"))
    _ = try DocumentJourneys.run(
      .documentAuthenticity(
        code: DocumentJourneys.can(of: .gemalto), groups: [.dg1, .dg2], trustAnchors: []), on: card)
    // 223 bytes and their padding in 87 04 01 …, DO99, DO8E.
    let longest = card.log.entries.filter { $0.instruction == 0xB0 && $0.isSecured }
      .map { $0.responseLength }.max()
    #expect(longest == 4 + 224 + 4 + 10 + 2)
  }

  /// The files of the master file reappear after power-off, once.
  @Test(arguments: [true, false])
  func filesThatVanishedAreLookedForAfterAPowerCycle(comesBack: Bool) throws {
    let power = Power()
    let channel = HidingChannel(
      VirtualCardChannel(
        persona: .gemalto, extendedLength: DocumentJourneys.extendedReader), power,
      comesBack: comesBack)
    let visit = Trace.DocumentVisit(
      code: DocumentJourneys.can(of: .gemalto), tasks: [.read(.group(.dg1))])
    var random = SystemRandom()
    let runner = JourneyRunner(.travelDocument(visit), at: TestClock.now)
    do throws(CardError) {
      let values = try runner.run(over: channel, random: &random)
      #expect(comesBack)
      #expect(values.first == .access(DocumentJourneys.usualAccess(of: .gemalto)))
    } catch {
      #expect(!comesBack && error == CardError(.openAccess, .noAccessProtocol))
    }
    #expect(power.cycles == 1)
  }

  private final class Power {
    var cycles = 0
  }

  /// A card whose EF.CardAccess (011C, short 1C) cannot be selected in clear until power-off.
  private struct HidingChannel: CardChannel, ~Copyable {
    private var inner: VirtualCardChannel
    private let power: Power
    private let comesBack: Bool

    init(_ inner: consuming VirtualCardChannel, _ power: Power, comesBack: Bool) {
      self.inner = inner
      self.power = power
      self.comesBack = comesBack
    }

    var traits: ChannelTraits { inner.traits }

    mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
      let isHidden = power.cycles == 0 || !comesBack
      if isHidden, command.suffix(2) == [0x01, 0x1C] || command.prefix(3) == [0x00, 0xB0, 0x9C] {
        return [0x6A, 0x82]
      }
      return try inner.transmit(command)
    }

    mutating func powerCycle() throws(ChannelError) -> Bool {
      power.cycles += 1
      return try inner.powerCycle()
    }
  }
}
