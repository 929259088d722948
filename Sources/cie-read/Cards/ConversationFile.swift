import Primitives
import CIECard
import CardWork
import Messages
import Traces

/// A trace or a log on disk. A log is read block by block, however long it is.
struct ConversationFile: ~Copyable {
  let path: String
  /// The whole trace; nil for a log.
  let trace: Trace?
  private let blocks: InputFile.Blocks
  private var reader: LogReader
  private var pending: ArraySlice<RecordedExchange>
  private var isAtEnd: Bool

  /// The kinds of files that one could take for each other.
  enum Kind: String, Sendable {
    case trace, log, report

    /// The kind of a file with this first line; nil for any other file.
    init?(firstLine: ArraySlice<UInt8>) {
      let kinds: KeyValuePairs<String, Kind> = [
        "diagnostic: ": .log, "cie-read report ": .report, "title: ": .trace,
      ]
      guard let kind = kinds.first(where: { firstLine.starts(with: $0.key.utf8) })?.value else {
        return nil
      }
      self = kind
    }
  }

  /// Most exchanges that are held at once: more than any journey has.
  private static let mostExchanges = 20_000
  /// Most bytes of a trace, and of a report.
  static let longestTrace = 16 << 20

  var kind: Kind { trace == nil ? .log : .trace }

  /// Opens a file.
  ///
  /// - Throws: also if it is a trace with a fault.
  init(_ path: String, in context: RunContext) throws(Failure) {
    let blocks = try InputFile.Blocks(path, context.interruption)
    var (start, reader): ([UInt8], LogReader) = ([], LogReader())
    while start.count < 4096, !start.contains(0x0A), let block = try blocks.next() {
      start += block
    }
    let trace: Trace?
    let found: [RecordedExchange]
    switch Kind(firstLine: start.prefix { $0 != 0x0A }) {
    case .log:
      trace = nil
      found = try Self.checked(path) { () throws(TraceError) in try reader.read(start) }
    case .trace:
      while start.count <= Self.longestTrace, let block = try blocks.next() { start += block }
      let text = start
      let whole = try Self.checked(path) { () throws(TraceError) in
        guard text.count <= Self.longestTrace else {
          throw TraceError(line: 1 + text.count { $0 == 0x0A }, .tooLong)
        }
        return try Trace(parsing: text)
      }
      (trace, found) = (whole, whole.exchanges)
    case .report:
      throw .usage("not-a-conversation", ["path": path], key: "conversation-is-report")
    case nil: throw .usage("not-a-conversation", ["path": path])
    }
    self.path = path
    self.trace = trace
    self.blocks = blocks
    self.reader = reader
    pending = found[...]
    isAtEnd = trace != nil
  }

  /// The answer to reset and the lengths that the reader carries, as the file has them.
  var header: [(key: String, value: String)] { reader.header }

  /// The next exchange; nil at the end.
  ///
  /// - Throws: also for a line of a log with a fault.
  mutating func next() throws(Failure) -> RecordedExchange? {
    while pending.isEmpty, !isAtEnd {
      if let block = try blocks.next() {
        pending = try Self.checked(path) { () throws(TraceError) in try reader.read(block)[...] }
      } else {
        isAtEnd = true
        try Self.checked(path) { () throws(TraceError) in try reader.finish() }
      }
    }
    return pending.popFirst()
  }

  /// All further exchanges.
  ///
  /// - Throws: also if there are more than fit in memory; `stats` and `diff` read longer conversations.
  mutating func remaining() throws(Failure) -> [RecordedExchange] {
    var exchanges: [RecordedExchange] = []
    while let exchange = try next() {
      guard exchanges.count < Self.mostExchanges else {
        throw .usage("trace-too-long", ["path": path, "number": Self.mostExchanges])
      }
      exchanges.append(exchange)
    }
    return exchanges
  }

  private static func checked<Result>(
    _ path: String, _ body: () throws(TraceError) -> Result
  ) throws(Failure) -> Result {
    return try mapError(try body()) { (error: TraceError) in
      Failure.usage(
        "trace-malformed", ["path": path, "line": error.line, "fault": error.fault],
        key: "conversation-malformed")
    }
  }
}
