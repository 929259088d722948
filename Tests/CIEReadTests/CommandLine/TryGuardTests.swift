import CIECard
import TestSupport
import Testing
import VirtualCIE
@testable import Traces

/// The guard of the last try: the card's counter inside the proven channel decides whether VERIFY is sent at all.
@Suite struct TryGuardTests {
  /// A conversation with a card some of whose tries are spent, as by `pin verify`.
  static func trace(
    spending spent: Int, allowingLastTry: Bool
  ) throws -> String {
    let persona = Persona.gemalto
    let card = VirtualCard(persona: persona)
    for _ in 0..<spent {
      _ = try? verify("40506070", over: VirtualCardChannel(card), SystemRandom(), true)
    }
    let recorder = TraceRecorder.replayableForVirtualCard()
    let channel = VirtualCardChannel(card)
    let header = Trace.Header(
      title: "A card with few tries", source: .virtual(persona: persona.identifier),
      provenance: "TryGuardTests", traits: channel.traits, time: 1_795_219_200,
      journey: .verifyPIN(pin: persona.pin), expectation: Trace.Expectation(.ok))
    let before = card.log.counters.verifications
    _ = try? verify(
      persona.pin, over: RecordingChannel(channel, recorder: recorder),
      RecordingRandom(SystemRandom(), recorder: recorder), allowingLastTry)
    let sent = card.log.counters.verifications - before
    #expect(sent == (allowingLastTry && spent < 3 ? 1 : 0))
    return try #require(recorder.trace(header)).text
  }

  private static func verify<Channel: CardChannel & ~Copyable>(
    _ pin: String, over channel: consuming Channel, _ random: some RandomSource, _ allowed: Bool
  ) throws {
    var random = random
    let check = GenuineCheck.required(nil, at: .now, allowing: { _ in true })
    let card = try IdentityCard(over: channel).authenticate(checking: check, random: &random)
    _ = try card.verify(PIN(Secret([UInt8](pin.utf8))), allowingLastTry: allowed)
  }

  private func run(_ text: String, allowed: Bool) throws -> (ReportedError?, Int32?) {
    let directory = try TemporaryDirectory()
    let path = try directory.write("few.trace", [UInt8](text.utf8))
    let (object, result) = try Program.json(
      ["pin", "verify", "--replay", path] + (allowed ? ["--allow-last-try"] : []),
      input: Persona.gemalto.pin)
    return (result.exitStatus == 0 ? nil : try ReportedError(object), result.exitStatus)
  }

  @Test func `the last try is not spent`() throws {
    let (error, status) = try run(
      Self.trace(spending: 2, allowingLastTry: false), allowed: false)
    #expect(status == 8)
    #expect(error?.name == "last-try-refused" && error?.triesLeft == 1)
  }

  @Test func `the last try is spent if allowed`() throws {
    let (error, status) = try run(
      Self.trace(spending: 2, allowingLastTry: true), allowed: true)
    #expect(status == 0)
    #expect(error == nil)
  }

  @Test(arguments: [false, true])
  func `a blocked PIN is reported without VERIFY`(allowed: Bool) throws {
    let (error, status) = try run(
      Self.trace(spending: 3, allowingLastTry: allowed), allowed: allowed)
    #expect(status == 8)
    #expect(error?.name == "pin-blocked" && error?.triesLeft == 0)
  }
}
