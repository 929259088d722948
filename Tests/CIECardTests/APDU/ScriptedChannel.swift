import CIECard

/// A channel that answers from a list and records the commands; its log outlives it.
struct ScriptedChannel: CardChannel, ~Copyable {
  /// The bytes on the wire.
  final class Log {
    var commands: [[UInt8]] = []
  }

  let traits: ChannelTraits
  let log: Log
  private let answer: ([UInt8], Int) throws(ChannelError) -> [UInt8]

  init(
    atr: [UInt8] = [0x3B, 0x80], extended: ChannelTraits.ExtendedLength = .notCarried, log: Log,
    answer: @escaping ([UInt8], Int) throws(ChannelError) -> [UInt8]
  ) {
    traits = ChannelTraits(atr: atr, extendedLength: extended)
    self.log = log
    self.answer = answer
  }

  mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    log.commands.append(command)
    return try answer(command, log.commands.count - 1)
  }
}

extension ScriptedChannel {
  /// Answers from a list; after its end the card is gone.
  init(
    answers: [[UInt8]], extended: ChannelTraits.ExtendedLength = .notCarried, log: Log
  ) {
    self.init(extended: extended, log: log) { (_, index) throws(ChannelError) in
      guard index < answers.count else { throw .cardRemoved }
      return answers[index]
    }
  }
}
