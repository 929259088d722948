import CIECard
import CardWork
import Messages
import Primitives
import Traces

/// A conversation in figures.
struct CountedConversation: DescribedObject {
  let path: String
  let kind: ConversationFile.Kind
  let statistics: ConversationStatistics

  init(_ path: String, in context: RunContext) throws(Failure) {
    var file = try ConversationFile(path, in: context)
    var statistics = ConversationStatistics()
    while let exchange = try file.next() { statistics.add(exchange) }
    self.path = path
    kind = file.kind
    self.statistics = statistics
  }

  func lines(_ language: Language) -> [String] {
    let heads = ["step", "commands", "sent", "received", "time"].map {
      Message("trace.column.\($0)")(language)
    }
    let total = Message("trace.total")(language)
    let rows =
      statistics.steps.map { $0.cells($0.step ?? "-", language) }
      + [statistics.total.cells(total, language)]
    let words = statistics.sortedWords.map { "\($0.status) ×\($0.count)" }
    return ["\(path) (\(Message("trace.kind.\(kind.rawValue)")(language)))"]
      + TextTable(rows: [heads] + rows, numeric: [1, 2, 3, 4]).lines
      + [words.joined(separator: ", ")]
  }

  static let members: [Member<CountedConversation>] = [
    Member("file", \.path), Member("kind", \.kind), Member("steps", \.statistics.steps),
    Member("total", \.statistics.total),
    Member("statusWords") { $0.statistics.sortedWords.map(CountedWord.init) },
  ]

  /// A bar for each step, of its time if there is one, else of its bytes.
  func drawing(_ language: Language) -> String {
    let hasTimes = statistics.total.milliseconds != nil
    let values = statistics.steps.map { hasTimes ? $0.milliseconds ?? 0 : $0.sent + $0.received }
    let most = max(values.max() ?? 0, 1)
    let height = 24 * values.count + 40
    let escaped = ShownConversation.escaped
    let unit = hasTimes ? "ms" : Message("trace.unit.bytes")(language)
    var bars = ""
    for (index, (step, value)) in zip(statistics.steps, values).enumerated() {
      let y = 40 + 24 * index
      let width = value * 360 / most
      bars += """
        <text x="238" y="\(y + 13)" text-anchor="end">\(escaped(step.step ?? "-"))</text>
        <rect x="244" y="\(y)" width="\(width)" height="17"/>
        <text x="\(250 + width)" y="\(y + 13)">\(value)</text>

        """
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 \(height)" font-family="sans-serif" font-size="12">
      <style>text { fill: #222 } rect { fill: #2a6fb0 } \
      @media (prefers-color-scheme: dark) { text { fill: #ddd } rect { fill: #6fa8dc } }</style>
      <text x="8" y="20" font-size="14">\(escaped(path)) (\(escaped(unit)))</text>
      \(bars)</svg>

      """
  }
}

extension ConversationStatistics {
  /// The status words, the most frequent ones first.
  var sortedWords: [(status: StatusWord, count: Int)] {
    statusWords.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { (StatusWord(rawValue: $0.key), $0.value) }
  }
}

extension ConversationStatistics.Row {
  fileprivate func cells(_ title: String, _ language: Language) -> [String] {
    [title] + [commands, sent, received].map { language.text($0) }
      + [milliseconds.map { "\(language.text($0)) ms" } ?? ""]
  }
}

extension ConversationStatistics.Row: DescribedObject {
  static let definition: String? = "trace-row"
  static let members: [Member<ConversationStatistics.Row>] = [
    Member("step", \.step), Member("commands", \.commands),
    Member("sent", \.sent, note: "Bytes, headers included."),
    Member("received", \.received, note: "Bytes, status words included."),
    Member("milliseconds", \.milliseconds, note: "Null in a trace."),
    Member("events", \.events, note: "Errors of the channel in place of answers."),
  ]
}

/// A status word with the number of its answers.
private struct CountedWord: DescribedObject {
  let status: StatusWord
  let count: Int

  static let members: [Member<CountedWord>] = [
    Member("statusWord", \.status.description).of { .text(pattern: "^[0-9A-F]{4}$") },
    Member("count", \.count),
  ]
}
