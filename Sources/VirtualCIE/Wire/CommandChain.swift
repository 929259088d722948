/// The pieces of a chained command, collected until the last one comes (ISO/IEC 7816-4 §5.3.3).
struct CommandChain {
  /// Most bytes that a chained command may have; the longest real one has 354.
  static let capacity = 4096
  /// Instructions that may be chained: MSE, PSO, EXTERNAL and INTERNAL AUTHENTICATE.
  static let instructions: Set<UInt8> = [0x22, 0x2A, 0x82, 0x88]

  /// GENERAL AUTHENTICATE: the same class bit means that more steps follow, each a complete command
  /// (Doc 9303-11 §4.4.4.2).
  static let steppingInstruction: UInt8 = 0x86

  private var pieces: CardCommand?

  var isOpen: Bool { pieces != nil }

  /// Takes a command, complete or a piece.
  ///
  /// - Returns: the complete command, or nil if the chain continues.
  mutating func take(_ command: CardCommand) throws(Refusal) -> CardCommand? {
    var whole = command
    if let begun = pieces {
      pieces = nil
      // Any other command drops the pieces collected so far (IAS ECC §8.5.2).
      if begun.ins == command.ins, begun.parameters == command.parameters,
        begun.isSecured == command.isSecured
      {
        whole.data = begun.data + command.data
      }
    }
    guard whole.data.count <= Self.capacity else { throw Refusal(.wrongLength) }
    guard command.isChained, command.ins != Self.steppingInstruction else { return whole }
    guard Self.instructions.contains(command.ins) else { throw Refusal(.chainingNotSupported) }
    pieces = whole
    return nil
  }

  mutating func abandon() { pieces = nil }
}

/// A response longer than one answer can carry, returned piece by piece (ISO/IEC 7816-4 §5.3.4).
struct WaitingResponse {
  private var data: ArraySlice<UInt8>
  private let status: Status

  /// A complete response: data and the final status word.
  init(_ data: [UInt8], _ status: Status) {
    self.data = data[...]
    self.status = status
  }

  var count: Int { data.count }

  var isEmpty: Bool { data.isEmpty }

  /// The next piece on the wire, with 61xx while more remains.
  mutating func next(atMost limit: Int) -> [UInt8] {
    let piece = data.prefix(max(1, limit))
    data = data.dropFirst(piece.count)
    return piece + (data.isEmpty ? status : .bytesWaiting(data.count)).bytes
  }
}
