import Testing
import VirtualCIE

@testable import CIECard
@testable import CiePKCS11

/// Objects and signatures.
@Suite(.timeLimit(.minutes(20))) struct SigningTests {
  @Test func `before the login no object is visible, after it three are`() throws {
    let desk = Desk()
    let session = try desk.open()
    #expect(try desk.find(session) == [])
    try desk.logIn(session)
    #expect(try desk.find(session) == [1, 2, 3])
    // Public data stay known as long as the card stays.
    try desk.module.logOut(session)
    #expect(try desk.find(session) == [1, 2])
    #expect(throws: ReturnValue.objectHandleInvalid) {
      try desk.module.with { (tables) throws(ReturnValue) in _ = try tables.object(session, 3) }
    }
  }

  @Test func `the objects match the certificate`() throws {
    let certificate = try Certificate(der: Persona.gemalto.certificate)
    let objects = try #require(TokenObjects(certificate)).all
    let fields = try #require(certificate.encodedFields)
    #expect(objects[0].value(of: AttributeType.value.rawValue) == .bytes(certificate.der))
    #expect(objects[0].value(of: AttributeType.issuer.rawValue) == .bytes(fields.issuer))
    #expect(fields.serialNumber.suffix(8) == bytes(certificate.serial))
    let identifiers = Set(
      objects.map { "\(String(describing: $0.value(of: AttributeType.id.rawValue)))" })
    #expect(identifiers.count == 1)
    for secret in [AttributeType.privateExponent, .prime1, .coefficient] {
      #expect(objects[2].value(of: secret.rawValue) == .sensitive)
      #expect(objects[1].value(of: secret.rawValue) == nil)
    }
    #expect(objects[1].value(of: AttributeType.modulusBits.rawValue) == .number(2048))
    #expect(objects[2].value(of: .max) == nil)
  }

  @Test(arguments: SigningMechanism.allCases)
  func `every mechanism signs, at once and in pieces`(_ mechanism: SigningMechanism) throws {
    let desk = Desk(.itj4)
    let session = try desk.open()
    try desk.logIn(session)
    let data = [UInt8](repeating: 7, count: 60)
    let certificate = try Certificate(der: desk.persona.certificate)
    for pieces in [1, 3] {
      try desk.module.beginSignature(session, mechanism: mechanism.rawValue, key: 3)
      let operation = try desk.module.signature(session)
      for _ in 0..<pieces { try operation.add(Array(data.prefix(60 / pieces))) }
      let signature = try desk.module.sign(session)
      if let algorithm = mechanism.digest {
        let digest = try Digest(algorithm, hashing: data)
        #expect(
          certificate.verify(
            signature: signature, digest: digest.bytes, algorithm: algorithm.hash))
      } else if case .rsa(let key) = certificate.publicKey {
        #expect(key.openPKCS1Type1(signature) == data)
      }
    }
  }

  @Test func `oversized input is refused, and ends only the signature`() throws {
    let desk = Desk()
    let session = try desk.open()
    try desk.logIn(session)
    for count in [0, 103, 300] {
      #expect(throws: ReturnValue.dataLenRange) {
        _ = try desk.sign(session, [UInt8](repeating: 1, count: count))
      }
      desk.module.abandonSignature(session)
    }
    _ = try desk.sign(session, [UInt8](repeating: 1, count: 102))
  }

  @Test func `mechanisms, keys and operations are checked`() throws {
    let desk = Desk()
    let session = try desk.open()
    func begin(_ mechanism: UInt, _ key: UInt) throws {
      try desk.module.beginSignature(session, mechanism: mechanism, key: key)
    }
    #expect(throws: ReturnValue.userNotLoggedIn) { try begin(1, 3) }
    try desk.logIn(session)
    #expect(throws: ReturnValue.mechanismInvalid) { try begin(3, 3) }
    #expect(throws: ReturnValue.keyHandleInvalid) { try begin(1, 4) }
    #expect(throws: ReturnValue.keyFunctionNotPermitted) { try begin(1, 2) }
    #expect(throws: ReturnValue.operationNotInitialized) { _ = try desk.module.sign(session) }
    try begin(1, 3)
    #expect(throws: ReturnValue.operationActive) { try begin(1, 3) }
    #expect(throws: ReturnValue.sessionHandleInvalid) { _ = try desk.module.signature(99) }
  }

  @Test func `a signature that does not verify is withheld, and ends the login`() throws {
    let desk = Desk(faults: try FaultPlan(parsing: "wrong-signature"))
    let session = try desk.open()
    try desk.logIn(session)
    #expect(throws: ReturnValue.deviceError) { _ = try desk.sign(session, [1]) }
    #expect(try desk.module.session(session).state == 2)
  }

  @Test func `login on one thread, signatures on others`() async throws {
    let desk = Desk()
    let session = try desk.open()
    try desk.logIn(session)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let own = try desk.open()
          for _ in 0..<5 { _ = try desk.sign(own, [1, 2, 3]) }
          try desk.module.closeSession(own)
        }
      }
      try await group.waitForAll()
    }
    #expect(desk.card.log.counters.holderSignatures == 40)
    #expect(desk.verifications == 1)
  }

  @Test func `names of return values are those of the standard`() {
    #expect(ReturnValue.pinIncorrect.name == "CKR_PIN_INCORRECT")
    #expect(ReturnValue.slotIDInvalid.name == "CKR_SLOT_ID_INVALID")
    #expect(ReturnValue.randomNoRNG.name == "CKR_RANDOM_NO_RNG")
    #expect(ReturnValue.ok.name == "CKR_OK")
  }

  private func bytes(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.count, by: 2).compactMap {
      UInt8(text.dropFirst($0).prefix(2), radix: 16)
    }
  }
}
