/// Commands under secure messaging: every one protected, every answer proven, or the channel is dead.
///
/// It owns the plain channel, so nobody can talk past it.
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

  var shortReadLength: Int { messaging.preferredShortRead }

  mutating func send(_ command: CommandAPDU) throws(CommandError) -> ResponseAPDU {
    var rest = command.data[...]
    let limit = plain.lengths.isExtended ? Int(UInt16.max) : messaging.maximumShortData
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
  ) throws(CommandError) -> ResponseAPDU {
    let bytes = try messaging.protect(command, secretData: secretData, form: plain.lengths.form)
    return try messaging.unprotect(plain.exchange(bytes))
  }

  /// Sends a command whose data the card takes in one piece only: in extended form where they do not fit the short
  /// one, whatever the form of the conversation is.
  ///
  /// - Throws: `.channel(.lengthNotCarried)` as well when the reader carries no such command.
  mutating func sendWhole(_ command: CommandAPDU) throws(CommandError) -> ResponseAPDU {
    guard command.data.count > messaging.maximumShortData else { return try send(command) }
    guard plain.reader.carries(command.data.count + Self.protectionOverhead) else {
      throw .channel(.lengthNotCarried(length: command.data.count))
    }
    let bytes = try messaging.protect(
      command, form: .extended(maximumResponse: CommandAPDU.maximumExtendedResponse))
    return try messaging.unprotect(plain.exchange(bytes))
  }

  /// What protection adds to long data at most: tag, length and padding indicator, a block, Le and MAC objects.
  private static var protectionOverhead: Int { 5 + 16 + 4 + 10 }

  /// Continues with other keys, as chip authentication does.
  mutating func rekey(_ messaging: consuming SecureMessaging) { self.messaging = messaging }

  /// Whether commands may be in extended form.
  var isExtended: Bool { plain.lengths.isExtended }

  /// Begins anew after the card ended secure messaging: plain commands for as long as `opening` takes, and on with the
  /// session that it brings; in short form from now on, because an extended command may have been the reason.
  mutating func restart(
    _ opening: (inout PlainChannel<Channel>) throws(CardError) -> SecureMessaging
  ) throws(CardError) {
    plain.stepDown()
    messaging = try opening(&plain)
  }

  /// Ends secure messaging: the card drops it with the next plain command.
  consuming func endSession() -> PlainChannel<Channel> { plain }

  /// Continues with another counter.
  mutating func restart(_ counter: SendSequenceCounter) { messaging.restart(counter) }

  private mutating func exchange(_ command: CommandAPDU) throws(CommandError) -> ResponseAPDU {
    let bytes = try messaging.protect(command, form: plain.lengths.form)
    var response = try plain.exchange(bytes)
    // 6Cxx belongs to the transport: the card did not look at the command, so it may come again as it is, its outer
    // Le apart, which no MAC covers. Once, and never for a command with a code in it.
    if case .correctLength(let length) = response.status, response.data.isEmpty,
      let again = Self.expecting(length, bytes)
    {
      response = try plain.exchange(again)
    }
    return try messaging.unprotect(response)
  }

  /// Sends one link of a chain. Where only 61xx comes, the answer to the last link proves this one too: its MAC covers
  /// a counter that stepped here.
  private mutating func exchange(link: CommandAPDU) throws(CommandError) -> ResponseAPDU {
    let bytes = try messaging.protect(link, form: plain.lengths.form)
    let response = try plain.transmit(bytes)
    if case .bytesRemaining = response.status, response.data.isEmpty {
      messaging.skipAnswer()
      return ResponseAPDU(status: .success)
    }
    return try messaging.unprotect(response)
  }

  /// A protected command in short form with another Le, its last byte.
  private static func expecting(_ length: UInt8, _ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 5, bytes[4] != 0, bytes.last != length else { return nil }
    return bytes.dropLast() + [length]
  }
}
