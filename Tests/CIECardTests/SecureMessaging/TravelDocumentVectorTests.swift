import TestSupport
import Testing

@testable import CIECard

/// The terminal's side against published exchanges: Doc 9303-11 appendix D.4 and this project's other sessions.
@Suite struct TravelDocumentVectorTests {
  struct Session: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let cipher: String
    let ksEnc: HexBytes
    let ksMac: HexBytes
    let ssc: HexBytes
    let exchanges: [Exchange]
    var testDescription: String { name }
  }

  struct Exchange: Decodable, Sendable {
    let command: Command
    let protectedCmd: HexBytes
    let protectedRsp: HexBytes?
    let rspData: String?
    let rspSw: String?
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

  @Test(
    arguments: try Vectors.cases("sm-3des", of: Session.self)
      + Vectors.cases("sm-aes", of: Session.self))
  func session(_ session: Session) throws {
    var messaging = SecureMessaging(
      keys: SessionKeys(
        cipher: try SessionCipher(name: session.cipher), encryption: Secret(session.ksEnc.bytes),
        authentication: Secret(session.ksMac.bytes)),
      counter: SendSequenceCounter(session.ssc.bytes), profile: .travelDocument)
    for exchange in session.exchanges {
      let isExtended = exchange.command.ne > 256
      #expect(
        try messaging.protect(
          exchange.command.apdu, form: isExtended ? .extended(maximumResponse: 65_536) : .short)
          == exchange.protectedCmd.bytes)
      // The cases from AusweisApp's tests are commands only.
      guard let protected = exchange.protectedRsp else { continue }
      let answer = try ResponseAPDU(protected.bytes)
      if exchange.rspData == "error" {
        let end = #expect(throws: CardError.Reason.self) { try messaging.unprotect(answer) }
        // The next command reports the card's own status word, if it ended the channel with one.
        var next = CardError.Reason.notBelieved(.closed)
        if case .channelEnded = end { next = end ?? next }
        #expect(throws: next) { try messaging.unprotect(answer) }
        return
      }
      let opened = try messaging.unprotect(answer)
      #expect(opened.data == (try Hex.bytes(try #require(exchange.rspData))))
      #expect(opened.status.description == exchange.rspSw)
    }
  }

  /// The capacity of one short answer: one byte more would need another block, which no longer fits.
  @Test(arguments: zip(SessionCipher.allCases, [231, 223, 223, 223]))
  func shortBlocks(cipher: SessionCipher, expected: Int) throws {
    let key = { Secret([UInt8](repeating: 1, count: cipher.keyLength)) }
    var messaging = SecureMessaging(
      keys: SessionKeys(cipher: cipher, encryption: key(), authentication: key()),
      counter: SendSequenceCounter(for: cipher), profile: .travelDocument)
    #expect(messaging.maximumShortRead == expected)
    let longest = CommandAPDU(
      0xB0, 0, 0, data: [UInt8](repeating: 0, count: messaging.maximumShortData),
      expected: .upTo(256))
    #expect(try messaging.protect(longest, form: .short).count <= 5 + 255 + 1)
    let longer = CommandAPDU(
      0xB0, 0, 0, data: [UInt8](repeating: 0, count: messaging.maximumShortData + 1),
      expected: .upTo(256))
    #expect(throws: CardError.Reason.self) { try messaging.protect(longer, form: .short) }
  }
}

extension SessionCipher {
  /// The cipher that a vector file names.
  init(name: String) throws {
    switch name {
    case "3DES": self = .tripleDES
    case "AES128", "AES-128": self = .aes128
    case "AES192", "AES-192": self = .aes192
    case "AES256", "AES-256": self = .aes256
    default: throw UnknownCipher(name: name)
    }
  }

  struct UnknownCipher: Error {
    let name: String
  }
}

/// Key derivation for every cipher (Doc 9303-11 §9.7.1).
@Suite struct KeyDerivationTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let cipher: String
    let secret: HexBytes
    let counter: Int
    let key: HexBytes
    var testDescription: String { name }
  }

  @Test(arguments: try Vectors.cases("kdf", of: Case.self))
  func published(_ vector: Case) throws {
    let cipher = try SessionCipher(name: vector.cipher)
    let secret = Secret(vector.secret.bytes)
    let keys = try SessionKeys.derive(from: secret, for: cipher, hash: cipher.derivationHash)
    let key =
      switch vector.counter {
      case 1: keys.encryption.withBytes { [UInt8]($0) }
      case 2: keys.authentication.withBytes { [UInt8]($0) }
      default:
        try SessionKeys.derivePasswordKey(from: secret, for: cipher).withBytes { [UInt8]($0) }
      }
    #expect(key == vector.key.bytes)
  }
}
