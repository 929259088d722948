import CardWork
import Messages
import Primitives
import Traces

/// The software card that answers like the one in a report, and the trace that follows a log.
struct RebuiltCard: Presentable {
  let persona: String
  let options: [String]
  let left: [(subject: String, answer: String, ours: String)]
  let rebuilt: FieldSession.Rebuilt?
  let out: String?

  func lines(_ language: Language) -> [String] {
    let words = ["--virtual \(persona)"] + options.map { "--option \($0)" }
    let unexplained = left.map {
      Message(
        "trace.from-report.left",
        ["subject": $0.subject, "answer": $0.answer, "ours": $0.ours])(language)
    }
    guard let rebuilt, let out else { return [words.joined(separator: " ")] + unexplained }
    let written = Message(
      "trace.from-report.written",
      [
        "path": out, "journey": rebuilt.trace.header.journey.name,
        "count": rebuilt.difference.counts.b,
      ])(language)
    let lengths = rebuilt.lengths.map {
      Message("trace.from-report.length", ["file": $0.file, "number": $0.extra])(language)
    }
    // In two expressions, because one of all parts is too long for the type checker of Swift 6.2.
    var lines = [words.joined(separator: " ")] + unexplained + [written] + lengths
    if !rebuilt.difference.isEmpty { lines.append(Message("trace.from-report.sides")(language)) }
    lines += rebuilt.difference.lines(isOfBytes: false, language)
    return lines
  }

  func members(_ language: Language) -> [JSON.Member] {
    let unexplained = left.map {
      JSON.object([
        .init("subject", $0.subject), .init("answer", $0.answer), .init("software", $0.ours),
      ])
    }
    return [
      .init("persona", persona), .init("options", .array(options.map(JSON.string))),
      .init("notReproduced", .array(unexplained)), .init("out", out),
      .init("journey", rebuilt?.trace.header.journey.name),
      .init(
        "lengths",
        .array(
          (rebuilt?.lengths ?? []).map {
            .object([.init("file", $0.file), .init("extra", $0.extra)])
          })),
    ] + (rebuilt?.difference.members ?? [])
  }
}

extension FieldSession.Rebuilt {
  /// The files that were made longer or shorter.
  fileprivate var lengths: [(file: String, extra: Int)] {
    extra.sorted { $0.key < $1.key }.map { key, extra in
      ([UInt8(key >> 8), UInt8(key & 0xFF)].hexadecimal, extra)
    }
  }
}
