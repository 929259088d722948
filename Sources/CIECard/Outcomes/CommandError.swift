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
