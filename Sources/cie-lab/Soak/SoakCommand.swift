import ArgumentParser
import CIECard
import CardJourneys
import VirtualCIE

/// Journeys without end over software cards that misbehave at random, each held against what must never happen.
struct SoakCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract:
      "Run random journeys over cards that misbehave at random, and check what must never happen.")

  @Option(help: "Seconds to go on.") var seconds = 60

  func validate() throws {
    guard (1...86_400).contains(seconds) else {
      throw ValidationError("--seconds takes 1 to 86400")
    }
  }

  func run() throws {
    let end = ContinuousClock.now + .seconds(seconds)
    var outcomes: [String: Int] = [:]
    repeat { outcomes[try Self.one(), default: 0] += 1 } while ContinuousClock.now < end
    for (name, count) in outcomes.sorted(by: { $0.value > $1.value }) { print("\(count)\t\(name)") }
    print("\(outcomes.values.reduce(0, +)) journeys, nothing happened that must not")
  }

  /// The faults that a card may show, beside answers damaged on the way.
  private static let faults = [
    "", "", "", "wrong-mac", "stripped-protection", "stale-counter", "truncated-answer=3",
    "cut-data=7",
    "wrong-authentication-signature", "wrong-signature", "trivial-dh=card-value-one",
    "trivial-dh=generator-minus-one", "endless-61xx=1", "endless-6cxx", "card-removed", "card-mute",
    "status=6F00", "status=9000", "bare-status=9000", "bare-status=63C1",
  ]

  /// One journey.
  ///
  /// - Returns: how it ended.
  private static func one() throws -> String {
    guard let persona = Persona.all.randomElement(), let fault = faults.randomElement(),
      let journey = try journeys(persona).randomElement()
    else { return "nothing" }
    let plan =
      fault.isEmpty ? FaultPlan() : try FaultPlan(parsing: "\(fault)@\(Int.random(in: 1...45))")
    let share = Int.random(in: 0...3) * 3
    let card = VirtualCard(persona: persona, faults: plan)
    var random = SystemRandom()
    let outcome: String
    do throws(CardError) {
      let channel = DisturbedChannel(VirtualCardChannel(card), share: share)
      _ = try JourneyRunner(journey, at: Measurement.time).run(over: channel, random: &random)
      outcome = "\(journey.name) ok"
    } catch {
      outcome = "\(journey.name) \(error.reason.word) at \(error.step.rawValue)"
    }
    let scene =
      "\(persona.identifier), \(journey.name), fault '\(fault)', \(share) % damaged: \(outcome)"
    try check(card.log, scene)
    return outcome
  }

  /// One VERIFY at most, none before device authentication, and an end to every conversation.
  private static func check(_ log: CardLog, _ scene: String) throws {
    let verifications = log.entries.indices.filter { log.entries[$0].instruction == 0x20 }
    let proven = log.entries.firstIndex { $0.instruction == 0x88 && $0.isSecured }
    for (isFine, rule) in [
      (verifications.count <= 1, "a second VERIFY"),
      (verifications.allSatisfy { index in proven.map { $0 < index } ?? false }, "VERIFY too soon"),
      (log.entries.count < 1000, "no end"),
    ] where !isFine {
      throw ValidationError("\(rule): \(scene)")
    }
  }

  private static func journeys(_ persona: Persona) throws -> [Trace.Journey] {
    [
      .servicesNumber, .authenticity(challenge: nil, trustAnchors: [persona.csca]), .information,
      .certificate(pin: persona.pin), .verifyPIN(pin: "00000000"),
      .documentNumber(pin: persona.pin),
      .sign(pin: persona.pin, digests: [try Digest(.sha256, hashing: [])]),
      .changePIN(pin: persona.pin, newPIN: "86420864"),
      .unblockPIN(puk: persona.puk, newPIN: "86420864"),
    ]
  }
}
