import TestSupport
import Testing

@testable import CIECard

/// The terminal's side against published exchanges: Doc 9303-11 appendix D.4 and this project's other sessions.
@Suite struct TravelDocumentVectorTests {
  struct Session: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let ksEnc: HexBytes
    let ksMac: HexBytes
    let ssc: HexBytes
    let exchanges: [Exchange]
    var testDescription: String { name }
  }

  struct Exchange: Decodable, Sendable {
    let command: Command
    let protectedCmd: HexBytes
    let protectedRsp: HexBytes
    let rspData: String
    let rspSw: String
  }

  struct Command: Decodable, Sendable {
    let cla: UInt8
    let ins: UInt8
    let p1: UInt8
    let p2: UInt8
    let data: HexBytes
    let ne: Int

    var apdu: CommandAPDU {
      CommandAPDU(
        ins, p1, p2, data: data.bytes, expected: ne == 0 ? .none : .upTo(ne), classByte: cla)
    }
  }

  @Test(arguments: try Vectors.cases("sm-3des", of: Session.self))
  func session(_ session: Session) throws {
    var messaging = SecureMessaging(
      keys: SessionKeys(
        encryption: Secret(session.ksEnc.bytes), authentication: Secret(session.ksMac.bytes)),
      counter: SendSequenceCounter(
        cardChallenge: [UInt8](session.ssc.bytes.prefix(4)),
        terminalChallenge: [UInt8](session.ssc.bytes.suffix(4))),
      profile: .travelDocument)
    for exchange in session.exchanges {
      #expect(
        try messaging.protect(exchange.command.apdu, form: .short) == exchange.protectedCmd.bytes)
      let answer = try ResponseAPDU(exchange.protectedRsp.bytes)
      if exchange.rspData == "error" {
        #expect(throws: CommandError.self) { try messaging.unprotect(answer) }
        #expect(throws: CommandError.secureMessaging(.closed)) { try messaging.unprotect(answer) }
        return
      }
      let opened = try messaging.unprotect(answer)
      #expect(opened.data == (try Hex.bytes(exchange.rspData)))
      #expect(opened.status.description == exchange.rspSw)
    }
  }
}
