import CIECard
package import Traces

/// The effect of an attack trace: two with the same one would be one attack recorded twice.
package struct AttackEffect: Hashable {
  /// The journey and the persona.
  let conversation: String
  /// The attacked command, by its step, its instruction and its number in the step; the whole card if it is all wrong.
  package let command: String
  /// The client's view: the event or the bare status word in place of the answer, otherwise the kind of change.
  let change: String
  /// The outcome, and the findings of a success that are not proved.
  package let end: String

  package init(_ trace: Trace) {
    let header = trace.header
    let parts = (header.fault ?? "").split(separator: "@", maxSplits: 1)
    let text = parts.first.map(String.init) ?? ""
    conversation =
      switch header.source {
      case .virtual(let persona): "\(header.journey.name), \(persona)"
      case .specification: header.journey.name
      }
    end = ([header.expectation.outcome.text] + header.expectation.doubts).joined(separator: ", ")
    guard parts.count == 2, let attacked = trace.exchange(at: parts[1]) else {
      (command, change) = ("the card", text)
      return
    }
    command = attacked.command
    switch attacked.outcome {
    case .event(let event): change = "\(event)".prefix { $0 != "(" } + ""
    case .answer(let answer) where answer.count == 2: change = Self.word(answer)
    default:
      let kind = String(text.prefix { $0 != "=" })
      change = kind == "wrong-mac" ? "flip" : kind
    }
  }

  private static func word(_ answer: [UInt8]) -> String {
    answer.map { String($0, radix: 16) }.joined(separator: " ")
  }
}

extension Trace {
  /// The exchange at a moment: a number from 1, or instruction and occurrence such as `cb:2`.
  fileprivate func exchange(at moment: Substring) -> (command: String, outcome: Entry)? {
    let words = moment.split(separator: ":").map(String.init)
    let wanted = words.count == 2 ? UInt8(words[0], radix: 16) : nil
    guard var left = words.last.flatMap({ Int($0) }) else { return nil }
    var step = ""
    var inStep: [UInt8: Int] = [:]
    for (index, entry) in entries.enumerated() {
      switch entry {
      case .comment(let text): (step, inStep) = (text, [:])
      case .command(let bytes):
        let instruction = bytes[1]
        inStep[instruction, default: 0] += 1
        if wanted == nil || wanted == instruction { left -= 1 }
        guard left == 0 else { continue }
        let number = inStep[instruction, default: 0]
        return ("\(step) \(String(instruction, radix: 16)):\(number)", entries[index + 1])
      case .answer, .event, .powerCycle: continue
      }
    }
    return nil
  }
}

/// The table of attacks and their ends, `attack/README.md`.
package enum AttackTable {
  /// - Parameter hasFile: true for a trace that the table links.
  package static func text(
    _ entries: [TraceFolder.Entry], hasFile: (TraceFolder.Entry) -> Bool
  ) -> String {
    let attacks = entries.filter { $0.section == .attack }
    let groups = Dictionary(grouping: attacks) { AttackEffect($0.trace).conversation }
    let tables = groups.sorted { $0.key < $1.key }.map { title, attacks in
      "\n## \(title)\n\n| attack | command | end |\n|---|---|---|\n"
        + attacks.map { row($0, isLinked: hasFile($0)) }.joined()
    }
    return head(attacks.count) + tables.joined()
  }

  private static func head(_ count: Int) -> String {
    """
    # \(count) attacks and their ends

    Made by `tools/lab record-traces`, like the traces. The first of each kind on each conversation has a file; of the
    others `made.txt` has the hash, and `tools/lab record-traces --all FOLDER` writes them. `tools/lab trace-lint` checks
    that no two have the same effect: the same persona and journey, attacked at the same command of the same step, by the
    same kind of change, with the same end. The numbers in a change do not make another kind, a wrong MAC is a changed
    answer, and a bare status word in place of the answer is the same however it came there.

    Where the conversation goes on to `ok`, the findings that are no proofs follow; a delay alone does no harm.

    """
  }

  private static func row(_ entry: TraceFolder.Entry, isLinked: Bool) -> String {
    let effect = AttackEffect(entry.trace)
    let title = entry.trace.header.title
    let name = isLinked ? "[\(title)](\(entry.name).trace)" : title
    return "| \(name) | \(effect.command) | \(effect.end) |\n"
  }
}
