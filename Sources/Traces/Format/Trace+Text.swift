internal import CIECard

extension Trace {
  /// Parses the text form.
  ///
  /// - Parameter text: the bytes of a whole file, UTF-8.
  /// - Throws: `TraceError` with the line of the first fault.
  public init(parsing text: [UInt8]) throws(TraceError) {
    let lines = try Self.lines(of: text)
    guard let blank = lines.firstIndex(of: "") else {
      throw TraceError(line: lines.count + 1, .missingEntries)
    }
    let headerLines = try Self.headerLines(lines.prefix(blank))
    var reader = TraceHeaderReader(headerLines, end: blank + 1)
    header = try reader.header()
    entries = try Self.entries(lines.dropFirst(blank + 1), from: blank + 2)
  }

  /// The text form; parsing it gives this trace again.
  public var text: String {
    let headerText = header.lines.map { "\($0.rawValue): \($1)\n" }.joined()
    return headerText + "\n" + entries.map { $0.text + "\n" }.joined()
  }

  /// The number of the line on which the first entry stands.
  var firstEntryLine: Int { header.lines.count + 2 }

  /// Splits the bytes into lines and refuses characters that no line may contain.
  private static func lines(of text: [UInt8]) throws(TraceError) -> [String] {
    var lines: [String] = []
    for bytes in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let number = lines.count + 1
      guard let line = String(validating: bytes, as: UTF8.self) else {
        throw TraceError(line: number, .notText)
      }
      guard !line.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      else { throw TraceError(line: number, .controlCharacter) }
      guard line.last != " " else { throw TraceError(line: number, .spacing) }
      lines.append(line)
    }
    guard lines.popLast() == "" else {
      throw TraceError(line: lines.count + 1, .missingFinalNewline)
    }
    return lines
  }

  private static func headerLines(
    _ lines: ArraySlice<String>
  ) throws(TraceError) -> [TraceHeaderLine] {
    var header: [TraceHeaderLine] = []
    for (index, line) in lines.enumerated() {
      let number = index + 1
      guard let colon = line.firstIndex(of: ":"), line[colon...].hasPrefix(": ") else {
        throw TraceError(line: number, .notAHeaderLine)
      }
      let (name, value) = (String(line[..<colon]), String(line[colon...].dropFirst(2)))
      guard name != DiagnosticRecord.key else {
        throw TraceError(line: number, .diagnosticRecord)
      }
      guard let key = TraceKey(rawValue: name) else {
        throw TraceError(line: number, .unknownKey(name))
      }
      guard !value.hasPrefix(" ") else { throw TraceError(line: number, .spacing) }
      if let last = header.last {
        if header.contains(where: { $0.key == key }), !key.isList {
          throw TraceError(line: number, .duplicateKey(name))
        }
        guard last.key.rank <= key.rank else {
          throw TraceError(line: number, .keyOutOfOrder(name))
        }
      }
      header.append(TraceHeaderLine(line: number, key: key, value: value))
    }
    return header
  }

  private static func entries(
    _ lines: ArraySlice<String>, from firstLine: Int
  ) throws(TraceError) -> [Entry] {
    var entries: [Entry] = []
    var open = false
    var commands = 0
    for (index, line) in lines.enumerated() {
      let number = firstLine + index
      let entry = try Entry(line: number, text: line)
      switch entry {
      case .comment: break
      case .powerCycle:
        guard !open else { throw TraceError(line: number, .commandWithoutAnswer) }
      case .command:
        guard !open else { throw TraceError(line: number, .commandWithoutAnswer) }
        open = true
        commands += 1
      case .answer, .event:
        guard open else { throw TraceError(line: number, .answerWithoutCommand) }
        open = false
      }
      entries.append(entry)
    }
    let end = firstLine + lines.count
    guard !open else { throw TraceError(line: end, .commandWithoutAnswer) }
    guard commands > 0 else { throw TraceError(line: end, .emptyConversation) }
    return entries
  }
}
