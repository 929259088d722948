import Arguments
import CIECard
import TraceScenarios
import Traces
import VirtualCIE

/// Endless journeys over software cards that misbehave at random, each checked for results that must never occur.
struct SoakCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "soak",
    "Run random journeys over cards that misbehave at random, and check what must never happen.")

  @Option(help: "Seconds to go on.") var seconds = 60

  func validate() throws {
    guard (1...86_400).contains(seconds) else {
      throw LabError("--seconds takes 1 to 86400")
    }
  }

  func run() throws {
    let end = ContinuousClock.now + .seconds(seconds)
    var outcomes: [String: Int] = [:]
    repeat { outcomes[try Self.one(), default: 0] += 1 } while ContinuousClock.now < end
    for (name, count) in outcomes.sorted(by: { $0.value > $1.value }) { print("\(count)\t\(name)") }
    print("\(outcomes.values.reduce(0, +)) journeys, nothing happened that must not")
  }

  /// The card's possible faults, beside answers damaged on the wire.
  private static let faults = [
    "", "", "", "wrong-mac", "stripped-protection", "stale-counter", "truncated-answer=3",
    "cut-data=7",
    "wrong-authentication-signature", "wrong-signature", "trivial-dh=card-value-one",
    "trivial-dh=generator-minus-one", "endless-61xx=1", "endless-6cxx", "card-removed", "card-mute",
    "status=6F00", "status=9000", "bare-status=9000", "bare-status=63C1",
    "wrong-token", "pace-value=mapping-identity", "pace-value=agreement-reflected",
    "tampered-group=1", "foreign-sod", "wrong-chip-authentication-key",
    "wrong-active-authentication", "status=6300",
  ]

  /// One journey.
  ///
  /// - Returns: its end.
  private static func one() throws -> String {
    guard let persona = Persona.all.randomElement(), let fault = faults.randomElement(),
      let journey = try journeys(persona).randomElement()
    else { return "nothing" }
    // No, one or several options; a later one takes precedence.
    let names = (0..<Int.random(in: 0...3)).compactMap { _ in CardOptions.examples.randomElement() }
    let options = names.isEmpty ? CardOptions() : try CardOptions(parsing: names)
    let plan =
      fault.isEmpty ? FaultPlan() : try FaultPlan(parsing: "\(fault)@\(Int.random(in: 1...45))")
    var damage = Damage(share: Int.random(in: 0...3) * 3)
    let card = VirtualCard(persona: persona, faults: plan, options: options)
    var random = SystemRandom()
    let outcome: String
    do throws(CardError) {
      let channel = InterposedChannel(
        VirtualCardChannel(card, extendedLength: readers.randomElement())
      ) { (_, send) throws(ChannelError) in damage.damaged(try send()) }
      _ = try JourneyRunner(journey, at: Measurement.time).run(over: channel, random: &random)
      outcome = "\(journey.name) ok"
    } catch {
      outcome = "\(journey.name) \(error.reason.word) at \(error.step.rawValue)"
    }
    let scene =
      "\(persona.identifier), \(names), \(journey.name), fault '\(fault)', \(damage.share) % damaged: \(outcome)"
    try check(card.log, scene)
    return outcome
  }

  /// Readers without extended length, without information about it, and with it.
  private static let readers: [ChannelTraits.ExtendedLength] = [
    .notCarried, .unknown, DocumentScenarios.extendedReader,
  ]

  /// Checks for one VERIFY at most, none before device authentication, two attempts to open the document (one answer
  /// repeated), and an end to every conversation.
  private static func check(_ log: CardLog, _ scene: String) throws {
    let verifications = log.entries.indices.filter { log.entries[$0].instruction == 0x20 }
    let proven = log.entries.firstIndex { $0.instruction == 0x88 && $0.isSecured }
    // Every attempt begins with a request for a nonce: 7C 00.
    let attempts = log.entries.filter {
      $0.instruction == 0x86 && !$0.isSecured && $0.commandLength == 8
    }
    for (isFine, rule) in [
      (attempts.count <= 3, "attempts to open without end"),
      (verifications.count <= 1, "a second VERIFY"),
      (verifications.allSatisfy { index in proven.map { $0 < index } ?? false }, "VERIFY too soon"),
      (log.entries.count < 1000, "no end"),
    ] where !isFine {
      throw LabError("\(rule): \(scene)")
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
      visit(persona, DocumentScenarios.can(of: persona)),
      visit(persona, DocumentScenarios.mrz(of: persona)), visit(persona, .can("000000")),
      .documentAuthenticity(
        code: DocumentScenarios.can(of: persona), groups: DocumentScenarios.provedGroups,
        trustAnchors: [persona.documentCSCA]),
    ]
  }

  private static func visit(_ persona: Persona, _ code: Trace.DocumentCode) -> Trace.Journey {
    .travelDocument(
      Trace.DocumentVisit(
        code: code, tasks: DocumentScenarios.tasks(of: persona),
        readsServicesNumberAfterwards: true))
  }
}

/// Damages answers at random: a byte changed, the end cut off, an answer repeated.
private struct Damage {
  /// The percentage of damaged answers.
  let share: Int
  private var last: [UInt8] = []

  init(share: Int) { self.share = share }

  mutating func damaged(_ answer: [UInt8]) -> [UInt8] {
    var answer = answer
    defer { last = answer }
    guard Int.random(in: 0..<100) < share else { return answer }
    switch Int.random(in: 0..<4) {
    case 0: answer.removeLast(Int.random(in: 0...answer.count))
    case 1 where !last.isEmpty: answer = last
    default:
      if let index = answer.indices.randomElement() { answer[index] ^= UInt8.random(in: 1...255) }
    }
    return answer
  }
}
