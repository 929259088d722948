import CIECard
import CardWork
import Messages
import Primitives
import Traces

/// Two conversations, and where they part.
struct ComparedConversations: FunctionResult {
  private let a: ComparedSide
  private let b: ComparedSide
  let difference: ConversationDifference

  init(_ first: String, _ second: String, in context: RunContext) throws(Failure) {
    var left = try ConversationFile(first, in: context)
    var right = try ConversationFile(second, in: context)
    var difference = ConversationDifference()
    while true {
      let pair = (try left.next(), try right.next())
      guard pair.0 != nil || pair.1 != nil else { break }
      difference.compare(pair.0, pair.1)
    }
    a = ComparedSide(path: first, kind: left.kind, exchanges: difference.counts.a)
    b = ComparedSide(path: second, kind: right.kind, exchanges: difference.counts.b)
    self.difference = difference
  }

  var failure: Failure? {
    difference.isEmpty ? nil : .found(Diagnosis(.false, "conversations-differ"))
  }

  func lines(_ language: Language) -> [String] {
    let sides = [("A", a), ("B", b)].map {
      Message(
        "trace.diff.side",
        [
          "side": $0, "path": $1.path, "kind": Message("trace.kind.\($1.kind.rawValue)"),
          "count": $1.exchanges,
        ])(language)
    }
    return sides
      + difference.lines(
        isOfBytes: a.kind == .trace && b.kind == .trace, language)
  }

  static let completeFailure: String? = "conversations-differ"

  static let members: [Member<ComparedConversations>] =
    [Member("a", \.a), Member("b", \.b)] + Member.all(of: \.difference)
}

private struct ComparedSide: DescribedObject {
  let path: String
  let kind: ConversationFile.Kind
  let exchanges: Int

  static let definition: String? = "trace-side"
  static let members: [Member<ComparedSide>] = [
    Member("file", \.path), Member("kind", \.kind), Member("exchanges", \.exchanges),
  ]
}

extension ConversationDifference {
  /// - Parameter isOfBytes: true if all bytes were compared.
  func lines(isOfBytes: Bool, _ language: Language) -> [String] {
    guard let first else {
      return [Message(isOfBytes ? "trace.diff.same" : "trace.diff.same-shape")(language)]
    }
    var lines = [first.place(language)] + first.lines(language)
    let later = points.dropFirst(points.isEmpty ? 0 : 1)
    if !later.isEmpty {
      lines.append(
        Message("trace.diff.later", ["count": differing - 1])(language))
      lines += later.map { $0.summary }.map { "  " + $0 }
      if differing > points.count { lines.append("  …") }
    }
    if let parting {
      if parting != first { lines += [parting.place(language)] + parting.lines(language) }
      lines.append(
        Message(
          "trace.diff.rest",
          [
            "a": max(0, counts.a - parting.number + 1), "b": max(0, counts.b - parting.number + 1),
          ])(language))
    } else if later.isEmpty {
      lines.append(Message("trace.diff.nothing-later")(language))
    }
    return lines
  }
}

extension ConversationDifference: DescribedObject {
  static let members: [Member<ConversationDifference>] = [
    Member("same", \.isEmpty), Member("first", \.first, note: "Null where nothing differs."),
    Member("differing", \.differing, note: "Pairs of the same command that differ."),
    Member("parting", \.parting, note: "Where the commands themselves become others."),
  ]
}

extension ConversationDifference.Point {
  fileprivate var either: RecordedExchange? { a ?? b }
  fileprivate var command: String { either.map { CommandName.of($0.header) } ?? "-" }

  /// The exchange with its number, name, step and lines.
  func place(_ language: Language) -> String {
    Message(
      "trace.diff.place",
      [
        "number": number, "command": command, "step": either?.step ?? "-",
        "a": a.map { String($0.line) } ?? "-", "b": b.map { String($0.line) } ?? "-",
      ])(language)
  }

  var summary: String { "\(number) \(command) (\(aspects.map(\.word).joined(separator: ", ")))" }

  func lines(_ language: Language) -> [String] {
    aspects.map { aspect in
      let text: Message =
        switch aspect {
        case .end:
          Message(
            "trace.diff.end",
            ["side": a == nil ? "A" : "B", "other": a == nil ? "B" : "A", "command": command])
        case .header: Message("trace.diff.header", arguments(\.titled))
        case .sentLength: Message("trace.diff.sent", arguments { String($0.sent) })
        case .command(let byte): Message("trace.diff.command", ["byte": byte])
        case .outcome, .status:
          Message("trace.diff.answer", arguments { $0.reaction(language) })
        case .receivedLength:
          Message("trace.diff.received", arguments { String($0.reply?.received ?? 0) })
        case .answer(let byte): Message("trace.diff.bytes", ["byte": byte])
        }
      return "  " + text(language)
    }
  }

  private func arguments(_ value: (RecordedExchange) -> String) -> [String: Message.Argument] {
    ["a": a.map(value) ?? "-", "b": b.map(value) ?? "-"]
  }
}

extension ConversationDifference.Point: DescribedObject {
  static let definition: String? = "trace-point"
  static let members: [Member<ConversationDifference.Point>] = [
    Member("number", \.number, note: "Of the exchange."), Member("command", \.command),
    Member("step") { $0.either?.step },
    Member("lineA", { $0.a?.line }, note: "Null if A ended before."),
    Member("lineB") { $0.b?.line },
    Member("aspects", \.aspects),
  ]
}

extension ConversationDifference.Aspect: DescribedWord {
  static let words = [
    "end", "header", "command-length", "command", "event", "status-word", "answer-length", "answer",
  ]

  var word: String {
    switch self {
    case .end: "end"
    case .header: "header"
    case .sentLength: "command-length"
    case .command: "command"
    case .outcome: "event"
    case .status: "status-word"
    case .receivedLength: "answer-length"
    case .answer: "answer"
    }
  }
}

extension RecordedExchange {
  /// Its command with the header's bytes.
  fileprivate var titled: String { "\(CommandName.of(header)) \(header.hexadecimal)" }

  /// The status word in words, or the event.
  fileprivate func reaction(_ language: Language) -> String {
    switch outcome {
    case .answer(let status, _): "\(status) \(status.meaning(language))"
    case .event(let event): event
    case .powerCycle: "-"
    }
  }
}
