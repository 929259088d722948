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
    #expect(DocumentReading.all.map(\.block) == [223, 223, 256, 256, 1991, 1983])
  }

  @Test(arguments: DocumentReading.all.indices)
  func reading(index: Int) throws {
    let row = DocumentReading.all[index]
    let log = try row.measure().log
    let reads = DocumentReading.reads(in: log)
    #expect(reads >= row.leastReads)
    #expect(reads * 100 <= row.leastReads * 105, "\(row.name), \(row.access)")
    #expect(log.entries.filter(\.isSecured).allSatisfy { [0xA4, 0xB0].contains($0.instruction) })
    // MF, EF.CardAccess and EF.ATR/INFO by SELECT and READ BINARY, MSE, four times GENERAL AUTHENTICATE.
    #expect(log.entries.filter { !$0.isSecured }.count <= 10)
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
}
