/// A command got no trustworthy answer.
enum CommandError: Error, Equatable, Sendable {
  case channel(ChannelError)
  /// The card announces more and more bytes without end.
  case endlessAnswer
  /// The answer does not come from the card that shares our keys.
  case secureMessaging(CardError.SecureMessagingError)
  /// The card ended secure messaging with a bare status word, which gives a reason but proves
  /// nothing.
  case channelEnded(StatusWord)
  case crypto(CryptoError)
}

extension CommandError {
  /// Runs a calculation; its failure becomes a command error.
  static func crypto<Result: ~Copyable>(
    _ value: @autoclosure () throws(CryptoError) -> Result
  ) throws(CommandError) -> Result {
    do { return try value() } catch { throw .crypto(error) }
  }

  /// Runs a check of secure messaging; its failure becomes a command error.
  static func secureMessaging<Result>(
    _ value: @autoclosure () throws(CardError.SecureMessagingError) -> Result
  ) throws(CommandError) -> Result {
    do { return try value() } catch { throw .secureMessaging(error) }
  }
}
