import Arguments
import CIECard
import Traces
import VirtualCIE

/// Tests every function of the card with every kind of fault at every command of its conversation, for results that
/// must never occur.
struct FaultsCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "faults",
    "Try every fault at every command of every function, and check what must never happen."
  )

  @Option(help: "A persona; repeatable.") var persona: [String] = ["gemalto", "itj4"]
  @Option(help: "Try every n-th case alone.") var every = 1
  @Option(help: "Begin with this one.") var first = 0
  @Flag(help: "Tell each case before it is tried.") var verbose = false

  @Flag(help: "Do not ask whether a chip is vouched for, to see that it is seen.") var unchecked =
    false

  func validate() throws {
    guard every > 0, first >= 0 else { throw LabError("--every is 1 at least, --first 0") }
  }

  func run() throws {
    var table: [String: Count] = [:]
    var failures = 0
    var number = -1
    for name in persona {
      guard let persona = Persona.named(name) else { throw LabError("no persona \(name)") }
      for scene in try FaultScene.all(on: persona, unchecked: unchecked) {
        for each in try cases(of: scene) {
          number += 1
          guard number % every == first % every else { continue }
          let place = "\(persona.identifier) \(scene.command), \(each.kind.name) at \(each.command)"
          if verbose { print(place) }
          let (end, broken) = try each.run()
          let row = "\(scene.command)\t\(each.kind.name)"
          table[row, default: Count()].add(end, isSurvived: broken.isEmpty)
          failures += broken.isEmpty ? 0 : 1
          for promise in broken { print("BROKEN\t\(place)\t\(promise)\t\(end)") }
        }
      }
    }
    for (row, count) in table.sorted(by: { $0.key < $1.key }) {
      print("\(row)\t\(count.tried)\t\(count.survived)\t\(count.ends)")
    }
    print("faults: \(table.values.reduce(0) { $0 + $1.tried }) tried, \(failures) broke a promise")
    guard failures == 0 else { throw LabError.found }
  }

  /// Every kind at every command of the undisturbed conversation.
  private func cases(of scene: FaultScene) throws -> [FaultCase] {
    let plan = try scene.forgery.map { (text) throws in try FaultPlan(parsing: text) }
    let card = VirtualCard(persona: scene.persona, faults: plan ?? FaultPlan())
    let undisturbed = scene.end(on: card)
    guard unchecked || (undisturbed.outcome == .ok) == scene.isVouchedFor else {
      throw LabError("\(scene.command) without a fault: \(undisturbed.outcome)")
    }
    let length = card.log.entries.count
    return (1...max(length, 1)).flatMap { command in
      FaultKind.all.map { kind in
        FaultCase(
          scene: scene, kind: kind, command: command, undisturbed: undisturbed, length: length)
      }
    }
  }

  private struct Count {
    var tried = 0
    var survived = 0
    private var names: [String: Int] = [:]

    mutating func add(_ end: String, isSurvived: Bool) {
      tried += 1
      survived += isSurvived ? 1 : 0
      names[end, default: 0] += 1
    }

    var ends: String {
      names.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($1) \($0)" }
        .joined(separator: ", ")
    }
  }
}
