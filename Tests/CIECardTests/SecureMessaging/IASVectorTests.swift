import TestSupport
import Testing

@testable import CIECard

/// `ias-sm.json`: key derivation and single messages of the IAS application.
@Suite struct IASVectorTests {
  struct File: Decodable {
    let z: HexBytes
    let ksEnc: HexBytes
    let ksMac: HexBytes
    let cases: [Case]
  }

  struct Case: Decodable {
    let name: String
    let direction: String
    let ssc: HexBytes
    let cla: UInt8?
    let ins: UInt8?
    let p1: UInt8?
    let p2: UInt8?
    let data: HexBytes
    let ne: Int?
    let sw: String?
    let protected: HexBytes

    /// The value before the step that leads to the case's counter.
    var counter: SendSequenceCounter {
      let before = ssc.bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } - 1
      return SendSequenceCounter((0..<8).map { UInt8(truncatingIfNeeded: before >> (56 - 8 * $0)) })
    }
  }

  private let file: File

  init() throws { file = try Vectors.decode("ias-sm", as: File.self) }

  private func messaging(_ vector: Case) throws -> SecureMessaging {
    SecureMessaging(
      keys: try SessionKeys.derive(
        from: Secret(file.z.bytes), for: .tripleDES, hash: .sha256),
      counter: vector.counter)
  }

  @Test func keysAreDerived() throws {
    let keys = try SessionKeys.derive(
      from: Secret(file.z.bytes), for: .tripleDES, hash: .sha256)
    #expect(keys.encryption.withBytes { [UInt8]($0) } == file.ksEnc.bytes)
    #expect(keys.authentication.withBytes { [UInt8]($0) } == file.ksMac.bytes)
  }

  @Test func commandsAreProtected() throws {
    let commands = file.cases.filter { $0.direction == "command" }
    try #require(commands.count >= 6)
    for vector in commands {
      let ins = try #require(vector.ins)
      let p1 = try #require(vector.p1)
      let p2 = try #require(vector.p2)
      let length = vector.ne ?? 0
      let command = CommandAPDU(
        ins, p1, p2, data: vector.data.bytes, expected: length == 0 ? .none : .upTo(length),
        classByte: vector.cla ?? 0)
      var messaging = try messaging(vector)
      let bytes = try messaging.protect(command, form: .short)
      #expect(bytes == vector.protected.bytes, "\(vector.name)")
      var again = try self.messaging(vector)
      let secret = Secret(vector.data.bytes)
      #expect(try again.protect(command, secretData: secret, form: .short) == bytes)
    }
  }

  @Test func responsesAreOpened() throws {
    let responses = file.cases.filter { $0.direction == "response" }
    try #require(responses.count >= 3)
    for vector in responses {
      var messaging = try messaging(vector)
      let opened = try messaging.unprotect(
        ResponseAPDU(data: vector.protected.bytes, status: .noDiagnosis))
      #expect(opened.data == vector.data.bytes, "\(vector.name)")
      #expect(opened.status.description == vector.sw, "\(vector.name)")
    }
  }

  @Test func noChangedByteIsBelieved() throws {
    let vector = try #require(
      file.cases.first { $0.direction == "response" && !$0.data.bytes.isEmpty })
    for index in vector.protected.bytes.indices {
      for change: UInt8 in [1, 0x80, 0xFF] {
        var changed = vector.protected.bytes
        changed[index] ^= change
        var messaging = try messaging(vector)
        #expect(throws: CardError.Reason.self, "byte \(index)") {
          try messaging.unprotect(ResponseAPDU(data: changed, status: .success))
        }
      }
    }
    for length in vector.protected.bytes.indices {
      var messaging = try messaging(vector)
      #expect(throws: CardError.Reason.self, "prefix \(length)") {
        try messaging.unprotect(
          ResponseAPDU(data: [UInt8](vector.protected.bytes.prefix(length)), status: .success))
      }
    }
  }

  @Test func unprotectedAnswerIsNamedAndCloses() throws {
    let vector = try #require(file.cases.first { $0.direction == "response" })
    var messaging = try messaging(vector)
    #expect(throws: CardError.Reason.notBelieved(.unprotected(.success))) {
      try messaging.unprotect(ResponseAPDU(status: .success))
    }
    #expect(throws: CardError.Reason.notBelieved(.closed)) {
      try messaging.unprotect(ResponseAPDU(data: vector.protected.bytes, status: .success))
    }
  }

  /// A bare status word that claims no success is the end of the channel: reported as such, and later answers are not
  /// trusted.
  @Test(
    arguments: [0x6988, 0x6987, 0x6985, 0x6882, 0x6700, 0x6F00, 0x63C2, 0x6983, 0x6A82] as [UInt16])
  func bareWordEndsTheChannel(word: UInt16) throws {
    let vector = try #require(file.cases.first { $0.direction == "response" })
    var messaging = try messaging(vector)
    #expect(throws: CardError.Reason.channelEnded(StatusWord(rawValue: word))) {
      try messaging.unprotect(ResponseAPDU(status: StatusWord(rawValue: word)))
    }
    #expect(throws: CardError.Reason.channelEnded(StatusWord(rawValue: word))) {
      try messaging.unprotect(ResponseAPDU(data: vector.protected.bytes, status: .success))
    }
  }

  /// A card that claims success without a MAC does not have our keys.
  @Test(arguments: [0x9000, 0x6282, 0x6100, 0x9100] as [UInt16])
  func bareSuccessIsNotBelieved(word: UInt16) throws {
    let vector = try #require(file.cases.first { $0.direction == "response" })
    var messaging = try messaging(vector)
    let status = StatusWord(rawValue: word)
    #expect(throws: CardError.Reason.notBelieved(.unprotected(status))) {
      try messaging.unprotect(ResponseAPDU(status: status))
    }
    #expect(throws: CardError.Reason.notBelieved(.closed)) {
      try messaging.protect(CommandAPDU(0x84, 0, 0), form: .short)
    }
  }

  @Test func answerForAnotherCounterIsNotBelieved() throws {
    let vector = try #require(file.cases.first { $0.direction == "response" })
    var messaging = try messaging(vector)
    _ = try messaging.protect(CommandAPDU(0x84, 0, 0), form: .short)
    #expect(throws: CardError.Reason.notBelieved(.wrongMAC)) {
      try messaging.unprotect(ResponseAPDU(data: vector.protected.bytes, status: .success))
    }
  }
}
