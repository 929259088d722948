import CIECard
import Traces
import TestSupport
import Testing

@testable import VirtualCIE

/// Long files through the public API: files beyond 32 KiB, cards with shorter answers.
@Suite struct DocumentReadingTests {
  /// One contact: opens the document, reads EF.SOD, then DG2.
  @discardableResult
  private func contact(
    _ card: VirtualCard
  ) throws -> (securityObject: [UInt8], portrait: [UInt8]) {
    var random = SystemRandom()
    let channel = VirtualCardChannel(card, extendedLength: DocumentJourneys.extendedReader)
    var document = try IdentityCard(over: channel).openTravelDocument(
      with: AccessCode(can: Secret([UInt8](card.persona.can.utf8))), random: &random)
    let object = try document.readSecurityObject()
    return (object, try document.read(.dg2))
  }

  private func reads(_ card: VirtualCard) -> Int {
    card.log.entries.filter { $0.isSecured && $0.instruction & 0xFE == 0xB0 }.count
  }

  @Test(
    arguments: ["gemalto", "gemalto2"], ["gm-3des-2", "gm-aes256-13", "im-aes128-12"])
  func portraitBeyond32KiB(identifier: String, profile: String) throws {
    let persona = try #require(Persona.named(identifier))
    let document = TravelDocumentData.withLongPortrait
    let portrait = try #require(document.dataGroups[2])
    #expect(portrait.count > 0x8000)
    let card = VirtualCard(
      persona: persona, travelDocument: documentWithNumber(of: persona, document),
      random: SystemRandom(), options: try CardOptions(parsing: "pace=\(profile)"))
    #expect(try contact(card).portrait == portrait)
    #expect(card.log.entries.contains { $0.instruction == 0xB1 })
  }

  private func documentWithNumber(
    of persona: Persona, _ document: TravelDocumentData
  ) -> TravelDocumentData {
    var document = document
    document.can = persona.can
    return document
  }

  @Test(
    arguments: ["gemalto", "gemalto2"],
    [
      "128:shorter", "128:6cxx", "128:6700", "100:shorter", "100:6cxx", "256:shorter", "256:6cxx",
      "256:6700", "64:6700",
    ])
  func cardsThatGiveLess(identifier: String, limit: String) throws {
    let persona = try #require(Persona.named(identifier))
    let portrait = try #require(persona.travelDocument.dataGroups[2])
    let card = VirtualCard(
      persona: persona, options: try CardOptions(parsing: "pace=gm-3des-2,read-limit=\(limit)"))
    let (object, read) = try contact(card)
    #expect(read == portrait)
    #expect(object == persona.travelDocument.securityObject)
    // The size is found once and kept: a few commands above the least for the two files.
    let most = card.announcesExtendedLength ? 256 : 231
    let count = min(try #require(Int(limit.prefix { $0 != ":" })), most)
    let least = [portrait.count, object.count].map { ($0 + count - 1) / count }.reduce(0, +)
    #expect(reads(card) <= least + 5, "\(limit)")
  }

  /// Success without data ends the reading of a file that has more.
  @Test func nothingIsNotEnough() throws {
    let card = VirtualCard(persona: .gemalto, faults: try FaultPlan(parsing: "status=9000@b0:20"))
    #expect(throws: CardError(.readPortrait, .malformed(.truncatedFile))) {
      try contact(card)
    }
    #expect(reads(card) > 4)
  }
}
