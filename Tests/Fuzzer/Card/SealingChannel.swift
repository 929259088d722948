@testable import CIECard
@testable import VirtualCIE

/// A chip with the keys and without rules: to any command it answers with the contents of an input, under a right MAC;
/// one answer of its choice has another status word, or more data than requested.
struct SealingChannel: CardChannel, ~Copyable {
  let traits = ChannelTraits(
    atr: [0x3B, 0x80], extendedLength: .carried(maximumDataLength: 65_536))
  private var session: CardSession
  private let contents: [UInt8]
  private let lie: UInt8
  private let place: Int
  private var count = 0

  init(_ keys: SealedKeys, serving contents: [UInt8], lying lie: UInt8, at place: Int) {
    session = CardSession(keys.card)
    self.contents = contents
    self.lie = lie
    self.place = place
  }

  mutating func transmit(_ bytes: [UInt8]) throws(ChannelError) -> [UInt8] {
    defer { count += 1 }
    guard count < 2000, let command = CardCommand(splitting: bytes),
      let plain = try? session.open(command)
    else { throw .cardRemoved }
    var answer = VirtualCIE.Answer(data: data(plain), status: VirtualCIE.Status(0x9000))
    if count == place {
      let words: [UInt16] = [0x6282, 0x6A82, 0x6B00, 0x6C10, 0x6110, 0x6982, 0x6700, 0x63C0]
      if lie & 1 == 0 { answer.data += [UInt8](repeating: lie, count: 300) }
      answer.status = VirtualCIE.Status(words[Int(lie >> 1) % words.count])
    }
    guard let sealed = try? session.seal(answer, oddInstruction: plain.ins & 1 == 1) else {
      throw .cardMute
    }
    return sealed + answer.status.bytes
  }

  private func data(_ command: CardCommand) -> [UInt8] {
    switch command.ins {
    case 0xB0:
      let offset = command.p1 & 0x80 == 0 ? Int(command.parameters) : Int(command.p2)
      return [UInt8](contents.dropFirst(offset).prefix(command.expected ?? 256))
    case 0xB1:
      let part = contents.dropFirst(0x8000).prefix(max(0, (command.expected ?? 256) - 4))
      return TLV.encode(0x53, [UInt8](part))
    case 0xCB, 0xCA, 0x88, 0x84, 0x86: return [UInt8](contents.prefix(0x1000))
    default: return []
    }
  }
}
