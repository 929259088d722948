internal import Primitives

/// One command in, one response out: plain or protected.
protocol CommandChannel: ~Copyable {
  /// Sends one command; the channel handles chaining, GET RESPONSE and protection.
  ///
  /// - Throws: `channel`, `endlessAnswer`, `notBelieved`, `channelEnded` or `crypto`, if there is no trustworthy
  ///   response; one with an error status is a value, not an error.
  mutating func send(_ command: CommandAPDU) throws(CardError.Reason) -> ResponseAPDU

  /// The most bytes that one READ BINARY can return through this channel.
  var maximumReadLength: Int { get }

  /// The lengths of a READ BINARY with a short response, the longest that may work first; not empty.
  var shortReadLengths: [Int] { get }
}

extension CommandChannel where Self: ~Copyable {
  /// Sends a command; any status word is returned as a value.
  mutating func send(
    _ command: CommandAPDU, at step: CardError.Step
  ) throws(CardError) -> ResponseAPDU {
    return try mapError(try send(command)) { CardError(step, $0) }
  }

  /// Sends a command that must succeed.
  ///
  /// - Returns: the response data.
  @discardableResult
  mutating func require(_ command: CommandAPDU, at step: CardError.Step) throws(CardError)
    -> [UInt8]
  {
    let response = try send(command, at: step)
    guard response.status == .success else { throw CardError(step, .refused(response.status)) }
    return response.data
  }
}

/// One answer of the card: data and status word (ISO/IEC 7816-4 §5.1).
struct ResponseAPDU: Equatable, Sendable {
  let data: [UInt8]
  /// SW1-SW2.
  let status: StatusWord

  init(data: [UInt8] = [], status: StatusWord) {
    self.data = data
    self.status = status
  }

  /// Parses a complete R-APDU.
  ///
  /// - Throws: `ChannelError.truncatedResponse` if it is shorter than a status word.
  init(_ bytes: [UInt8]) throws(ChannelError) {
    guard bytes.count >= 2 else { throw .truncatedResponse(length: bytes.count) }
    let word = bytes.suffix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
    self.init(data: [UInt8](bytes.dropLast(2)), status: StatusWord(rawValue: word))
  }
}
