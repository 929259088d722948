import CIECard
import Traces
import Testing
import VirtualCIE

/// After the command that sets a new PIN was sent, a missing or untrusted answer leaves both PINs possible.
@Suite struct UnknownOutcomeTests {
  private func end(
    _ journey: Trace.Journey, _ fault: String
  ) throws -> (error: CardError?, log: CardLog) {
    let card = VirtualCard(persona: .gemalto, faults: try FaultPlan(parsing: fault))
    var random = SystemRandom()
    do throws(CardError) {
      _ = try JourneyRunner(journey, at: TestClock.now).run(
        over: VirtualCardChannel(card), random: &random)
      return (nil, card.log)
    } catch { return (error, card.log) }
  }

  private static let faults: [(String, CardError.Reason)] = [
    ("card-removed", .channel(.cardRemoved)), ("card-mute", .channel(.cardMute)),
    ("truncated-answer=1", .channel(.truncatedResponse(length: 1))),
    ("wrong-mac", .notBelieved(.wrongMAC)),
    ("stripped-protection", .notBelieved(.unprotected(.success))),
    ("bare-status=6985", .channelEnded(.conditionsNotSatisfied)),
  ]

  @Test(arguments: faults) func change(fault: String, cause: CardError.Reason) throws {
    let persona = Persona.gemalto
    let (error, log) = try end(
      .changePIN(pin: persona.pin, newPIN: "86420864"), "\(fault)@24:1")
    #expect(error == CardError(.changePIN, .outcomeUnknown(because: cause)))
    // VERIFY with the old PIN, and the comparison that CHANGE itself makes.
    #expect(log.counters.verifications <= 2)
  }

  @Test(arguments: faults) func unblock(fault: String, cause: CardError.Reason) throws {
    let persona = Persona.gemalto
    let (error, _) = try end(
      .unblockPIN(puk: persona.puk, newPIN: "86420864"), "\(fault)@2C:1")
    #expect(error == CardError(.resetPIN, .outcomeUnknown(because: cause)))
  }

  /// A trusted refusal leaves no doubt.
  @Test func believedRefusalIsNoDoubt() throws {
    let (error, _) = try end(
      .changePIN(pin: Persona.gemalto.pin, newPIN: "86420864"), "status=6985@24:1")
    #expect(error == CardError(.changePIN, .refused(.conditionsNotSatisfied)))
  }

  /// 6700 is about the length: no try was spent, and no PIN is called wrong (IAS ECC §9.4.1).
  @Test func lengthIsNoWrongPIN() throws {
    let (error, _) = try end(.verifyPIN(pin: Persona.gemalto.pin), "status=6700@20:1")
    #expect(error == CardError(.verifyPIN, .refused(.wrongLength)))
  }
}
