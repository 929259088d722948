import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// The client of this project, written independently, opens the card; both ends together.
@Suite struct OwnClientTests {
  private func open(
    _ card: VirtualCard, extendedLength: ChannelTraits.ExtendedLength = .unknown
  ) throws -> TravelDocument<VirtualCardChannel> {
    var random = SeededRandom(seed: "client")
    let channel = VirtualCardChannel(card, extendedLength: extendedLength)
    return try IdentityCard(over: channel)
      .openTravelDocument(
        with: AccessCode(can: Secret([UInt8](card.persona.can.utf8))), random: &random)
  }

  private func card(_ persona: Persona, _ options: String, _ faults: String? = nil) throws
    -> VirtualCard
  {
    VirtualCard(
      persona: persona, random: SeededRandom(seed: "card"),
      faults: try faults.map(FaultPlan.init(parsing:)) ?? FaultPlan(),
      options: try CardOptions(parsing: options))
  }

  @Test(arguments: PACETests.profiles.filter { $0.mapping != .chipAuthentication })
  func everyWayOfPACE(_ profile: PACEProfile) throws {
    var options = CardOptions()
    options.paceProfiles = [profile]
    let card = VirtualCard(
      persona: .gemalto, random: SeededRandom(seed: "card"), options: options)
    var document = try open(card)
    #expect(try document.read(.dg11) == Persona.gemalto.travelDocument.dataGroups[11])
  }

  /// A library user's first code, without options.
  @Test(arguments: Persona.everyone.map(\.identifier))
  func theChannelAsItComes(_ name: String) throws {
    let persona = try #require(Persona.named(name))
    var random = SeededRandom(seed: "client")
    var document = try IdentityCard(over: VirtualCardChannel(persona: persona))
      .openTravelDocument(
        with: AccessCode(can: Secret([UInt8](persona.can.utf8))), random: &random)
    #expect(document.access != .basic)
    #expect(try document.read(.dg1) == persona.travelDocument.dataGroups[1])
  }

  @Test(arguments: Persona.all.map(\.identifier), ["short", "extended"])
  func everyPersona(_ name: String, _ length: String) throws {
    let persona = try #require(Persona.named(name))
    let card = VirtualCard(persona: persona, random: SeededRandom(seed: "card"))
    var document = try open(
      card, extendedLength: length == "short" ? .unknown : .carried(maximumDataLength: 65_536))
    #expect(try document.read(.dg1) == persona.travelDocument.dataGroups[1])
    #expect(try document.read(.dg2) == persona.travelDocument.dataGroups[2])
    #expect(try document.readSecurityObject() == persona.travelDocument.securityObject)
    #expect(throws: CardError.self) { _ = try document.read(.dg3) }
    if persona.identifier == "unknown" { #expect(document.chipMapping == .proved) }
    // The other side of the card, in the same contact.
    var random = SeededRandom(seed: "client again")
    _ = try document.endSession().authenticate(checking: .skipped, random: &random)
  }

  @Test(
    arguments: [
      "wrong-token", "pace-value=mapping-identity", "pace-value=mapping-minus-one",
      "pace-value=mapping-reflected", "pace-value=mapping-outside", "pace-value=agreement-identity",
      "pace-value=agreement-minus-one", "pace-value=agreement-reflected",
      "pace-value=agreement-outside",
    ], ["pace=gm-3des-2", "pace=gm-aes256-16"])
  func badCardsAreNotOpened(_ fault: String, _ options: String) throws {
    let card = try card(.gemalto, options, fault)
    #expect(throws: CardError.self) { _ = try open(card) }
  }

  @Test(arguments: ["64:shorter", "64:6cxx", "200:shorter", "200:6cxx"])
  func readLimits(_ limit: String) throws {
    let card = try card(.st, "read-limit=\(limit)")
    var document = try open(card)
    #expect(try document.read(.dg11) == Persona.st.travelDocument.dataGroups[11])
  }

  @Test(arguments: ["parameter-required", "nonce=8", "shown-tries=3"])
  func variants(_ options: String) throws {
    var document = try open(card(.nxp, options))
    #expect(try document.read(.dg1) == Persona.nxp.travelDocument.dataGroups[1])
  }

  @Test func theWrongKeyProvesNothing() throws {
    let card = try VirtualCard(
      persona: .unknown, faults: FaultPlan(parsing: "wrong-chip-authentication-key"))
    let document = try open(card)
    #expect(document.chipMapping == .failed)
  }

  @Test func theClientOpensItByBasicAccess() throws {
    let persona = Persona.gemalto
    var random = SeededRandom(seed: "client")
    let zone = try MRZ(text: persona.mrzLines.joined(separator: "\n"))
    var document = try IdentityCard(over: VirtualCardChannel(card(persona, "no-card-access")))
      .openTravelDocument(with: AccessCode(mrz: MRZ.Information(zone)), random: &random)
    #expect(document.access == .basic)
    #expect(try document.read(.dg1) == persona.travelDocument.dataGroups[1])
  }
}
