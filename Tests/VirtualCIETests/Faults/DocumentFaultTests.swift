import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// A faulty travel document, seen by a terminal that checks too little.
@Suite struct DocumentFaultTests {
  @Test func aWrongTokenIsNoProof() throws {
    var terminal = TestTerminal(.gemalto, faults: FaultPlan(.wrongToken))
    #expect(throws: TestTerminal.BadProof.self) { try terminal.pace(.identityCard) }
  }

  @Test func oneDataGroupIsChangedAndNoOther() throws {
    let groups = Persona.gemalto.travelDocument.dataGroups
    var terminal = TestTerminal(.gemalto, faults: try FaultPlan(parsing: "tampered-group=11"))
    try terminal.openDocument()
    #expect(try terminal.readFile(0x0101) == groups[1])
    var changed = try #require(groups[11])
    changed[changed.count - 1] ^= 1
    #expect(try terminal.readFile(0x010B) == changed)
  }

  @Test(arguments: Persona.all.map(\.identifier))
  func foreignSecurityObject(_ name: String) throws {
    let persona = try #require(Persona.named(name))
    var terminal = TestTerminal(persona, faults: FaultPlan(.foreignSecurityObject))
    try terminal.openDocument()
    let file = try terminal.readFile(0x011D)
    #expect(file != persona.travelDocument.securityObject)
    #expect(Persona.all.contains { $0.travelDocument.securityObject == file })
  }

  @Test(arguments: Fault.PACEValue.allCases, ["gm-3des-2", "gm-aes128-13"])
  func badValues(_ value: Fault.PACEValue, _ way: String) throws {
    let profile = try #require(PACEProfile(parsing: way))
    let group = try #require(AgreementGroup(parameterIdentifier: profile.parameterIdentifier))
    var terminal = try TestTerminal(
      .gemalto, options: "pace=\(way)", faults: FaultPlan(.paceValue(value)))
    try terminal.begin(profile)
    let scalar = [UInt8](repeating: 0x21, count: group.order.count)
    let own = try group.apply(scalar, to: group.generator)
    let mapping = try terminal.value(0x81, own)
    #expect((mapping == own) == (value == .mappingReflected))
    #expect(
      (mapping != own && !group.accepts(mapping))
        == [.mappingIdentity, .mappingMinusOne, .mappingOutside].contains(value))
    let agreement = try terminal.value(0x83, own)
    #expect((agreement == own) == (value == .agreementReflected))
    #expect(
      (agreement != own && !group.accepts(agreement))
        == [.agreementIdentity, .agreementMinusOne, .agreementOutside].contains(value))
    guard value == .agreementIdentity || value == .agreementReflected else { return }
    // A terminal that continues is detected: the card knows the keys, or at least the token.
    let secret =
      profile.kind == .finiteField
      ? agreement : [UInt8](repeating: 0, count: group.prime.count)
    let keys = try SessionKeys(documentSecret: secret, profile.suite)
    let run = PACERun(profile: profile, group: group, password: .can)
    let token = try run.token(over: agreement, keys)
    let (data, status) = try terminal.send(terminal.authenticate(0, (0x85, token)))
    #expect(status == 0x9000)
    let reflected = try #require(BERObject.single(0x7C, data)).value == [0x86, 8] + token
    #expect(reflected == (value == .agreementReflected))
    guard value == .agreementIdentity else { return }
    terminal.begin(keys)
    try terminal.selectDocument()
  }

  @Test func theTextFormNamesFaultAndMoment() throws {
    let plan = try FaultPlan(
      parsing: "wrong-token,pace-value=agreement-reflected@86:3,tampered-group=2")
    #expect(
      plan.entries.map(\.fault)
        == [.wrongToken, .paceValue(.agreementReflected), .tamperedGroup(2)])
    for bad in ["pace-value", "pace-value=one", "tampered-group=0", "tampered-group=17"] {
      let name = String(bad.prefix { $0 != "=" })
      #expect(throws: FaultPlan.ParsingError.badValue(name)) { try FaultPlan(parsing: bad) }
    }
  }
}

extension TestTerminal {
  /// MSE and the nonce.
  fileprivate mutating func begin(_ profile: PACEProfile) throws {
    let select =
      BERObject.encode(0x80, profile.objectIdentifier) + BERObject.encode(0x83, [2])
    _ = try send([0, 0x22, 0xC1, 0xA4, UInt8(select.count)] + select)
    try expect("10860000027C0000")
  }

  /// Sends a public value and returns that of the card.
  fileprivate mutating func value(_ tag: UInt32, _ value: [UInt8]) throws -> [UInt8] {
    let (data, status) = try send(authenticate(0x10, (tag, value)))
    #expect(status == 0x9000)
    let template = try #require(BERObject.single(0x7C, data))
    return try #require(BERObject.single(tag + 1, template.value)).value
  }
}
