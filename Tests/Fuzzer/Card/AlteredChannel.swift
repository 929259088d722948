@testable import CIECard
@testable import VirtualCIE

/// A software card, some of whose answers an input alters on the wire: four bytes select the answer, the change, and
/// its value.
struct AlteredChannel: CardChannel, ~Copyable {
  /// The bytes on the wire, seen from outside.
  final class Log {
    var commands: [[UInt8]] = []

    /// Commands that carry a code to the card.
    var verifications: [[UInt8]] { commands.filter { $0.count > 5 && $0[1] == 0x20 } }
  }

  private var card: VirtualCardChannel
  private let alterations: [Int: [UInt8]]
  private let filling: [UInt8]
  private let log: Log

  /// - Parameter input: up to four alterations; after them, the replacements of answers.
  init(_ card: consuming VirtualCardChannel, by input: [UInt8], log: Log) {
    self.card = card
    self.log = log
    var alterations: [Int: [UInt8]] = [:]
    let whole = input.count / 4 * 4
    for start in stride(from: 0, to: min(16, whole), by: 4) {
      alterations[Int(input[start])] = [UInt8](input[(start + 1)..<(start + 4)])
    }
    self.alterations = alterations
    filling = [UInt8](input.dropFirst(16))
  }

  var traits: ChannelTraits { card.traits }

  mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    let index = log.commands.count
    log.commands.append(command)
    guard index < 2000 else { throw .cardMute }
    let answer = try card.transmit(command)
    guard let how = alterations[index] else { return answer }
    return try altered(answer, how[0], Int(how[1]), how[2])
  }

  private func altered(
    _ answer: [UInt8], _ kind: UInt8, _ place: Int, _ value: UInt8
  ) throws(ChannelError) -> [UInt8] {
    let data = [UInt8](answer.dropLast(2))
    switch kind % 8 {
    case 0: return data + [[0x90, 0x62, 0x69, 0x6A, 0x63, 0x6C, 0x61, 0x67][place % 8], value]
    case 1: return [UInt8](data.prefix(place)) + answer.suffix(2)
    case 2, 3:
      guard !data.isEmpty else { return answer }
      var changed = answer
      changed[place % data.count] ^= value | 1
      return changed
    case 4: return data + [UInt8](repeating: value, count: place) + answer.suffix(2)
    case 5: return [UInt8](filling.prefix(0x8000)) + [0x90, 0]
    case 6: return [UInt8](answer.prefix(place % 2 + 1 + Int(value)))
    default:
      switch place % 4 {
      case 0: throw .cardRemoved
      case 1: throw .cardReset
      case 2: throw .transmissionFailed(code: UInt32(value))
      default: throw .truncatedResponse(length: 1)
      }
    }
  }
}

/// A card without rules: its answers are those of an input, each after its length, to any command; after the last they
/// begin again.
struct WilfulChannel: CardChannel, ~Copyable {
  let traits: ChannelTraits
  private let answers: [UInt8]
  private var rest: ArraySlice<UInt8> = []
  private var count = 0

  init(atr: [UInt8], answering input: [UInt8]) {
    traits = ChannelTraits(atr: atr, extendedLength: .notCarried)
    answers = input
  }

  mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    if rest.isEmpty { rest = answers[...] }
    count += 1
    guard count < 2000, let length = rest.popFirst() else { throw .cardRemoved }
    let answer = [UInt8](rest.prefix(Int(length)))
    rest = rest.dropFirst(answer.count)
    return answer.count < 2 ? answer + [0x6A, 0x82] : answer
  }
}
