import CIECard
import CardWork
import Messages
import Traces

/// All of a trace or log, with the names of commands and files, and the messages of secure messaging opened where a trace
/// has the random draws.
struct ShownConversation: Sendable {
  let path: String
  let kind: ConversationFile.Kind
  /// nil for a log.
  let trace: Trace?
  let header: [(key: String, value: String)]
  let exchanges: [Row]

  struct Row: Sendable {
    let number: Int
    let exchange: RecordedExchange
    let command: String
    let file: String?
    let sent: Field
    fileprivate(set) var received: Field
  }

  struct Field: Sendable {
    /// The tags on the wire.
    let tags: [String]
    /// The data in clear; nil if they are unknown or none.
    let data: [UInt8]?
    var isOpened = false
    /// True if the command holds a PIN or PUK.
    var isCode = false
    /// True for a piece from the middle of a file, in which objects are chance.
    var isPiece = false
  }

  init(_ path: String, in context: RunContext) throws(Failure) {
    var file = try ConversationFile(path, in: context)
    let opened = file.trace.map { OpenedMessages($0) }
    var selected = SelectedFile()
    var rows: [Row] = []
    for exchange in try file.remaining() {
      rows.append(Row(exchange, at: rows.count, opened, &selected))
    }
    self.path = path
    kind = file.kind
    trace = file.trace
    header = file.header
    exchanges = rows
  }
}

extension ShownConversation.Row {
  fileprivate init(
    _ exchange: RecordedExchange, at index: Int, _ opened: OpenedMessages?,
    _ selected: inout SelectedFile
  ) {
    self.exchange = exchange
    number = index + 1
    command = CommandName.of(exchange.header)
    func field(_ wire: [UInt8]?, _ message: [UInt8]??) -> ShownConversation.Field {
      .init(
        tags: CommandData.tags(of: wire ?? []),
        data: message ?? (exchange.isProtected ? nil : wire), isOpened: message != nil)
    }
    var sent = field(
      exchange.command.map { CommandData.field(of: $0) },
      exchange.isProtected ? opened?.commands[index] : nil)
    sent.isCode = sent.isOpened && sent.data == nil
    self.sent = sent
    received = field(
      exchange.answer.map { [UInt8]($0.dropLast(2)) },
      opened?.answers[index].map(Optional.some))
    file = selected.follow(exchange, data: sent.data)
    // READ BINARY with an offset: P1 and P2, without a short identifier.
    received.isPiece =
      exchange.header.dropFirst().first == 0xB0 && exchange.header[2] & 0x80 == 0
      && exchange.header.suffix(2) != [0, 0]
  }
}
