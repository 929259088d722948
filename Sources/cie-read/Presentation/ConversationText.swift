import CIECard
import CardWork
import Messages
import Primitives
import Traces

extension ShownConversation: Presentable {
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

  func members(_ language: Language) -> [JSON.Member] {
    [
      .init("file", path), .init("kind", kind.rawValue), .init("title", trace?.header.title),
      .init("journey", trace?.header.journey.name),
      .init("expected", trace?.header.expectation.outcome.text),
      .init("fault", trace?.header.fault), .init("exchanges", .array(exchanges.map(\.json))),
    ]
  }
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

  var json: JSON {
    var members: [JSON.Member] = [
      .init("number", number), .init("line", exchange.line), .init("step", exchange.step),
      .init("command", exchange.header.isEmpty ? nil : command),
      .init("header", exchange.header.hexadecimal), .init("protected", exchange.isProtected),
      .init("file", file), .init("sent", exchange.sent),
      .init("received", exchange.reply?.received),
      .init("statusWord", exchange.reply?.status.description),
      .init("milliseconds", exchange.milliseconds),
      .init("commandTags", sent.tags),
      .init("commandData", sent.data?.hexadecimal),
      .init("answerTags", received.tags),
      .init("answerData", received.data?.hexadecimal),
    ]
    if case .event(let event) = exchange.outcome { members.append(.init("event", event)) }
    return .object(members)
  }
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
