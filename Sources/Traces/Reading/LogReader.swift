internal import CIECard
internal import Primitives

/// Reads a log (`DiagnosticRecord`) block by block, so that one of any length takes a bounded memory.
package struct LogReader {
  /// The header lines so far, without `diagnostic`.
  package private(set) var header: [(key: String, value: String)] = []
  private var rest: [UInt8] = []
  private var number = 0
  private var step: String?
  private var open: RecordedExchange?
  private var count = 0
  private var isHeader = false

  /// Most bytes of a line; a log's own are below 200.
  private static let longestLine = 4096

  package init() {}

  /// Reads the next block.
  ///
  /// - Returns: the exchanges that end in it.
  package mutating func read(_ block: [UInt8]) throws(TraceError) -> [RecordedExchange] {
    var found: [RecordedExchange] = []
    rest += block
    var start = rest.startIndex
    while let end = rest[start...].firstIndex(of: 0x0A) {
      if let exchange = try read(line: rest[start..<end]) { found.append(exchange) }
      start = end + 1
    }
    rest.removeSubrange(..<start)
    guard rest.count <= Self.longestLine else { throw TraceError(line: number + 1, .tooLong) }
    return found
  }

  /// Checks the end of the file.
  package func finish() throws(TraceError) {
    guard rest.isEmpty else { throw TraceError(line: number + 1, .missingFinalNewline) }
    guard open == nil else { throw TraceError(line: number, .commandWithoutAnswer) }
    guard count > 0 else { throw TraceError(line: number + 1, .emptyConversation) }
  }

  private mutating func read(line bytes: ArraySlice<UInt8>) throws(TraceError) -> RecordedExchange?
  {
    number += 1
    guard bytes.count <= Self.longestLine else { throw TraceError(line: number, .tooLong) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw fault(.notText) }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw fault(.controlCharacter) }
    if text.hasPrefix(DiagnosticRecord.key + ": ") { return try begin() }
    guard number > 1 else { throw fault(.missingKey(DiagnosticRecord.key)) }
    if isHeader {
      try readHeader(text)
      return nil
    }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    switch words.first {
    case "#" where words.count > 1:
      guard open == nil else { throw fault(.commandWithoutAnswer) }
      step = String(text.dropFirst(2))
      return nil
    case "~" where text == DiagnosticRecord.powerCycle:
      guard open == nil else { throw fault(.commandWithoutAnswer) }
      return RecordedExchange(line: number, step: step)
    case ">":
      guard open == nil else { throw fault(.commandWithoutAnswer) }
      guard words.count == 3, let header = [UInt8](canonicalHexadecimal: words[1]),
        header.count == 4
      else { throw fault(.notAnEntry) }
      open = RecordedExchange(
        line: number, step: step, header: header, sent: try length(words[2]))
      return nil
    case "<", "!":
      guard let command = open else { throw fault(.answerWithoutCommand) }
      open = nil
      count += 1
      return try close(command, words)
    default: throw fault(.notAnEntry)
    }
  }

  /// A log has a header again where the card was contacted again.
  private mutating func begin() throws(TraceError) -> RecordedExchange? {
    guard open == nil else { throw fault(.commandWithoutAnswer) }
    isHeader = true
    header = []
    return number > 1 ? RecordedExchange(line: number, step: step) : nil
  }

  private mutating func readHeader(_ text: String) throws(TraceError) {
    guard !text.isEmpty else {
      isHeader = false
      return
    }
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix(": ") else {
      throw fault(.notAHeaderLine)
    }
    let key = String(text[..<colon])
    guard ["atr", "extended"].contains(key) else { throw fault(.unknownKey(key)) }
    guard !header.contains(where: { $0.key == key }) else { throw fault(.duplicateKey(key)) }
    header.append((key, String(text[colon...].dropFirst(2))))
  }

  /// Adds the answer, `< 9000 +250 31 ms`, or the event, `! card-removed 31 ms`.
  private func close(
    _ command: RecordedExchange, _ words: [Substring]
  ) throws(TraceError) -> RecordedExchange {
    var exchange = command
    guard words.count >= 4, words.last == "ms", let time = Int(words[words.count - 2]),
      (0...86_400_000).contains(time)
    else { throw fault(.notAnEntry) }
    exchange.milliseconds = time
    if words[0] == "!" {
      exchange.outcome = .event(words[1..<(words.count - 2)].joined(separator: " "))
      return exchange
    }
    guard words.count == 5, let status = [UInt8](canonicalHexadecimal: words[1]), status.count == 2
    else { throw fault(.notAnEntry) }
    exchange.outcome = .answer(StatusWord(ending: status), received: try length(words[2]))
    return exchange
  }

  private func length(_ word: Substring) throws(TraceError) -> Int {
    guard word.first == "+", let count = Int(word.dropFirst()), (0...70_000).contains(count)
    else { throw fault(.notAnEntry) }
    return count
  }

  private func fault(_ kind: TraceError.Kind) -> TraceError { TraceError(line: number, kind) }
}
