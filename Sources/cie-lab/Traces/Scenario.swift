import CIECard
import VirtualCIE

/// A trace to be made: which card does what, and what goes wrong.
struct Scenario {
  let section: TraceFolder.Section
  /// The file's name without its ending.
  let name: String
  let title: String
  let persona: Persona
  let journey: Trace.Journey
  var disturbance = Disturbance.none
  /// How the card differs from its persona; in the text form of card options.
  var options: String?
  /// What the reader carries; `nil` for what the card announces.
  var extendedLength: ChannelTraits.ExtendedLength?

  /// What goes wrong.
  enum Disturbance {
    case none
    /// The card shows a fault; in the text form of a fault plan.
    case fault(String)
    /// One answer is changed on the way.
    case mutation(TraceMutation, exchange: Int)
  }

  /// The path below the folder of traces.
  var path: String { "\(section.rawValue)/\(name).trace" }

  /// Every trace that is made by machine.
  static func all() throws -> [Scenario] {
    try VirtualScenarios.all() + DocumentScenarios.all() + AttackScenarios.all()
      + DocumentAttackScenarios.all()
  }

  /// Carries it out.
  ///
  /// The draws of card and terminal come from the scenario's name, so the same code makes the same trace.
  func record() throws -> Trace {
    switch disturbance {
    case .none: return try record(FaultPlan())
    case .fault(let plan): return try record(FaultPlan(parsing: plan))
    case .mutation(let mutation, let exchange):
      return try mutation.record(header, on: record(FaultPlan()), exchange: exchange)
    }
  }

  private func record(_ faults: FaultPlan) throws -> Trace {
    let channel = VirtualCardChannel(
      persona: persona, random: SeededRandom(seed: "card of \(name)"), faults: faults,
      options: try options.map { try CardOptions(parsing: $0) } ?? CardOptions(),
      extendedLength: extendedLength)
    return try TraceRecording.record(
      header, over: channel, random: SeededRandom(seed: "terminal of \(name)"))
  }

  /// The header without draws and end.
  private var header: Trace.Header {
    let fault: String? =
      switch disturbance {
      case .none: nil
      case .fault(let plan): plan
      case .mutation(let mutation, let exchange): "\(mutation)@\(exchange)"
      }
    return Trace.Header(
      title: title, source: .virtual(persona: persona.identifier),
      provenance: "cie-lab record-traces, software card" + (options.map { " with \($0)" } ?? ""),
      fault: fault,
      traits: ChannelTraits(atr: [], extendedLength: .unknown), time: Self.time, journey: journey,
      expectation: Trace.Expectation(.ok))
  }

  /// 2026-01-01T00:00:00Z: within the validity of the personas' certificates.
  private static let time: Int64 = 1_767_225_600
}
