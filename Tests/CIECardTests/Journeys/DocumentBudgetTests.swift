import CIECard
import Testing

@testable import VirtualCIE
@testable import cie_lab

/// Reading a travel document costs no more than five percent over the least number of commands for any block length;
/// and opening it costs the necessary number.
@Suite struct DocumentBudgetTests {
  @Test func theDocumentIsTheOneThatIsAskedFor() throws {
    let portrait = try #require(Persona.gemalto.dataGroupLength(2))
    #expect((19_000...21_000).contains(portrait))
    #expect(DocumentReading.all.map(\.block) == [223, 223, 256, 256, 1991, 1991, 1983])
  }

  @Test(arguments: DocumentReading.all.indices)
  func reading(index: Int) throws {
    let row = DocumentReading.all[index]
    let log = try row.measure().log
    let reads = DocumentReading.reads(in: log)
    #expect(reads >= row.leastReads)
    #expect(reads * 100 <= row.leastReads * 105, "\(row.name), \(row.access)")
    #expect(log.entries.filter(\.isSecured).allSatisfy { [0xA4, 0xB0].contains($0.instruction) })
    // EF.CardAccess, EF.ATR/INFO, a second time in short form if the long one is refused, MSE, four times GENERAL
    // AUTHENTICATE.
    #expect(log.entries.filter { !$0.isSecured }.count <= 8)
  }

  /// The work of PACE is counted: five exponentiations or multiplications.
  @Test(arguments: DocumentReading.all.indices)
  func work(index: Int) throws {
    let row = DocumentReading.all[index]
    let counters = try row.measure().log.counters
    let isField = row.access.hasPrefix("DH")
    #expect(counters.dhExponentiations == (isField ? 5 : 0))
    #expect(counters.curveMultiplications == (isField ? 0 : 5))
  }

  /// The whole document with its chip's proof, as `read` has it; on cards that take long answers, that refuse them in
  /// clear, and that end the channel over one.
  @Test(arguments: [
    ("gemalto", "", 27), ("gemalto", "no-extended-length=read", 118),
    ("gemalto", "no-extended-length=secured-read", 125), ("gemalto2", "", 23), ("itj4", "", 22),
  ])
  func wholeDocument(identifier: String, options: String, most: Int) throws {
    let persona = try #require(Persona.named(identifier))
    let options = options.isEmpty ? CardOptions() : try CardOptions(parsing: options)
    let card = VirtualCard(persona: persona, options: options)
    var document = try DocumentJourneys.open(card)
    let evidence = try document.gatherEvidence([.dg1, .dg2, .dg11, .dg12])
    #expect(evidence.chipAuthentication == .proved)
    #expect(evidence.files[.dg2]?.count == persona.dataGroupLength(2))
    let ended = document.endedOverLength
    #expect(ended == options.refusedExtended.contains(.securedRead))
    #expect(card.log.entries.count <= most)
  }

  /// A caller of `read` does not open the document again, and a code with tries is not presented again: both read in short
  /// answers what the card does not announce to give in long ones.
  @Test func longAnswersNeedAWayBack() throws {
    let options = try CardOptions(parsing: "pin-passwords,no-extended-length=secured-read")
    let card = { VirtualCard(persona: .gemalto, options: options) }
    var document = try DocumentJourneys.open(card())
    #expect(try document.read(.dg14).count == Persona.gemalto.dataGroupLength(14))
    let pin = try AccessCode(.pin, digits: Secret([UInt8](Persona.gemalto.pin.utf8)))
    document = try IdentityCard(over: VirtualCardChannel(card())).openTravelDocument(with: pin)
    let evidence = try document.gatherEvidence([.dg1])
    #expect(evidence.chipAuthentication == .proved)
  }

  /// A kind of card that ended its channel over a long command is not asked for a long answer again.
  @Test func neededLengthsAreNoLongAnswers() throws {
    let card = VirtualCard(
      persona: .gemalto, options: try CardOptions(parsing: "no-extended-length=secured-read"))
    var document = try DocumentJourneys.open(card, lengths: .needed)
    _ = try document.gatherEvidence([.dg1, .dg2, .dg11, .dg12])
    let ended = document.endedOverLength
    #expect(!ended)
    #expect(card.log.entries.count == 116)
  }
}
