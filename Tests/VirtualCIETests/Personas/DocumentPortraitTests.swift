import TestSupport
import Testing

@testable import VirtualCIE

/// EF.DG2 of every persona, field by field (Doc 9303-10 §4.7.2; ISO/IEC 19794-5:2005 §5).
@Suite struct DocumentPortraitTests {
  @Test(arguments: Persona.all.map(\.identifier))
  func facialRecord(_ identifier: String) throws {
    let document = try #require(Persona.named(identifier)).travelDocument
    let record = try record(of: document)
    #expect(record.starts(with: [UInt8]("FAC\u{0}010\u{0}".utf8)))
    #expect(number(record[8..<12]) == record.count)
    #expect(number(record[12..<14]) == 1)
    #expect(number(record[14..<18]) == record.count - 14)
    let start = 34 + 8 * number(record[18..<20])
    #expect(number(record[start + 2..<start + 4]) == 300)
    #expect(number(record[start + 4..<start + 6]) == 400)
    let image = record[(start + 12)...]
    let isJPEG = identifier == "unknown"
    #expect(record[start + 1] == (isJPEG ? 0 : 1))
    let magic = try Hex.bytes(isJPEG ? "FFD8FF" : "0000000C6A5020200D0A870A")
    #expect(image.starts(with: magic))
    #expect(image.suffix(2) == [0xFF, 0xD9])
    let length = try #require(document.dataGroups[2]?.count)
    #expect((identifier == "gemalto" ? 19_500...20_500 : 6_000...12_000).contains(length))
  }

  @Test func onePersonaHasFeaturePoints() throws {
    let counts = try Persona.all.map { try number(record(of: $0.travelDocument)[18..<20]) }
    #expect(counts == [0, 2, 0, 0, 0, 0])
  }

  @Test func theLongPortraitIsWellFormed() throws {
    let document = TravelDocumentData.withLongPortrait
    let record = try record(of: document)
    #expect(record.count > 0x8000)
    #expect(number(record[8..<12]) == record.count)
    #expect(number(record[14..<18]) == record.count - 14)
    #expect(record[46..<52] == [0xFF, 0xD8, 0xFF, 0xFE, 0x75, 0x32])
    // The rest is the portrait that all of them share.
    let short = try self.record(of: Persona.unknown.travelDocument)
    #expect(record[(48 + 4 + 30_000)...].elementsEqual(short[48...]))
    #expect(document.securityObject != Persona.unknown.travelDocument.securityObject)
  }

  private func record(of document: TravelDocumentData) throws -> [UInt8] {
    let file = try #require(document.dataGroups[2])
    let faces = try #require(BERObject.single(0x75, file))
    let templates = try #require(BERObject.single(0x7F61, faces.value))
    let entries = try #require(BERObject.list(templates.value))
    #expect(entries.map(\.tag) == [0x02, 0x7F60] && entries[0].value == [1])
    let members = try #require(BERObject.list(entries[1].value))
    #expect(members.map(\.tag) == [0xA1, 0x5F2E])
    let header = try #require(BERObject.list(members[0].value))
    #expect(header.suffix(4).map(\.value) == [[2], [0], [1, 1], [0, 8]])
    return members[1].value
  }

  private func number(_ bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
