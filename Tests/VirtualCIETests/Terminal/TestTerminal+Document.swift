import CIECard
import Testing

@testable import VirtualCIE

extension TestTerminal {
  /// A card of a persona with options, and its travel document changed.
  init(
    _ persona: Persona, options: String, faults: FaultPlan = FaultPlan(),
    document change: (inout TravelDocumentData) -> Void = { _ in }
  ) throws {
    var document = persona.travelDocument
    change(&document)
    self.init(
      VirtualCard(
        persona: persona, travelDocument: document, random: SeededRandom(seed: "card"),
        faults: faults, options: try CardOptions(parsing: options)))
  }

  /// Both sides of a run of PACE as the terminal saw it.
  struct PACERecord {
    var mappingValue: [UInt8] = []
    var cardValue: [UInt8] = []
    var objects: [BERObject] = []
  }

  /// Runs PACE to its end, after which secure messaging is on.
  ///
  /// - Parameter password: f(π); the CAN when absent.
  @discardableResult
  mutating func pace(
    _ profile: PACEProfile, reference: UInt8 = 2, password: [UInt8]? = nil,
    parameter: Bool = false
  ) throws -> PACERecord {
    var record = PACERecord()
    let group = try #require(AgreementGroup(parameterIdentifier: profile.parameterIdentifier))
    let suite = profile.suite
    var random = SeededRandom(seed: "terminal")
    var select =
      BERObject.encode(0x80, profile.objectIdentifier) + BERObject.encode(0x83, [reference])
    if parameter { select += BERObject.encode(0x84, [profile.parameterIdentifier]) }
    let warning = try send([0, 0x22, 0xC1, 0xA4, UInt8(select.count)] + select).status
    // 63Cx reports spent tries.
    guard warning == 0x9000 || warning & 0xFFF0 == 0x63C0 else { throw Refused(status: warning) }
    let password = password ?? [UInt8](card.persona.can.utf8)
    let key = Secret(try suite.derive(password, .password))
    let nonce = try suite.decrypt(step(0x10, nil, 0x80), key: key)

    var generator: [UInt8]
    if profile.mapping == .integrated {
      let own = try random.bytes(suite.keyLength)
      #expect(try step(0x10, (0x81, own), 0x82) == [])
      generator = try IntegratedMapping(suite: suite, group: group)
        .generator(nonce: nonce, terminalNonce: own)
    } else {
      let scalar = try group.scalar(from: &random)
      record.mappingValue = try step(
        0x10, (0x81, group.apply(scalar, to: group.generator)), 0x82)
      generator = try group.combine(
        group.apply(nonce, to: group.generator), group.apply(scalar, to: record.mappingValue))
    }
    let scalar = try group.scalar(from: &random)
    let own = try group.apply(scalar, to: generator)
    record.cardValue = try step(0x10, (0x83, own), 0x84)
    let agreed = try SessionKeys(
      documentSecret: group.sharedSecret(group.apply(scalar, to: record.cardValue)), suite)
    let run = PACERun(profile: profile, group: group, password: .can)
    let token = try run.token(over: record.cardValue, agreed)
    let (data, status) = try send(authenticate(0x00, (0x85, token)))
    guard status == 0x9000 else { throw Refused(status: status) }
    let template = try #require(BERObject.single(0x7C, data))
    record.objects = try #require(BERObject.list(template.value))
    guard try record.objects.first?.value == run.token(over: own, agreed) else {
      throw BadProof()
    }
    begin(agreed)
    return record
  }

  /// Basic access control in the travel-document application.
  mutating func basicAccess(mrzInformation: String) throws {
    try expect("00A4040C07A0000002471001")
    let challenge = try expect("0084000008")
    let suite = CipherSuite.tripleDES
    let seed = [UInt8](try HashAlgorithm.sha1.hash([UInt8](mrzInformation.utf8)).prefix(16))
    let encryption = try suite.derive(seed, .encryption)
    let authentication = try suite.derive(seed, .authentication)
    let own = [UInt8](0..<24)
    let text = try suite.encrypt(
      [UInt8](own.prefix(8)) + challenge + own.suffix(16), key: Secret(encryption))
    let mac = try suite.mac(suite.pad(text), key: Secret(authentication))
    let (data, status) = try send([0, 0x82, 0, 0, 40] + text + mac + [40])
    guard status == 0x9000 else { throw Refused(status: status) }
    let answer = try suite.decrypt([UInt8](data.prefix(32)), key: Secret(encryption))
    try #require([UInt8](answer.prefix(16)) == challenge + [UInt8](own.prefix(8)))
    begin(
      try SessionKeys(
        documentSecret: zip(answer.suffix(16), own.suffix(16)).map { $0 ^ $1 }, suite,
        counter: challenge.suffix(4) + own[4..<8]))
  }

  /// Opens the travel document with its first variant of PACE and selects its application.
  mutating func openDocument() throws {
    let announced = PACEProfile.announced(in: card.persona.travelDocument.cardAccess)
    try pace(try #require(announced.first))
    try selectDocument()
  }

  mutating func selectDocument() throws {
    try succeed(secure([0, 0xA4, 4, 0x0C], Application.travelDocumentAID))
  }

  /// One file under secure messaging, by its number, until the card reports its end.
  mutating func readFile(_ identifier: UInt16) throws -> [UInt8] {
    try succeed(
      secure([0, 0xA4, 2, 0x0C], [UInt8(identifier >> 8), UInt8(identifier & 0xFF)]))
    var content: [UInt8] = []
    while content.count < 0x8000 {
      let (block, status) = try secure(
        [0, 0xB0, UInt8(content.count >> 8), UInt8(content.count & 0xFF)], le: 0)
      guard status == 0x9000 || status == 0x6282, !block.isEmpty else { break }
      content += block
      if status == 0x6282 { break }
    }
    return content
  }

  /// Continues with other keys.
  mutating func begin(_ agreed: SessionKeys) {
    suite = agreed.suite
    keys = (agreed.encryption, agreed.authentication)
    counter = agreed.counter.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The card refused.
  struct Refused: Error, Equatable { let status: UInt16 }

  /// GENERAL AUTHENTICATE in the length form that it needs.
  func authenticate(_ cla: UInt8, _ object: (tag: UInt32, value: [UInt8])?) -> [UInt8] {
    let data = BERObject.encode(
      0x7C, object.map { BERObject.encode($0.tag, $0.value) } ?? [])
    return data.count <= 255
      ? [cla, 0x86, 0, 0, UInt8(data.count)] + data + [0]
      : [cla, 0x86, 0, 0, 0, UInt8(data.count >> 8), UInt8(data.count & 0xFF)] + data + [0, 0]
  }

  private mutating func step(
    _ cla: UInt8, _ object: (tag: UInt32, value: [UInt8])?, _ expected: UInt32
  ) throws -> [UInt8] {
    let (data, status) = try send(authenticate(cla, object))
    guard status == 0x9000 else { throw Refused(status: status) }
    let template = try #require(BERObject.single(0x7C, data))
    let answer = try #require(BERObject.single(expected, template.value))
    return answer.value
  }

  private func succeed(_ response: (data: [UInt8], status: UInt16)) throws {
    guard response.status == 0x9000 else { throw Refused(status: response.status) }
  }
}
