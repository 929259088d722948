import CIECard
package import Traces
import VirtualCIE

/// A trace to be made: the card, its journey, and the disturbance.
package struct Scenario: Sendable {
  package let section: TraceFolder.Section
  /// The file's name without its extension.
  package let name: String
  let title: String
  let persona: Persona
  package let journey: Trace.Journey
  var disturbance = Disturbance.none
  /// The differences between the card and its persona; in the text form of card options.
  var options: String?
  /// The lengths that the reader carries; `nil` for the lengths that the card announces.
  var extendedLength: ChannelTraits.ExtendedLength?
  /// True if its trace is a file for readers; others are made again when they are needed, and pinned by a hash.
  package private(set) var isStored = false

  enum Disturbance: Sendable {
    case none
    /// The card shows a fault; in the text form of a fault plan.
    case fault(String)
    /// The answer to one command is changed on the wire: `cb:2` is the second GET DATA.
    case mutation(TraceMutation, at: String)
  }

  package var path: String { "\(section.rawValue)/\(name).trace" }

  /// All of them. Stored are those of a card as it should be, and the first attack of each kind on each conversation.
  package static func all() throws -> [Scenario] {
    var kinds: Set<String> = []
    let all =
      try VirtualScenarios.all() + DocumentScenarios.all() + AttackScenarios.all()
      + DocumentAttackScenarios.all() + OptionScenarios.all()
    return all.map { scenario in
      var scenario = scenario
      switch scenario.section {
      case .virtual, .spec: scenario.isStored = true
      case .attack: scenario.isStored = kinds.insert(scenario.kind).inserted
      case .option: scenario.isStored = false
      }
      return scenario
    }
  }

  /// The attacked conversation, and the attack without its values and its moment.
  private var kind: String {
    let attack = header.fault?.prefix { $0 != "=" && $0 != "@" } ?? ""
    return "\(persona.identifier) \(journey.name) \(attack)"
  }

  /// Runs the scenario.
  ///
  /// The draws of card and terminal come from the scenario's name, so the same code makes the same trace.
  package func record() throws -> Trace {
    switch disturbance {
    case .none: return try record(FaultPlan())
    case .fault(let plan): return try record(FaultPlan(parsing: plan))
    case .mutation(let mutation, let moment):
      guard let attacker = WireAttacker(mutation, at: moment) else {
        throw FaultPlan.ParsingError.badMoment(moment)
      }
      let trace = try record(FaultPlan(), attacker)
      try attacker.finish()
      return trace
    }
  }

  private func record(_ faults: FaultPlan, _ attacker: WireAttacker? = nil) throws -> Trace {
    let card = VirtualCard(
      persona: persona, random: SeededRandom(seed: "card of \(name)"), faults: faults,
      options: try options.map { try CardOptions(parsing: $0) } ?? CardOptions())
    let announced: ChannelTraits.ExtendedLength =
      card.announcesExtendedLength ? DocumentScenarios.extendedReader : .notCarried
    let channel = VirtualCardChannel(card, extendedLength: extendedLength ?? announced)
    let tampered = InterposedChannel(channel) { (command, send) throws(ChannelError) in
      let answer = try send()
      return attacker?.pass(answer, to: command) ?? answer
    }
    return try TraceRecording.record(
      header, over: tampered, random: SeededRandom(seed: "terminal of \(name)"))
  }

  private var header: Trace.Header {
    let fault: String? =
      switch disturbance {
      case .none: nil
      case .fault(let plan): plan
      case .mutation(let mutation, let moment): "\(mutation)@\(moment)"
      }
    return Trace.Header(
      title: title, source: .virtual(persona: persona.identifier),
      provenance: "cie-lab record-traces, software card" + (options.map { " with \($0)" } ?? ""),
      fault: fault,
      traits: ChannelTraits(atr: [], extendedLength: .unknown), time: Self.time, journey: journey,
      expectation: Trace.Expectation(.ok))
  }

  /// 2026-01-01T00:00:00Z: within the validity of the personas' certificates.
  private static let time: UTCTime = 1_767_225_600
}

extension Scenario {
  /// A card without faults.
  ///
  /// - Parameters:
  ///   - variant: its distinction from other journeys of this name.
  ///   - title: the title without the persona.
  init(
    _ persona: Persona, _ journey: Trace.Journey, variant: String? = nil, options: String? = nil,
    reader: ChannelTraits.ExtendedLength? = nil, _ title: String
  ) {
    let words = [persona.identifier, journey.name] + [variant].compactMap { $0 }
    self.init(
      section: .virtual, name: words.joined(separator: "-"),
      title: "\(title), \(persona.identifier)", persona: persona, journey: journey,
      options: options, extendedLength: reader)
  }
}
