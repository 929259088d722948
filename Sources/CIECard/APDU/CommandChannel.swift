/// One command in, one response out: plain or protected.
protocol CommandChannel: ~Copyable {
  /// Carries out one command: chaining, GET RESPONSE and protection are the channel's business.
  ///
  /// - Throws: `CommandError`; a response with an error status is a value, not an error.
  mutating func send(_ command: CommandAPDU) throws(CommandError) -> ResponseAPDU

  /// The most bytes that one READ BINARY can bring back through this channel.
  var maximumReadLength: Int { get }

  /// The most bytes that one READ BINARY can bring back in a short response.
  var shortReadLength: Int { get }
}
