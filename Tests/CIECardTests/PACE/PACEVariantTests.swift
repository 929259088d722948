import Traces
import TestSupport
import Testing

@testable import CIECard
@testable import VirtualCIE

/// Our terminal against our card in every standardised variant of PACE. Both ends were verified separately, against
/// published runs and independent peers; here they meet in all combinations.
@Suite struct PACEVariantTests {
  /// The text forms of all profiles that the standard knows: mapping, cipher, number of the domain parameters.
  static let profiles = ["gm", "im", "cam"].flatMap { mapping in
    ["3des", "aes128", "aes192", "aes256"].flatMap { cipher in
      (UInt8(0)...18).map { "\(mapping)-\(cipher)-\($0)" }
    }
  }.filter { PACEProfile(parsing: $0) != nil }

  private func open(
    _ persona: Persona, _ options: String, _ code: Trace.DocumentCode? = nil,
    reader: ChannelTraits.ExtendedLength = DocumentJourneys.extendedReader
  ) throws -> (values: [Trace.Expectation.Value], log: CardLog) {
    let card = VirtualCard(persona: persona, options: try CardOptions(parsing: options))
    let visit = Trace.DocumentVisit(
      code: code ?? DocumentJourneys.can(of: persona), tasks: [.read(.group(.dg1))])
    let values = try DocumentJourneys.run(.travelDocument(visit), on: card, reader: reader)
    return (values, card.log)
  }

  private func expectDG1(
    _ values: [Trace.Expectation.Value], of persona: Persona, _ name: String
  ) throws {
    let file = try #require(persona.travelDocument.dataGroups[1])
    let hash = try HashAlgorithm.sha256.hash(file)
    #expect(values.last == .fileHash(name: "dg1", hash: hash), "\(name)")
  }

  @Test func thereAreAsManyAsTheStandardHas() {
    // GM and IM: 3 fields and 11 curves, P-224 not with IM; CAM: curves and AES only.
    #expect(Self.profiles.count == 14 * 4 + 13 * 4 + 11 * 3)
  }

  @Test(arguments: profiles) func opens(text: String) throws {
    let profile = try #require(PACEProfile(parsing: text))
    let persona = Persona.gemalto
    let document = try persona.travelDocument.withStaticKey(on: profile.parameterIdentifier)
    for code in [DocumentJourneys.can(of: persona), DocumentJourneys.mrz(of: persona)] {
      let visit = Trace.DocumentVisit(code: code, tasks: [.read(.group(.dg1))])
      let card = VirtualCard(
        persona: persona, travelDocument: document, random: SystemRandom(),
        options: try CardOptions(parsing: "pace=\(text),no-bac"))
      let values = try DocumentJourneys.run(.travelDocument(visit), on: card)
      #expect(values.contains(.chipMapping("proved")) == (profile.mapping == .chipAuthentication))
      try expectDG1(values, of: persona, text)
      guard case .access(let name)? = values.first else {
        Issue.record("no access")
        continue
      }
      let parts = text.split(separator: "-").map { $0.uppercased() }
      #expect(name.contains("-\(parts[0])-"))
      #expect(name.contains(profile.parameterIdentifier < 8 ? "-DH-" : "-ECDH-"))
      #expect(name.contains(parts[1].hasPrefix("AES") ? parts[1].suffix(3) : "3DES"))
    }
  }

  /// A chip that maps with another key than EF.CardSecurity names opens, and is detected.
  @Test(arguments: [UInt8(8), 12, 18]) func wrongMappingKey(number: UInt8) throws {
    let card = VirtualCard(
      persona: .gemalto,
      travelDocument: try Persona.gemalto.travelDocument.withStaticKey(on: number),
      random: SystemRandom(), faults: FaultPlan(.wrongChipAuthenticationKey),
      options: try CardOptions(parsing: "pace=cam-aes128-\(number)"))
    let visit = Trace.DocumentVisit(code: DocumentJourneys.can(of: .gemalto), tasks: [])
    let values = try DocumentJourneys.run(.travelDocument(visit), on: card)
    #expect(values.last == .chipMapping("failed"))
  }

  @Test(arguments: ["nonce=8", "nonce=16", "parameter-required", "pace=gm-aes128-13+gm-aes128-12"])
  func cardsDiffer(options: String) throws {
    let (values, log) = try open(.gemalto, options)
    try expectDG1(values, of: .gemalto, options)
    let selections = log.entries.filter { $0.instruction == 0x22 }
    #expect(selections.count == (options == "parameter-required" ? 2 : 1))
  }

  /// AES before 3DES, in any order of the file.
  @Test func strongerCipherIsPreferred() throws {
    let (values, _) = try open(.gemalto, "pace=gm-3des-2+gm-aes256-16")
    #expect(values.first == .access("id-PACE-ECDH-GM-AES-CBC-CMAC-256"))
  }

  /// A variant that the reader does not carry is not chosen if there is another.
  @Test func readerDecidesToo() throws {
    let (values, _) = try open(.gemalto, "pace=gm-aes128-2+gm-3des-12", reader: .notCarried)
    #expect(values.first == .access("id-PACE-ECDH-GM-3DES-CBC-CBC"))
  }

  @Test(arguments: [UInt8(1), 2])
  func longKeysNeedExtendedLength(number: UInt8) throws {
    let options = "pace=gm-3des-\(number)"
    #expect(throws: CardError(.openAccess, .extendedLengthNeeded(nil))) {
      try open(.gemalto, options, reader: .notCarried)
    }
    let error = #expect(throws: CardError.self) {
      try open(.gemalto, options + ",no-extended-length")
    }
    #expect(error == CardError(.openAccess, .extendedLengthNeeded(.wrongLength)))
    // The zone still opens it by Basic Access Control.
    let (values, _) = try open(
      .gemalto, options + ",no-extended-length", DocumentJourneys.mrz(of: .gemalto))
    #expect(values.first == .access("BAC"))
  }

  @Test func shortKeysDoNot() throws {
    let (values, _) = try open(.gemalto, "pace=gm-3des-0,no-extended-length", reader: .notCarried)
    #expect(values.first == .access("id-PACE-DH-GM-3DES-CBC-CBC"))
  }

  @Test(arguments: Persona.all.map(\.identifier))
  func wrongNumber(identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    #expect(throws: CardError(.openAccess, .wrongAccessCode(.can, triesLeft: nil))) {
      try open(persona, "failure-delay=0", .can("123456"))
    }
    #expect(throws: CardError(.openAccess, .wrongAccessCode(.can, triesLeft: 1))) {
      try open(persona, "shown-tries=2", .can("123456"))
    }
    #expect(throws: CardError(.openAccess, .wrongAccessCode(.mrz, triesLeft: nil))) {
      try open(
        persona, "failure-delay=0",
        .mrz(number: persona.documentNumber, birth: "500101", expiry: persona.expiryDate))
    }
  }

  /// Basic Access Control does not name the wrong part.
  @Test func wrongZone() throws {
    let error = #expect(throws: CardError.self) {
      try open(
        .gemalto, "no-card-access",
        .mrz(number: "CA00000AA", birth: "500101", expiry: "350101"))
    }
    #expect(error == CardError(.openAccess, .wrongAccessCode(.mrz, triesLeft: nil)))
  }

  /// Without EF.CardAccess a card access number cannot open the document, and no command is spent on it.
  @Test func numberWithoutPACE() throws {
    let card = VirtualCard(
      persona: .gemalto, options: try CardOptions(parsing: "no-card-access"))
    let visit = Trace.DocumentVisit(code: DocumentJourneys.can(of: .gemalto), tasks: [])
    #expect(throws: CardError(.openAccess, .noAccessProtocol)) {
      try DocumentJourneys.run(.travelDocument(visit), on: card)
    }
    #expect(!card.log.entries.contains { [0x22, 0x86, 0x82].contains($0.instruction) })
  }
}
