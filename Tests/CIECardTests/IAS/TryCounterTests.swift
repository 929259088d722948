import TestSupport
import Testing

@testable import CIECard

/// The tries left of PIN and PUK, as the card reports them inside secure messaging.
///
/// Keys and the first two messages: calculated by the rules of IAS ECC §7.1 from Z = 00 01 … FF, independently of this
/// program; the content is that of CIE 3.0 chip specification annex A (three tries, size eight).
@Suite struct TryCounterTests {
  private static let question =
    "0CCB3FFF1F851079C228FC5287C178D72116EC1A0F716F9701008E087EE33C6508C0986F00"
  private static let answer = """
    852803CAFE99BE40C1CCE7077B7EF059B27F85F97528A89619C9BF48956638811AC485358CEC6EAB05CA\
    990290008E08EC02CB0824A79BBB9000
    """

  private static func keys() throws -> SessionKeys {
    try SessionKeys.derive(
      from: Secret((0...255).map { UInt8($0) }), for: .tripleDES, hash: .sha256)
  }

  private func channel(
    answering answer: [UInt8], _ log: ScriptedChannel.Log = ScriptedChannel.Log()
  ) throws -> SecureChannel<ScriptedChannel> {
    SecureChannel(
      over: PlainChannel(ScriptedChannel(answers: [answer], log: log), cardTakesExtended: false),
      messaging: SecureMessaging(keys: try Self.keys(), counter: .one))
  }

  /// A protected answer to the first command, with its data in the object with `tag`.
  private static func answer(
    _ data: [UInt8], tag: UInt32 = 0x85, status: [UInt8] = [0x90, 0x00]
  ) throws -> [UInt8] {
    let keys = try keys()
    let cipher = keys.cipher
    var counter = SendSequenceCounter.one
    for _ in 0..<2 { counter.step() }
    var objects: [UInt8] = []
    if !data.isEmpty {
      var padded = data
      BlockPadding.pad(&padded, to: 8)
      let cryptogram = try cipher.encrypt(
        secret: Secret(padded), key: keys.encryption,
        iv: cipher.initialVector(counter, key: keys.encryption))
      objects = TLV.encode(tag, (tag == 0x87 ? [0x01] : []) + cryptogram)
    }
    objects += TLV.encode(0x99, status)
    var input = counter.bytes + objects
    BlockPadding.pad(&input, to: 8)
    return objects
      + TLV.encode(0x8E, try cipher.authenticate(input, key: keys.authentication)) + status
  }

  private static let parameters: [UInt8] = [
    0x70, 0x0C, 0xBF, 0x81, 0x01, 0x08, 0xA0, 0x06, 0x9A, 0x01, 0x03, 0x9B, 0x01, 0x02,
  ]

  @Test func questionAndAnswerAreThoseOfTheVector() throws {
    let log = ScriptedChannel.Log()
    var channel = try channel(answering: Hex.bytes(Self.answer), log)
    #expect(try channel.readTries(of: .pin) == 3)
    #expect(log.commands.map { Hex.text($0) } == [Self.question])
  }

  @Test(arguments: [0x85, 0x87] as [UInt32])
  func cryptogramInEitherObject(tag: UInt32) throws {
    var channel = try channel(answering: Self.answer(Self.parameters, tag: tag))
    #expect(try channel.readTries(of: .pin) == 2)
  }

  @Test(arguments: [0x6982, 0x6A80, 0x6A81, 0x6A86, 0x6A88, 0x6D00, 0x6985, 0x6700])
  func refusalIsNoNumber(status: UInt16) throws {
    let word = [UInt8(status >> 8), UInt8(truncatingIfNeeded: status)]
    var channel = try channel(answering: Self.answer([], status: word))
    #expect(try channel.readTries(of: .pin) == nil)
  }

  @Test func successWithoutANumberIsNone() throws {
    for data in [[], [0x70, 0x00], [UInt8](Self.parameters.dropLast(3))] {
      var channel = try channel(answering: Self.answer(data))
      #expect(try channel.readTries(of: .pin) == nil)
    }
  }

  @Test func answerOfAStrangerIsNotBelieved() throws {
    var changed = try Self.answer(Self.parameters)
    changed[changed.count - 3] ^= 1
    var channel = try channel(answering: changed)
    #expect(throws: CardError(.readTries, .notBelieved(.wrongMAC))) {
      try channel.readTries(of: .pin)
    }
  }
}
