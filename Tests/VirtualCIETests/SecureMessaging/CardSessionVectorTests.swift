import TestSupport
import Testing

@testable import VirtualCIE

/// Published sessions, from the card's side: it opens the commands and seals the responses.
@Suite struct CardSessionVectorTests {
  /// One session of `sm-3des.json` or `sm-aes.json`.
  struct Session: Decodable, Sendable {
    let name: String
    let cipher: String
    let ksEnc: HexBytes
    let ksMac: HexBytes
    let ssc: HexBytes
    let exchanges: [Exchange]
  }

  struct Exchange: Decodable, Sendable {
    let command: Plain
    let protectedCmd: HexBytes
    let protectedRsp: HexBytes?
    let rspData: String?
    let rspSw: String?
  }

  struct Plain: Decodable, Sendable {
    let cla: UInt8
    let ins: UInt8
    let p1: UInt8
    let p2: UInt8
    let data: HexBytes
    let ne: Int
  }

  static let sessions = ["sm-3des", "sm-aes"].flatMap {
    (try? Vectors.cases($0, of: Session.self)) ?? []
  }

  @Test func allSessionsAreThere() {
    #expect(Self.sessions.count == 17)
  }

  private func keys(_ vector: Session) throws -> SessionKeys {
    SessionKeys(
      suite: try #require(CipherSuite(rawValue: vector.cipher.lowercased())),
      encryption: vector.ksEnc.bytes, authentication: vector.ksMac.bytes,
      counter: vector.ssc.bytes)
  }

  @Test(arguments: sessions)
  func publishedSession(_ vector: Session) throws {
    var session = CardSession(try keys(vector))
    for exchange in vector.exchanges {
      let command = try #require(CardCommand(splitting: exchange.protectedCmd.bytes))
      let plain = try session.open(command)
      #expect(plain.ins == exchange.command.ins && plain.p1 == exchange.command.p1)
      #expect(plain.p2 == exchange.command.p2 && plain.cla == exchange.command.cla | 0x0C)
      #expect(plain.data == exchange.command.data.bytes)
      #expect((plain.expected ?? 0) == exchange.command.ne)
      guard let response = exchange.protectedRsp?.bytes else { continue }
      // A response marked as an error was damaged on purpose: the card cannot have made it.
      guard let data = try? Hex.bytes(exchange.rspData ?? ""),
        let word = exchange.rspSw.flatMap({ UInt16($0, radix: 16) })
      else {
        let any = try session.seal(.success, oddInstruction: false)
        #expect(any + [0x90, 0] != response)
        continue
      }
      let answer = Answer(data: data, status: Status(word))
      let body = try session.seal(answer, oddInstruction: plain.ins & 1 == 1)
      #expect(body + answer.status.bytes == response, "\(vector.name)")
    }
  }

  @Test(arguments: sessions)
  func manipulatedCommandsAreRefused(_ vector: Session) throws {
    let good = try #require(vector.exchanges.first).protectedCmd.bytes
    // The outer Le at the end is not covered.
    for index in good.indices.dropLast(good[4] == 0 ? 2 : 1) {
      var bad = good
      bad[index] ^= 1
      guard let command = CardCommand(splitting: bad), command.isSecured else { continue }
      var session = CardSession(try keys(vector))
      #expect(throws: Refusal.self, "byte \(index)") { _ = try session.open(command) }
    }
    // A command does not count twice, nor the second one first.
    var session = CardSession(try keys(vector))
    let command = try #require(CardCommand(splitting: good))
    _ = try session.open(command)
    #expect(throws: Refusal.self) { _ = try session.open(command) }
  }

  /// The frame of `ias-sm.json`.
  struct IASFile: Decodable {
    let z: HexBytes
    let ksEnc: HexBytes
    let ksMac: HexBytes
    let cases: [IASCase]
  }

  struct IASCase: Decodable, Sendable {
    let name: String
    let direction: String
    let ssc: HexBytes?
    let ins: UInt8?
    let data: HexBytes?
    let ne: Int?
    let sw: String?
    let protected: HexBytes?
    let protectedStart: HexBytes?
  }

  @Test func identityApplicationMessages() throws {
    let file = try Vectors.decode("ias-sm", as: IASFile.self)
    var checked = 0
    for vector in file.cases {
      guard let counter = vector.ssc?.bytes, let protected = vector.protected?.bytes else {
        continue
      }
      var session = CardSession(
        SessionKeys(
          suite: .tripleDES, encryption: file.ksEnc.bytes, authentication: file.ksMac.bytes,
          counter: previous(counter)))
      let data = vector.data?.bytes ?? []
      switch vector.direction {
      case "command":
        let plain = try session.open(try #require(CardCommand(splitting: protected)))
        #expect(plain.data == data && plain.ins == vector.ins, "\(vector.name)")
        #expect((plain.expected ?? 0) == vector.ne, "\(vector.name)")
      case "response":
        let word = try #require(vector.sw.flatMap { UInt16($0, radix: 16) })
        let body = try session.seal(
          Answer(data: data, status: Status(word)), oddInstruction: (vector.ins ?? 0) & 1 == 1)
        #expect(body == protected, "\(vector.name)")
      default: Issue.record("unknown direction \(vector.direction)")
      }
      checked += 1
    }
    #expect(checked >= 12)
  }

  @Test func keysComeFromTheSharedSecret() throws {
    let file = try Vectors.decode("ias-sm", as: IASFile.self)
    #expect(
      try SessionKeys(identitySecret: file.z.bytes)
        == SessionKeys(
          suite: .tripleDES, encryption: file.ksEnc.bytes, authentication: file.ksMac.bytes,
          counter: [0, 0, 0, 0, 0, 0, 0, 1]))
  }

  private func previous(_ counter: [UInt8]) -> [UInt8] {
    let number = counter.reduce(0) { $0 << 8 | UInt64($1) } &- 1
    return (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }
}
