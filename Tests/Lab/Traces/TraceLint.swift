import Arguments
import CIECard
import Foundation
import TraceScenarios
import Traces
import VirtualCIE

/// `cie-lab trace-lint`: the rules of a folder of traces.
struct TraceLintCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "trace-lint", "Check that every trace is well-formed, invented, and that none is missing.")

  @Argument(help: "The folder with virtual/, attack/, spec/ and made.txt.")
  var folder = "CardTraces"

  func run() throws {
    let folder = try TraceFolder(URL(fileURLWithPath: folder))
    var findings = folder.findings
    let made = folder.made.compactMap { made in
      do { return try made.entry() } catch {
        findings.append("\(made.scenario.path): \(error)")
        return nil
      }
    }
    let lint = TraceLint(entries: folder.traces + made)
    for line in lint.table() { print(line) }
    findings += lint.findings()
    for finding in findings {
      FileHandle.standardError.write(Data((finding + "\n").utf8))
    }
    guard findings.isEmpty else { throw LabError.found }
  }
}

/// The rules of the folder of traces beyond those of the format.
struct TraceLint {
  let entries: [TraceFolder.Entry]

  func findings() -> [String] {
    entries.flatMap { findings(in: $0) } + missingJourneys() + missingFaults()
      + missingOptions() + repeatedAttacks()
  }

  /// The least number of attacks.
  private static let attacks = 300

  private func repeatedAttacks() -> [String] {
    var seen: [AttackEffect: String] = [:]
    let attacks = entries.filter { $0.section == .attack }
    let repeated = attacks.compactMap { entry -> String? in
      let effect = AttackEffect(entry.trace)
      guard let first = seen.updateValue(entry.name, forKey: effect) else { return nil }
      return "\(entry.path): the effect of \(first) again: \(effect.command), \(effect.end)"
    }
    return repeated
      + (attacks.count < Self.attacks
        ? ["attack: \(attacks.count) traces, fewer than \(Self.attacks)"] : [])
  }

  /// The journeys of which each persona has a successful trace, as lines of text.
  func table() -> [String] {
    Persona.all.map { persona in
      let journeys = Trace.Journey.names.filter { has(persona.identifier, $0) }
      return "\(persona.identifier): \(journeys.joined(separator: " "))"
    } + ["faults: \(shownFaults().joined(separator: " "))"]
  }

  private func has(_ persona: String, _ journey: String) -> Bool {
    entries.contains {
      $0.section == .virtual && $0.trace.header.source == .virtual(persona: persona)
        && $0.trace.header.journey.name == journey
        && $0.trace.header.expectation.outcome == .ok
    }
  }

  private func missingJourneys() -> [String] {
    Persona.all.flatMap { persona in
      Trace.Journey.names.filter { !has(persona.identifier, $0) }
        .map { "virtual: no successful trace of \($0) for \(persona.identifier)" }
    }
  }

  private func missingFaults() -> [String] {
    let shown = shownFaults()
    let faults = FaultPlan.generalFaultNames.map { $0.prefix { $0 != "[" && $0 != "=" } }
    return faults.filter { !shown.contains(String($0)) }.map { "attack: no trace of \($0)" }
  }

  private func missingOptions() -> [String] {
    let shown = entries.filter { $0.section == .option }.compactMap {
      $0.trace.header.provenance.split(separator: " with ").last
    }
    return CardOptions.examples.filter { !shown.contains($0[...]) }
      .map { "option: no trace of \($0)" }
  }

  /// The faults of the attack traces, without their values and moments.
  private func shownFaults() -> [String] {
    let faults = entries.filter { $0.section == .attack }.compactMap { $0.trace.header.fault }
    return Set(faults.map { String($0.prefix { $0 != "=" && $0 != "@" && $0 != " " }) }).sorted()
  }

  private func findings(in entry: TraceFolder.Entry) -> [String] {
    let header = entry.trace.header
    let invented = Persona.all.flatMap { [$0.nis, $0.documentNumber, $0.fiscalCode] }
    var findings = PersonalData(invented: invented).findings(in: entry.trace)
      .map { "\($0) belongs to no persona" }
    switch (entry.section, header.source) {
    case (.spec, .specification): break
    case (.spec, .virtual): findings.append("the software card in the folder of specifications")
    case (.virtual, .specification), (.attack, .specification), (.option, .specification):
      findings.append("a specification in the folder of the software card")
    case (.virtual, .virtual(let persona)), (.attack, .virtual(let persona)),
      (.option, .virtual(let persona)):
      if !Persona.all.contains(where: { $0.identifier == persona }) {
        findings.append("no persona is called \(persona)")
      }
      let name = "\(persona)-\(header.journey.name)"
      if entry.section == .virtual, entry.name != name, !entry.name.hasPrefix(name + "-") {
        findings.append("a trace of \(name) under another name")
      }
    }
    if entry.section == .attack { findings += attackFindings(header) }
    if entry.section != .attack, let fault = header.fault {
      findings.append("the fault \(fault) outside the folder of attacks")
    }
    return findings.map { "\(entry.path): \($0)" }
  }

  /// An attack must have a fault and fail; a delay is the one harmless fault.
  private func attackFindings(_ header: Trace.Header) -> [String] {
    guard let fault = header.fault else { return ["an attack without fault"] }
    guard header.expectation.outcome == .ok, !fault.hasPrefix("delay") else { return [] }
    return header.expectation.doubts.isEmpty ? ["an attack that succeeds"] : []
  }
}
