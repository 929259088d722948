import CIECard
import Traces
import TestSupport
import Testing

@testable import VirtualCIE

/// Long files through the public API: a card lost on the way, files beyond 32 KiB, cards with shorter answers.
@Suite struct DocumentReadingTests {
  /// One contact: opens the document, reads EF.SOD, then continues with DG2.
  private func contact(
    _ card: VirtualCard, _ progress: inout FileProgress,
    reader: ChannelTraits.ExtendedLength = DocumentJourneys.extendedReader
  ) throws -> (securityObject: [UInt8], portrait: [UInt8]) {
    var random = SystemRandom()
    var document = try IdentityCard(over: VirtualCardChannel(card, extendedLength: reader))
      .openTravelDocument(
        with: AccessCode(can: Secret([UInt8](card.persona.can.utf8))), random: &random)
    let object = try document.readSecurityObject()
    return (object, try document.read(.dg2, resuming: &progress))
  }

  private func reads(_ card: VirtualCard) -> Int {
    card.log.entries.filter { $0.isSecured && $0.instruction & 0xFE == 0xB0 }.count
  }

  private static let short = "pace=gm-aes128-13"

  @Test(arguments: ["gemalto", "gemalto2"], [short, "pace=gm-3des-2"])
  func lostCardIsGoneOnWith(identifier: String, options: String) throws {
    let persona = try #require(Persona.named(identifier))
    let portrait = try #require(persona.travelDocument.dataGroups[2])
    let options = try CardOptions(parsing: options)
    let whole = VirtualCard(persona: persona, options: options)
    var nothing = FileProgress()
    _ = try contact(whole, &nothing)
    let objectReads = reads(whole) - Self.blocks(of: portrait.count, in: whole)
    // In the middle of DG2: after EF.CardAccess, EF.ATR/INFO and EF.SOD.
    let unsecured = whole.log.entries.filter { !$0.isSecured && $0.instruction == 0xB0 }.count
    let middle = unsecured + objectReads + Self.blocks(of: portrait.count, in: whole) / 2 + 1
    let card = VirtualCard(
      persona: persona,
      faults: FaultPlan(.cardRemoved, at: .instruction(0xB0, occurrence: middle)),
      options: options)
    var progress = FileProgress()
    #expect(throws: CardError(.readPortrait, .channel(.cardRemoved))) {
      try contact(card, &progress)
    }
    #expect(!progress.content.isEmpty && progress.content.count < portrait.count)
    #expect(progress.length == portrait.count)
    #expect(progress.content.elementsEqual(portrait.prefix(progress.content.count)))
    let (object, read) = try contact(card, &progress)
    #expect(object == persona.travelDocument.securityObject)
    #expect(read == portrait)
    // No block is read twice: the rest, EF.SOD again, and the command that was lost.
    #expect(reads(card) <= reads(whole) + objectReads + 1)
  }

  /// The number of commands for a file in the card's block length.
  private static func blocks(of length: Int, in card: VirtualCard) -> Int {
    let largest =
      card.log.entries.filter { $0.isSecured && $0.instruction == 0xB0 }
      .map(\.responseLength).max() ?? 258
    // Around the data: DO87 with header and indicator, DO99, DO8E, status word; then whole blocks with a marker.
    let block = card.travelSuite.room(in: largest - 2)
    return (length + block - 1) / block
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
    var progress = FileProgress()
    #expect(try contact(card, &progress).portrait == portrait)
    #expect(card.log.entries.contains { $0.instruction == 0xB1 })
  }

  private func documentWithNumber(
    of persona: Persona, _ document: TravelDocumentData
  ) -> TravelDocumentData {
    var document = document
    document.can = persona.can
    return document
  }

  /// Beyond 32 KiB, too, the reading of a lost card continues.
  @Test func lostBeyond32KiB() throws {
    let card = VirtualCard(
      persona: .gemalto, travelDocument: documentWithNumber(of: .gemalto, .withLongPortrait),
      random: SystemRandom(), faults: try FaultPlan(parsing: "card-removed@b1:5"),
      options: try CardOptions(parsing: Self.short))
    var progress = FileProgress()
    #expect(throws: CardError(.readPortrait, .channel(.cardRemoved))) {
      try contact(card, &progress)
    }
    #expect(progress.content.count > 0x8000)
    let portrait = TravelDocumentData.withLongPortrait.dataGroups[2]
    #expect(try contact(card, &progress).portrait == portrait)
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
    var progress = FileProgress()
    let (object, read) = try contact(card, &progress)
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
    var progress = FileProgress()
    #expect(throws: CardError(.readPortrait, .malformed(.truncatedFile))) {
      try contact(card, &progress)
    }
    #expect(progress.content.count > 256)
  }
}

extension VirtualCard {
  /// The cipher suite of the profile with which these tests open it.
  fileprivate var travelSuite: CipherSuite {
    log.entries.contains { $0.instruction == 0x86 && $0.commandLength > 261 } ? .tripleDES : .aes128
  }
}
