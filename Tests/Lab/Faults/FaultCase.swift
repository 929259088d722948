import CIECard
import Traces
import VirtualCIE

/// A function of the card with one fault at one command, and the results that must never occur.
struct FaultCase {
  let scene: FaultScene
  let kind: FaultKind
  /// The command of the conversation at which the fault begins, from 1.
  let command: Int
  /// The end of the same function without the fault.
  let undisturbed: Trace.Expectation
  /// The number of its commands without the fault.
  let length: Int

  /// Runs it.
  ///
  /// - Returns: its end, and every broken promise.
  func run() throws -> (end: String, broken: [String]) {
    let plan = try kind.plan(at: command, beside: scene.forgery)
    let card = VirtualCard(persona: scene.persona, faults: plan)
    let end = scene.end(on: card)
    let log = card.log
    var broken = brokenAtCard(log)
    switch end.outcome {
    case .ok:
      let right = right(on: card.persona)
      for value in end.values where !isTrue(value, among: right) {
        broken.append("a wrong success: \(value)")
      }
      if !scene.isVouchedFor { broken.append("a success with a chip that is not vouched for") }
    case .error(let name, let step):
      if step == nil { broken.append("an error without a step") }
      // A fault that the reading avoids gives the error of the undisturbed run.
      if !kind.errors.isEmpty, end.outcome != undisturbed.outcome,
        !kind.errors.contains(where: name.hasPrefix)
      {
        broken.append("told as \(name)")
      }
    }
    card.forgive()
    if !goesOn(on: card, after: end) { broken.append("the card cannot be used afterwards") }
    return (String(end.outcome.text.prefix { $0 != " " }), broken)
  }

  /// The promises broken in the card's log: one command with a code at most, no code for a chip without the State's
  /// signature, no code in clear, and an end.
  private func brokenAtCard(_ log: CardLog) -> [String] {
    let coded = log.entries.filter { [0x20, 0x24, 0x2C].contains($0.instruction) }
    let verifications = log.entries.count { $0.instruction == 0x20 }
    var broken: [String] = []
    if verifications > 1 { broken.append("a second VERIFY") }
    for instruction: UInt8 in [0x24, 0x2C]
    where log.entries.count(where: { $0.instruction == instruction }) > 1 {
      broken.append("a PIN set twice")
    }
    if !scene.isVouchedFor, !coded.isEmpty { broken.append("a code to a chip not vouched for") }
    // A protected VERIFY is longer than header, Lc and eight digits.
    if coded.contains(where: { $0.commandLength > 5 && $0.commandLength <= 13 }) {
      broken.append("a code in clear")
    }
    if log.entries.count > 4 * length + 400 {
      broken.append("no end: \(log.entries.count) commands")
    }
    return broken
  }

  /// The true values: those of the card and, if another one replaced it, those of that one. Nothing on a card links its
  /// document to its services number, so with a reader that hides the exchange each of the two may be of either card.
  private func right(on persona: Persona) -> [Trace.Expectation.Value] {
    guard persona.identifier != scene.persona.identifier else { return undisturbed.values }
    return undisturbed.values + scene.end(on: VirtualCard(persona: persona)).values
      + scene.number(on: VirtualCard(persona: persona)).values
  }

  /// Checks that a value is a true one, or a proof less; false only if data was changed.
  private func isTrue(
    _ value: Trace.Expectation.Value, among right: [Trace.Expectation.Value]
  ) -> Bool {
    if right.contains(value) { return true }
    guard let verdict = value.verdict?.word, verdict != "proved" else { return false }
    if case .chipMapping = value { return false }
    return kind.changesData || !["false", "failed"].contains(verdict)
  }

  /// Checks that the card works with the PIN that it must have: the new one if setting it succeeded, the old one if it
  /// was not reported as set; either if it is unknown.
  private func goesOn(on card: VirtualCard, after end: Trace.Expectation) -> Bool {
    let setsPIN: Bool
    switch scene.journey {
    case .changePIN, .unblockPIN: setsPIN = true
    default: setsPIN = false
    }
    let pins: [String]
    switch end.outcome {
    // A card that falsely reports success is believed.
    case .ok where kind.plan == "status=9000": pins = [card.persona.pin, FaultScene.newPIN]
    case .ok: pins = [setsPIN ? FaultScene.newPIN : card.persona.pin]
    case .error(let name, _):
      let isUnknown = setsPIN && name == "outcome-unknown"
      pins = [card.persona.pin] + (isUnknown ? [FaultScene.newPIN] : [])
    }
    return pins.contains { scene.goesOn(on: card, pin: $0) }
  }
}
