import Testing
import VirtualCIE

@testable import CIECard

/// The known tries of a card, if the card itself does not report its counters.
@Suite struct KnownTriesTests {
  private static let wrong = "00000000"

  /// One contact with a card of this persona, whose counters are full; the result of a wrong PIN.
  private func showWrongPIN(
    _ tries: KnownTries, fault: String = "", counters: String = "no-counters=6982",
    allowingLastTry: Bool = false
  ) throws -> (reason: CardError.Reason?, verifications: Int) {
    let card = VirtualCard(
      persona: .gemalto, faults: fault.isEmpty ? FaultPlan() : try FaultPlan(parsing: fault),
      options: try CardOptions(parsing: counters.isEmpty ? [] : [counters]))
    do throws(CardError) {
      let authenticated = try IdentityCard(over: VirtualCardChannel(card))
        .authenticate(checking: .skipped, remembering: tries)
      guard let pin = try? PIN(digits: Self.wrong) else { return (nil, 0) }
      _ = try authenticated.verify(pin, allowingLastTry: allowingLastTry)
      return (nil, card.log.counters.verifications)
    } catch { return (error.reason, card.log.counters.verifications) }
  }

  /// The answer is lost, not trusted, or without a number: a try may have been spent.
  @Test(arguments: ["card-removed@20:1", "wrong-mac@20:1", "status=6300@20:1", "card-mute@20:1"])
  func `a try of unknown outcome counts as spent`(_ fault: String) throws {
    let tries = KnownTries()
    for _ in 0..<2 {
      let reason = try showWrongPIN(tries, fault: fault).reason
      #expect(reason != nil && reason != .lastTryRefused(.pin))
    }
    let (reason, verifications) = try showWrongPIN(tries, fault: fault)
    #expect(reason == .lastTryRefused(.pin) && verifications == 0)
    // Only the card itself reports zero tries left.
    for _ in 0..<2 {
      let allowed = try showWrongPIN(tries, allowingLastTry: true)
      #expect(allowed.verifications == 1 && allowed.reason == .wrongCode(.pin, triesLeft: 2))
      _ = try showWrongPIN(tries, fault: fault)
    }
  }

  @Test func `a card that reports its counters is trusted again`() throws {
    let tries = KnownTries()
    for _ in 0..<2 { _ = try showWrongPIN(tries, fault: "card-mute@20:1") }
    #expect(try showWrongPIN(tries).reason == .lastTryRefused(.pin))
    #expect(try showWrongPIN(tries, counters: "").reason == .wrongCode(.pin, triesLeft: 2))
  }

  /// Another program has spent a try meanwhile: what the card says counts, and not one less than before.
  @Test func `the number of a wrong answer is the card's`() throws {
    let card = VirtualCard(
      persona: .gemalto, options: try CardOptions(parsing: "no-counters=6982"))
    let (ours, others) = (KnownTries(), KnownTries())
    func show(_ tries: KnownTries) throws -> CardError.Reason? {
      let authenticated = try IdentityCard(over: VirtualCardChannel(card))
        .authenticate(checking: .skipped, remembering: tries)
      let pin = try PIN(digits: Self.wrong)
      do throws(CardError) {
        _ = try authenticated.verify(pin)
        return nil
      } catch { return error.reason }
    }
    #expect(try show(others) == .wrongCode(.pin, triesLeft: 2))
    #expect(try show(ours) == .wrongCode(.pin, triesLeft: 1))
    #expect(try show(ours) == .lastTryRefused(.pin))
    #expect(card.log.counters.verifications == 2)
  }

  @Test func `another card starts without known tries`() throws {
    let tries = KnownTries()
    for _ in 0..<2 { _ = try showWrongPIN(tries, fault: "card-mute@20:1") }
    let card = VirtualCard(
      persona: .nxp, options: try CardOptions(parsing: "no-counters=6982"))
    let authenticated = try IdentityCard(over: VirtualCardChannel(card))
      .authenticate(checking: .skipped, remembering: tries)
    #expect(authenticated.triesLeft == nil)
    _ = try authenticated.verify(PIN(digits: Persona.nxp.pin))
  }

  @Test func `a refused length costs no try`() throws {
    let tries = KnownTries()
    for _ in 0..<4 {
      let (reason, _) = try showWrongPIN(tries, fault: "status=6700@20:1")
      #expect(reason == .refused(.wrongLength))
    }
  }
}
