import CIECard
import Traces
import TestSupport
import Testing

@testable import VirtualCIE

/// The travel document of every persona over the software card in this process: each protocol, each file, each proof,
/// and back to the other side of the card in the same contact.
@Suite struct DocumentJourneyTests {
  private static let personas = Persona.all.map(\.identifier)

  private func whole(
    _ persona: Persona, _ code: Trace.DocumentCode, options: String? = nil,
    reader: ChannelTraits.ExtendedLength = DocumentJourneys.extendedReader
  ) throws -> [Trace.Expectation.Value] {
    let visit = Trace.DocumentVisit(
      code: code, tasks: try DocumentJourneys.everything(in: persona),
      readsServicesNumberAfterwards: true)
    let options = try options.map { try CardOptions(parsing: $0) } ?? CardOptions()
    return try DocumentJourneys.run(
      .travelDocument(visit), on: VirtualCard(persona: persona, options: options), reader: reader)
  }

  @Test(arguments: personas) func cardAccessNumber(identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let found = try whole(persona, DocumentJourneys.can(of: persona))
    #expect(
      try found
        == DocumentJourneys.findings(
          in: persona, access: DocumentJourneys.usualAccess(of: persona),
          mapping: identifier == "unknown"))
  }

  @Test(arguments: personas) func machineReadableZone(identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let found = try whole(persona, DocumentJourneys.mrz(of: persona))
    #expect(
      try found
        == DocumentJourneys.findings(
          in: persona, access: DocumentJourneys.usualAccess(of: persona),
          mapping: identifier == "unknown"))
  }

  /// Without EF.CardAccess, or with a reader that does not carry the only PACE on offer.
  @Test(arguments: personas, [true, false])
  func basicAccess(identifier: String, omitsCardAccess: Bool) throws {
    let persona = try #require(Persona.named(identifier))
    let code = DocumentJourneys.mrz(of: persona)
    let options = omitsCardAccess ? "no-card-access" : "pace=gm-3des-2"
    let reader = omitsCardAccess ? DocumentJourneys.extendedReader : .notCarried
    guard persona.travelDocument.allowsBasicAccess else {
      let error = #expect(throws: CardError.self) {
        try whole(persona, code, options: options, reader: reader)
      }
      #expect(error?.step == .openAccess)
      return
    }
    let found = try whole(persona, code, options: options, reader: reader)
    var expected = try DocumentJourneys.findings(in: persona, access: "BAC")
    // The public value of a static key over 2048 bits needs a long command, too.
    if !omitsCardAccess, ["gemalto", "gemalto2"].contains(identifier) {
      expected = expected.map {
        if case .chipAuthentication = $0 {
          .chipAuthentication("extended-length-needed")
        } else {
          $0
        }
      }
    }
    #expect(found == expected)
  }

  /// On a curve the whole document is read in short commands, on every chip.
  @Test(arguments: personas) func shortCommands(identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let card = VirtualCard(
      persona: persona, options: try CardOptions(parsing: "pace=gm-aes128-13"))
    let visit = Trace.DocumentVisit(
      code: DocumentJourneys.can(of: persona),
      tasks: [.read(.securityObject), .read(.group(.dg1)), .read(.group(.dg2))])
    let found = try DocumentJourneys.run(.travelDocument(visit), on: card, reader: .notCarried)
    #expect(found.first == .access("id-PACE-ECDH-GM-AES-CBC-CMAC-128"))
    let portrait = try HashAlgorithm.sha256.hash(
      #require(persona.travelDocument.dataGroups[2]))
    #expect(found.last == .fileHash(name: "dg2", hash: portrait))
    #expect(card.log.entries.allSatisfy { $0.commandLength <= 261 && $0.responseLength <= 258 })
  }

  @Test(arguments: personas) func shortReaderIsToldOf(identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let card = VirtualCard(
      persona: persona, options: try CardOptions(parsing: "pace=gm-3des-2"))
    let visit = Trace.DocumentVisit(code: DocumentJourneys.can(of: persona), tasks: [])
    #expect(throws: CardError(.openAccess, .extendedLengthNeeded(nil))) {
      try DocumentJourneys.run(.travelDocument(visit), on: card, reader: .notCarried)
    }
  }

  /// Every possible proof of a persona's document succeeds, with the portrait and from either code.
  @Test(arguments: personas, [true, false])
  func authenticity(identifier: String, opensWithZone: Bool) throws {
    let persona = try #require(Persona.named(identifier))
    let code =
      opensWithZone ? DocumentJourneys.mrz(of: persona) : DocumentJourneys.can(of: persona)
    let found = try DocumentJourneys.run(
      .documentAuthenticity(
        code: code, groups: [.dg1, .dg2, .dg11, .dg12], trustAnchors: [persona.documentCSCA]),
      on: VirtualCard(persona: persona))
    #expect(
      found.prefix(2) == [
        .servicesNumber(persona.nis), .access(DocumentJourneys.usualAccess(of: persona)),
      ])
    var open: Set<String> = []
    for case .report(let point, let verdict) in found where verdict != "proved" {
      #expect(verdict == "could-not-check", "\(point)")
      open.insert(point)
    }
    var expected: Set<String> = []
    let document = persona.travelDocument
    if document.chipAuthenticationKeys.isEmpty { expected.insert("chip-authentication") }
    if document.activeAuthenticationKey == nil { expected.insert("active-authentication") }
    if !["gemalto2", "itj4", "unknown"].contains(identifier) { expected.insert("announcement") }
    #expect(open == expected)
    #expect(found.contains(.report(point: "hash-dg2", verdict: "proved")))
    #expect(found.contains(.report(point: "opened-zone", verdict: "proved")) == opensWithZone)
  }
}
