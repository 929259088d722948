/// Commands under secure messaging: every command is protected and every answer verified, or the
/// channel ends.
///
/// It owns the plain channel, so no command can bypass it.
struct SecureChannel<Channel: CardChannel & ~Copyable>: ~Copyable, CommandChannel {
  private var plain: PlainChannel<Channel>
  private var messaging: SecureMessaging

  init(over plain: consuming PlainChannel<Channel>, messaging: consuming SecureMessaging) {
    self.plain = plain
    self.messaging = messaging
  }

  var maximumReadLength: Int {
    plain.lengths.isExtended
      ? messaging.maximumRead(inAnswerOf: plain.lengths.maximumResponse)
      : messaging.preferredShortRead
  }

  /// The same, but in extended form only if the card announces that.
  var announcedReadLength: Int {
    plain.lengths.isForEveryCommand ? maximumReadLength : messaging.preferredShortRead
  }

  /// 256 first, where such an answer may be in extended form.
  var shortReadLengths: [Int] {
    (plain.lengths.isForEveryCommand ? [CommandAPDU.maximumShortResponse] : [])
      + [messaging.preferredShortRead]
  }

  mutating func send(_ command: CommandAPDU) throws(CardError.Reason) -> ResponseAPDU {
    var rest = command.data[...]
    let limit = plain.lengths.isForEveryCommand ? Int(UInt16.max) : messaging.maximumShortData
    while rest.count > limit {
      let part = [UInt8](rest.prefix(limit))
      rest = rest.dropFirst(part.count)
      let response = try exchange(link: command.chainLink(data: part, isLast: false))
      guard response.status == .success else { return response }
    }
    return try exchange(command.chainLink(data: [UInt8](rest), isLast: true))
  }

  /// Sends one command whose data must not be copied; at most 223 bytes.
  mutating func send(
    _ command: CommandAPDU, secretData: borrowing Secret
  ) throws(CardError.Reason) -> ResponseAPDU {
    let bytes = try messaging.protect(
      command, secretData: secretData, form: plain.lengths.form(of: command))
    plain.observer?(.command(data: nil))
    return try unprotect(plain.exchange(bytes))
  }

  /// Sends a command whose data the card accepts in one piece only: in extended form if they do not
  /// fit the short one, whatever the form of the conversation.
  ///
  /// - Throws: `.channel(.lengthNotCarried)` as well if the reader cannot carry the command.
  mutating func sendWhole(_ command: CommandAPDU) throws(CardError.Reason) -> ResponseAPDU {
    guard command.data.count > messaging.maximumShortData else { return try send(command) }
    guard plain.reader.carries(command.data.count + Self.protectionOverhead) else {
      throw .channel(.lengthNotCarried(length: command.data.count))
    }
    let bytes = try messaging.protect(
      command, form: .extended(maximumResponse: CommandAPDU.maximumExtendedResponse))
    plain.observer?(.command(data: command.data))
    return try unprotect(plain.exchange(bytes))
  }

  /// Maximum overhead of protection for long data: tag, length and padding indicator, a block, Le
  /// and MAC objects.
  private static var protectionOverhead: Int { 5 + 16 + 4 + 10 }

  /// Continues with other keys, as chip authentication does.
  mutating func rekey(_ messaging: consuming SecureMessaging) { self.messaging = messaging }

  /// True if commands may be in extended form.
  var isExtended: Bool { plain.lengths.isExtended }

  /// Restarts after the card ended secure messaging: sends plain commands during `opening`, and
  /// continues with its session; in short form from now on, because an extended command may have
  /// been the cause.
  mutating func restart(
    _ opening: (inout PlainChannel<Channel>) throws(CardError) -> SecureMessaging
  ) throws(CardError) {
    plain.stepDown()
    messaging = try opening(&plain)
  }

  /// Ends secure messaging: the card drops it with the next plain command.
  consuming func endSession() -> PlainChannel<Channel> { plain }

  mutating func restart(_ counter: SendSequenceCounter) { messaging.restart(counter) }

  private mutating func exchange(_ command: CommandAPDU) throws(CardError.Reason) -> ResponseAPDU {
    let bytes = try messaging.protect(command, form: plain.lengths.form(of: command))
    plain.observer?(.command(data: command.data))
    var response = try plain.exchange(bytes)
    // 6Cxx belongs to the transport: the card did not process the command, so it may be repeated
    // with another outer Le, which no MAC covers. Only once, and never for a command with a code in
    // it.
    if case .correctLength(let length) = response.status, response.data.isEmpty,
      let again = Self.expecting(length, bytes)
    {
      response = try plain.exchange(again)
    }
    return try unprotect(response)
  }

  /// Sends one link of a chain. If only 61xx is returned, the answer to the last link verifies this
  /// one too, because its MAC covers a counter that was incremented here.
  private mutating func exchange(link: CommandAPDU) throws(CardError.Reason) -> ResponseAPDU {
    let bytes = try messaging.protect(link, form: plain.lengths.form(of: link))
    plain.observer?(.command(data: link.data))
    let response = try plain.transmit(bytes)
    if case .bytesRemaining = response.status, response.data.isEmpty {
      messaging.skipAnswer()
      return ResponseAPDU(status: .success)
    }
    return try unprotect(response)
  }

  private mutating func unprotect(_ response: ResponseAPDU) throws(CardError.Reason) -> ResponseAPDU
  {
    let clear = try messaging.unprotect(response)
    plain.observer?(.answer(data: clear.data))
    return clear
  }

  /// A protected command in short form with another Le, its last byte.
  private static func expecting(_ length: UInt8, _ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 5, bytes[4] != 0, bytes.last != length else { return nil }
    return bytes.dropLast() + [length]
  }
}
