import TestSupport
import Testing

@testable import CIECard

/// The terminal's side of chip authentication against `chip-auth.json`, from the session before it to the first command
/// under the new keys.
@Suite struct ChipAuthenticationVectorTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let oid: String
    let ka: String
    let paramId: Int
    let keyId: HexBytes?
    let pkIc: HexBytes
    let skIfd: HexBytes
    let smBefore: Session
    let exchanges: [Exchange]
    let firstAfter: Exchange
    var testDescription: String { name }

    var offer: ChipAuthenticationOffer {
      get throws {
        let arcs = oid.split(separator: ".").suffix(2).compactMap { UInt8($0) }
        return ChipAuthenticationOffer(
          domain: try #require(try AgreementDomain(standardized: paramId)),
          publicValue: pkIc.bytes,
          protocol: try #require(
            ChipAuthenticationProtocol(
              objectIdentifier: [0x04, 0x00, 0x7F, 0x00, 0x07, 0x02, 0x02, 0x03] + arcs)),
          keyIdentifier: keyId.map { KeyIdentifier($0.bytes) })
      }
    }
  }

  struct Session: Decodable, Sendable {
    let cipher: String
    let ksEnc: HexBytes
    let ksMac: HexBytes
    let ssc: HexBytes
  }

  struct Exchange: Decodable, Sendable {
    let protectedCmd: HexBytes
    let protectedRsp: HexBytes
  }

  private func run(
    _ published: Case, answers: [[UInt8]], reader: ChannelTraits.ExtendedLength = .unknown,
    log: ScriptedChannel.Log
  ) throws -> AuthenticityReport.ChipProof {
    let before = published.smBefore
    let plain = PlainChannel(
      ScriptedChannel(answers: answers, extended: reader, log: log), cardTakesExtended: false)
    var channel = SecureChannel(
      over: plain,
      messaging: SecureMessaging(
        keys: SessionKeys(
          cipher: try SessionCipher(name: before.cipher),
          encryption: Secret(before.ksEnc.bytes), authentication: Secret(before.ksMac.bytes)),
        counter: SendSequenceCounter(before.ssc.bytes), profile: .travelDocument))
    var random = PlannedRandom(draws: [published.skIfd.bytes])
    return try ChipAuthentication.run(published.offer, through: &channel, random: &random)
  }

  @Test(arguments: try Vectors.cases("chip-auth", of: Case.self))
  func run(_ published: Case) throws {
    let all = published.exchanges + [published.firstAfter]
    let log = ScriptedChannel.Log()
    #expect(try run(published, answers: all.map(\.protectedRsp.bytes), log: log) == .proved)
    #expect(log.commands == all.map(\.protectedCmd.bytes))
  }

  /// A chip without the key cannot answer under the new ones: neither with a wrong MAC nor in clear.
  @Test(arguments: try Vectors.cases("chip-auth", of: Case.self))
  func withoutTheKey(_ published: Case) throws {
    let good = published.exchanges.map(\.protectedRsp.bytes)
    var wrong = published.firstAfter.protectedRsp.bytes
    wrong[wrong.count - 3] ^= 1
    for last in [wrong, [0x90, 0x00], [0x69, 0x88]] {
      let log = ScriptedChannel.Log()
      #expect(try run(published, answers: good + [last], log: log) == .failed)
    }
  }

  @Test func aLongKeyNeedsExtendedLength() throws {
    let cases = try Vectors.cases("chip-auth", of: Case.self)
    let long = try #require(cases.first { $0.ka == "DH" })
    let log = ScriptedChannel.Log()
    #expect(try run(long, answers: [], reader: .notCarried, log: log) == .lengthNotCarried)
    #expect(log.commands.isEmpty)
  }
}
