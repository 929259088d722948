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
      : messaging.maximumShortRead
  }

  mutating func send(_ command: CommandAPDU) throws(CommandError) -> ResponseAPDU {
    var rest = command.data[...]
    let limit = plain.lengths.isExtended ? Int(UInt16.max) : messaging.maximumShortData
    while rest.count > limit {
      let part = [UInt8](rest.prefix(limit))
      rest = rest.dropFirst(part.count)
      let response = try exchange(command.chainLink(data: part, isLast: false))
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

  /// Continues with another counter.
  mutating func restart(_ counter: SendSequenceCounter) { messaging.restart(counter) }

  private mutating func exchange(_ command: CommandAPDU) throws(CommandError) -> ResponseAPDU {
    let bytes = try messaging.protect(command, form: plain.lengths.form)
    return try messaging.unprotect(plain.exchange(bytes))
  }
}
