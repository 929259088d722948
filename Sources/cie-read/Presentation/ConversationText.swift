import CIECard
import CardWork
import Messages
import Primitives
import Traces

extension ShownConversation: DescribedObject {
  func lines(_ language: Language) -> [String] {
    let table = TextTable(
      rows: [Row.heads(language)] + exchanges.map { $0.cells(language) },
      numeric: [0, 5, 6, 8])
    var lines = head(language) + [""]
    lines.append(table.lines[0])
    var step: String?
    for (row, line) in zip(exchanges, table.lines.dropFirst()) {
      if row.exchange.step != step {
        step = row.exchange.step
        lines += ["", step.map { Row.title(ofStep: $0, language) } ?? ""]
      }
      lines.append(line)
      lines += [("> ", row.sent), ("< ", row.received)].compactMap { mark, field in
        field.text(language).map { "        " + mark + $0 }
      }
    }
    return lines
  }

  func head(_ language: Language) -> [String] {
    let word = Message("trace.kind.\(kind.rawValue)")(language)
    guard let trace else {
      return [path, word] + header.map { "\($0.key): \($0.value)" }
    }
    let source: String =
      switch trace.header.source {
      case .virtual(let persona): "virtual \(persona)"
      case .specification: "spec"
      }
    return [
      trace.header.title,
      "\(word): \(source), \(trace.header.journey.name), \(trace.header.expectation.outcome.text)",
    ]
      + [trace.header.fault].compactMap { $0 }
      .map { Message("trace.fault", ["fault": $0])(language) }
  }

  static let members: [Member<ShownConversation>] = [
    Member("file", \.path), Member("kind", \.kind),
    Member("title", { $0.trace?.header.title }, note: "Null for a log, like the three below."),
    Member("journey") { $0.trace?.header.journey.name },
    Member(
      "expected", { $0.trace?.header.expectation.outcome.text },
      note: "The end of the journey: ok, or ERROR at STEP."),
    Member("fault", { $0.trace?.header.fault }, note: "The attack; null for a good trace."),
    Member("exchanges", \.exchanges),
  ]
}

extension ConversationFile.Kind: DescribedWord {
  static let definition: String? = "trace-kind"
  static let note: String? = "A log has no bytes and cannot be replayed."
  /// A report is no conversation.
  static let words = ["trace", "log"]
}

extension ShownConversation.Row {
  static func heads(_ language: Language) -> [String] {
    ["#", "SM"]
      + ["header", "command", "file", "sent", "received", "answer", "time"].map {
        Message("trace.column.\($0)")(language)
      }
  }

  /// The step in words, if it is one of a journey; the questions of a survey stay as they are.
  static func title(ofStep step: String, _ language: Language) -> String {
    CardError.Step(rawValue: step).map { "\($0.text(language)) (\(step))" } ?? step
  }

  func cells(_ language: Language) -> [String] {
    guard !exchange.header.isEmpty else {
      return ["\(number)", "", "", Message("trace.power-cycle")(language)]
    }
    return [
      "\(number)", marks, exchange.header.hexadecimal, command, file ?? "", "\(exchange.sent)",
      exchange.reply.map { "\($0.received)" } ?? "", answer(language),
      exchange.milliseconds.map { "\($0) ms" } ?? "",
    ]
  }

  /// `SM` under secure messaging, `+` if the command continues.
  var marks: String { (exchange.isProtected ? "SM" : "") + (exchange.isChained ? "+" : "") }

  /// The status word with its meaning, or the event.
  func answer(_ language: Language) -> String {
    switch exchange.outcome {
    case .answer(let status, _): "\(status) \(status.meaning(language))"
    case .event(let event): event
    case .powerCycle: ""
    }
  }
}

extension ShownConversation.Row: DescribedObject {
  static let members: [Member<ShownConversation.Row>] =
    wire + [
      Member("commandTags", \.sent.tags, note: "Of the data objects on the wire."),
      Member(
        "commandData", { $0.sent.data.map(Digits.init) },
        note: "In clear; null if unknown, or if it holds a code."),
      Member("answerTags", \.received.tags),
      Member("answerData") { $0.received.data.map(Digits.init) },
      .whenPresent("event", \.event, note: "The channel's error in place of an answer."),
    ]

  private static let wire: [Member<ShownConversation.Row>] = [
    Member("number", \.number),
    Member("line", \.exchange.line, note: "Of the command in the file."),
    Member("step", \.exchange.step),
    Member(
      "command", { $0.exchange.header.isEmpty ? nil : $0.command },
      note: "Its name in ISO/IEC 7816; null for a power cycle."),
    Member("header", \.exchange.header.hexadecimal).of { .text(pattern: "^([0-9A-F]{8})?$") },
    Member("protected", \.exchange.isProtected, note: "Whether it is under secure messaging."),
    Member(
      "file", \.file,
      note: "The application or file; null if there is none, or it is unknown."),
    Member("sent", \.exchange.sent, note: "Bytes after the header."),
    Member("received", { $0.exchange.reply?.received }, note: "Bytes before the status word."),
    Member("statusWord") { $0.exchange.reply?.status.description }.of {
      .text(pattern: "^[0-9A-F]{4}$").orNull
    },
    Member("milliseconds", \.exchange.milliseconds, note: "Null in a trace."),
  ]

  private var event: String? { if case .event(let event) = exchange.outcome { event } else { nil } }
}

extension ShownConversation.Field {
  /// Longer data are cut for people.
  private static let mostBytes = 32

  /// The tags on the wire in brackets, and the data in clear; nil if there are none.
  func text(_ language: Language) -> String? {
    guard !tags.isEmpty || data?.isEmpty == false || isCode else { return nil }
    let wire = tags.isEmpty ? [] : ["[\(tags.joined(separator: " "))]"]
    let brackets = isOpened ? wire : []
    if isCode { return (brackets + [Message("trace.code")(language)]).joined(separator: " ") }
    guard let data, !data.isEmpty else { return wire.joined() }
    let inner = isPiece ? [] : isOpened ? CommandData.tags(of: data) : tags
    let names = inner.isEmpty ? [] : ["\(inner.joined(separator: " ")):"]
    let rest = data.count > Self.mostBytes ? "… (\(language.text(data.count)))" : ""
    return
      (brackets + names + [[UInt8](data.prefix(Self.mostBytes)).hexadecimal + rest])
      .joined(separator: " ")
  }
}

extension StatusWord {
  /// Its meaning in words (ISO/IEC 7816-4 tables 5 and 6).
  func meaning(_ language: Language) -> String {
    switch self {
    case .bytesRemaining(let count):
      Message("status.61", ["number": count == 0 ? 256 : Int(count)])(language)
    case .triesLeft(let tries): Message("status.63c", ["number": Int(tries)])(language)
    case .correctLength(let length):
      Message("status.6c", ["number": length == 0 ? 256 : Int(length)])(language)
    case .other: Message("status.other")(language)
    case .success, .endOfFile, .fileDeactivated, .fileTerminated, .authenticationFailed,
      .memoryFailure, .wrongLength, .secureMessagingNotSupported, .lastOfChainExpected,
      .chainingNotSupported, .incompatibleFile, .securityStatusNotSatisfied,
      .authenticationBlocked, .referenceDataNotUsable, .conditionsNotSatisfied, .noCurrentFile,
      .secureMessagingObjectMissing, .secureMessagingObjectIncorrect, .wrongData,
      .functionNotSupported, .fileNotFound, .wrongParameters, .wrongLengthForParameters,
      .referencedDataNotFound, .wrongOffset, .unknownInstruction, .unknownClass, .noDiagnosis:
      Message("status.\(description.lowercased())")(language)
    }
  }
}

/// Lines of columns as wide as their longest cell.
struct TextTable {
  let rows: [[String]]
  /// The columns that are aligned on the right.
  let numeric: Set<Int>

  var lines: [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    // A column without a value below its head is left out.
    let isUsed = widths.indices.map { column in
      rows.dropFirst().contains { $0.count > column && !$0[column].isEmpty }
    }
    return rows.map { row in
      let cells = row.enumerated().filter { isUsed[$0.offset] }.map { column, cell in
        let margin = String(repeating: " ", count: widths[column] - cell.count)
        return numeric.contains(column) ? margin + cell : cell + margin
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

extension ShownConversation {
  /// The conversation as a sequence diagram: one HTML page without script, picture or address, for the screen, in the dark
  /// too, and for paper.
  func page(_ language: Language) -> String {
    let lines = head(language)
    var body = "<h1>\(Self.escaped(lines[0]))</h1>\n"
    body += lines.dropFirst().map { "<p>\(Self.escaped($0))</p>\n" }.joined()
    let (program, card) = (Message("trace.program")(language), Message("trace.card")(language))
    body += "<main>\n<div class=\"ends\"><b>\(program)</b><b>\(card)</b></div>\n"
    var step: String?
    for row in exchanges {
      if row.exchange.step != step {
        step = row.exchange.step
        body += "<h2>\(Self.escaped(step.map { Row.title(ofStep: $0, language) } ?? ""))</h2>\n"
      }
      body += diagram(of: row, language)
    }
    return """
      <!DOCTYPE html>
      <html lang="\(language.rawValue)">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width">
      <title>\(Self.escaped(lines[0]))</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      \(body)</main>
      </body>
      </html>

      """
  }

  /// An arrow to the card, and one back.
  private func diagram(of row: Row, _ language: Language) -> String {
    guard !row.exchange.header.isEmpty else {
      return "<p class=\"cut\">\(row.number) \(Message("trace.power-cycle")(language))</p>\n"
    }
    let name = [row.marks, row.command, row.file ?? ""].filter { !$0.isEmpty }
      .joined(separator: " ")
    let reply = row.exchange.reply
    let time = row.exchange.milliseconds.map { "\($0) ms" }
    let count = { (count: Int) in Message("trace.bytes", ["count": count])(language) }
    // Done, with more to fetch, or with a warning (ISO/IEC 7816-4 §5.6).
    let isGood = reply.map { [0x61, 0x62, 0x90].contains($0.status.rawValue >> 8) } ?? false
    return "<div class=\"x\"><p class=\"c\"><i>\(row.number)</i> \(Self.escaped(name))"
      + " <small>\(count(row.exchange.sent))</small></p>"
      + Self.code(row.sent.text(language))
      + "<p class=\"\(isGood ? "a" : "a bad")\">\(Self.escaped(row.answer(language)))"
      + " <small>\([reply.map { count($0.received) }, time].compactMap { $0 }.joined(separator: ", "))"
      + "</small></p>" + Self.code(row.received.text(language)) + "</div>\n"
  }

  private static func code(_ text: String?) -> String {
    text.map { "<code>\(escaped($0))</code>" } ?? ""
  }

  static func escaped(_ text: String) -> String {
    text.printable.exchanging("&", for: "&amp;").exchanging("<", for: "&lt;")
      .exchanging(">", for: "&gt;").exchanging("\"", for: "&quot;")
  }

  /// The arrows are borders, because they are printed, unlike backgrounds.
  private static let style = """
    :root { color-scheme: light dark; --line: #667; --good: #186a3b; --bad: #b00020; }
    @media (prefers-color-scheme: dark) { :root { --line: #99a; --good: #7bd88f; --bad: #ff8a80; } }
    body { font: 15px/1.4 system-ui, sans-serif; max-width: 54rem; margin: 1rem auto; padding: 0 1rem; }
    h1 { font-size: 1.3rem; } h2 { font-size: 1rem; margin: 1.4rem 1rem .4rem; } p { margin: .2rem 0; }
    main { border: solid var(--line); border-width: 0 2px; }
    .ends { display: flex; justify-content: space-between; padding: 0 .5rem; }
    .x { margin: .5rem 0; break-inside: avoid; }
    .c, .a { position: relative; border-bottom: 1.5px solid var(--line); margin: 0; padding: 0 1rem; }
    .c { color: inherit; } .a { text-align: right; border-color: var(--good); border-bottom-style: dashed; }
    .a.bad { border-color: var(--bad); color: var(--bad); }
    .c::after, .a::before { position: absolute; bottom: -.75em; content: "\\25B6"; right: -.1em; color: var(--line); }
    .a::before { content: "\\25C0"; right: auto; left: -.1em; color: var(--good); } .a.bad::before { color: var(--bad); }
    .cut { text-align: center; border-top: 2px dotted var(--line); }
    i { font-style: normal; opacity: .6; } small { opacity: .75; }
    code { display: block; font: 12px/1.5 ui-monospace, monospace; padding: .2rem 1.5rem; overflow-wrap: anywhere; }
    .a + code { text-align: right; }
    @media print { body { font-size: 10pt; max-width: none; } h2 { break-after: avoid; } }
    """
}
