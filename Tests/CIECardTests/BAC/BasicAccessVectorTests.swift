import TestSupport
import Testing

@testable import CIECard

/// The terminal's side of Basic Access Control against Doc 9303-11 appendix D.
@Suite struct BasicAccessVectorTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let mrzInformation: String
    let rndIc: HexBytes
    let rndIfd: HexBytes
    let kIfd: HexBytes
    let ksEnc: HexBytes
    let ksMac: HexBytes
    let ssc: HexBytes
    let cmd: HexBytes
    let rsp: HexBytes
    var testDescription: String { name }

    /// Published keys have odd parity, which 3DES passes over.
    func isSameKey(_ key: [UInt8], as published: HexBytes) -> Bool {
      key.map { $0 & 0xFE } == published.bytes.map { $0 & 0xFE }
    }
  }

  private func run(_ published: Case, answer: [UInt8], log: ScriptedChannel.Log) throws
    -> BasicAccess.Session
  {
    var channel = PlainChannel(
      ScriptedChannel(answers: [published.rndIc.bytes + [0x90, 0x00], answer], log: log),
      cardTakesExtended: false)
    var random = PlannedRandom(draws: [published.rndIfd.bytes, published.kIfd.bytes])
    return try BasicAccess.run(
      code: AccessCode(mrz: MRZ.Information(published: published.mrzInformation)),
      through: &channel, random: &random)
  }

  @Test(arguments: try Vectors.cases("bac", of: Case.self))
  func run(_ published: Case) throws {
    let log = ScriptedChannel.Log()
    let session = try run(published, answer: published.rsp.bytes, log: log)
    #expect(log.commands == [[0x00, 0x84, 0x00, 0x00, 0x08], published.cmd.bytes])
    let encryption = session.keys.encryption.withBytes { [UInt8]($0) }
    let authentication = session.keys.authentication.withBytes { [UInt8]($0) }
    #expect(published.isSameKey(encryption, as: published.ksEnc))
    #expect(published.isSameKey(authentication, as: published.ksMac))
    #expect(session.counter.bytes == published.ssc.bytes)
  }

  /// No changed bit of the answer leads to keys.
  @Test(arguments: try Vectors.cases("bac", of: Case.self))
  func changedAnswer(_ published: Case) throws {
    for index in 0..<40 {
      var answer = published.rsp.bytes
      answer[index] ^= 0x10
      let error = #expect(throws: CardError.self) {
        _ = try run(published, answer: answer, log: ScriptedChannel.Log())
      }
      #expect(error?.reason == .chipNotAuthentic)
    }
    let short = published.rsp.bytes.dropFirst()
    let error = #expect(throws: CardError.self) {
      _ = try run(published, answer: [UInt8](short), log: ScriptedChannel.Log())
    }
    #expect(error?.reason == .malformed(.length))
  }

  @Test(arguments: [
    ([0x63, 0x00], CardError.Reason.wrongAccessCode(.mrz, triesLeft: nil)),
    ([0x69, 0x82], .wrongAccessCode(.mrz, triesLeft: nil)),
    ([0x69, 0x85], .wrongAccessCode(.mrz, triesLeft: nil)),
    ([0x69, 0x88], .wrongAccessCode(.mrz, triesLeft: nil)),
    ([0x63, 0xC4], .wrongAccessCode(.mrz, triesLeft: 4)),
    ([0x6D, 0x00], .refused(.unknownInstruction)),
  ])
  func refusal(answer: [UInt8], expected: CardError.Reason) throws {
    let published = try #require(try Vectors.cases("bac", of: Case.self).first)
    let error = #expect(throws: CardError.self) {
      _ = try run(published, answer: answer, log: ScriptedChannel.Log())
    }
    #expect(error?.reason == expected)
  }
}
