import TestSupport
import Testing

@testable import CIECard

/// EF.COM, DG11, DG12, DG14 and DG15: a complete document, rarer contents, hostile files.
@Suite struct DetailsTests {
  private let document: DocumentFiles

  init() throws { document = try DocumentFiles.load() }

  private static func text(_ tag: UInt32, _ text: String) -> [UInt8] {
    TLV.encode(tag, [UInt8](text.utf8))
  }

  @Test func personalDetails() throws {
    let details = try DataGroup.PersonalDetails(dataGroup11: document.files.dg11.bytes)
    let told = document.expected
    #expect(details.name == DataGroup.PersonalDetails.Name(told.fullName))
    #expect(details.name?.surname == "ESEMPIO" && details.name?.givenNames == "PROVA")
    #expect(details.personalNumber == told.personalNumber)
    #expect(details.dateOfBirth == MRZ.PartialDate([UInt8](told.fullDateOfBirth.utf8)))
    #expect(details.dateOfBirth?.description == "1985-01-01")
    #expect(details.placeOfBirth == told.placeOfBirth && details.address == told.permanentAddress)
    #expect(details.telephone == nil && details.otherNames == [])
  }

  @Test func everyPersonalDetail() throws {
    let others = [0x02, 1, 2] + Self.text(0x5F0F, "VERDI<<LU") + Self.text(0x5F0F, "NERI")
    let file = TLV.encode(
      0x6B,
      [
        [0x5C, 0], Self.text(0x5F0E, "D'ALÌ<ROSSI<<ANNA<MARIA"), TLV.encode(0xA0, others),
        [0x5F, 0x2B, 4, 0x19, 0x85, 0, 0], TLV.encode(0x5F11, [0x46, 0x4F, 0x52, 0x4C, 0xCC]),
        Self.text(0x5F12, "+390000"), Self.text(0x5F13, "ESEMPIO<DI<MESTIERE"),
        Self.text(0x5F14, "DOTT"), Self.text(0x5F15, "S"), TLV.encode(0x5F16, [1, 2]),
        Self.text(0x5F17, "AA1<BB2"), Self.text(0x5F18, "C"), Self.text(0x5F10, "<<"),
        Self.text(0x5F42, ""),
      ])
    let details = try DataGroup.PersonalDetails(dataGroup11: file)
    #expect(details.name?.surname == "D'ALÌ ROSSI" && details.name?.givenNames == "ANNA MARIA")
    #expect(details.otherNames.map(\.surname) == ["VERDI", "NERI"])
    #expect(details.dateOfBirth?.description == "1985-XX-XX" && details.placeOfBirth == ["FORLÌ"])
    #expect(details.telephone == "+390000" && details.profession == "ESEMPIO DI MESTIERE")
    #expect(details.title == "DOTT" && details.summary == "S" && details.custody == "C")
    #expect(
      details.proofOfCitizenship == [1, 2] && details.otherDocumentNumbers == ["AA1", "BB2"])
    #expect(details.personalNumber == nil && details.address == [])
    let twice = TLV.encode(0x6B, Self.text(0x5F0E, "A") + Self.text(0x5F0E, "B"))
    #expect(throws: DataGroup.Malformation.repeated(tag: 0x5F0E)) {
      try DataGroup.PersonalDetails(dataGroup11: twice)
    }
    let noDate = TLV.encode(0x6B, Self.text(0x5F2B, "19851301"))
    #expect(throws: DataGroup.Malformation.value(tag: 0x5F2B)) {
      try DataGroup.PersonalDetails(dataGroup11: noDate)
    }
    #expect(try DataGroup.PersonalDetails(dataGroup11: [0x6B, 0]).name == nil)
  }

  @Test func documentDetails() throws {
    let details = try DataGroup.DocumentDetails(dataGroup12: document.files.dg12.bytes)
    #expect(details.issuingAuthority == document.expected.issuingAuthority)
    #expect(details.dateOfIssue?.description == "2025-01-01")
    let persons = TLV.encode(0xA0, [0x02, 1, 1] + Self.text(0x5F1A, "ROSSI<<ADA"))
    let file = TLV.encode(
      0x6C,
      [
        persons, Self.text(0x5F1B, "E"), Self.text(0x5F1C, "T"), TLV.encode(0x5F1D, [1]),
        TLV.encode(0x5F1E, [2]), Self.text(0x5F55, "20250101123456"), Self.text(0x5F56, "S1"),
      ])
    let full = try DataGroup.DocumentDetails(dataGroup12: file)
    #expect(full.otherPersons.map(\.givenNames) == ["ADA"] && full.endorsements == "E")
    #expect(full.taxAndExit == "T" && full.frontImage == [1] && full.rearImage == [2])
    #expect(full.personalizationTime == "20250101123456" && full.personalizationSystem == "S1")
    let packed = TLV.encode(0x6C, [0x5F, 0x55, 7, 0x20, 0x25, 1, 1, 0x12, 0x34, 0x56])
    #expect(
      try DataGroup.DocumentDetails(dataGroup12: packed).personalizationTime == "20250101123456")
    for time in ["2025", "2025010112345A"] {
      #expect(throws: DataGroup.Malformation.value(tag: 0x5F55)) {
        try DataGroup.DocumentDetails(dataGroup12: TLV.encode(0x6C, Self.text(0x5F55, time)))
      }
    }
  }

  @Test func keysOfTheDocument() throws {
    let infos = try SecurityInfos(dataGroup14: document.files.dg14.bytes).infos
    #expect(infos.count == 3 && infos.contains(.terminalAuthentication))
    let info: [UInt8] = [0x30, 3, 2, 1, 1]
    let file = TLV.encode(0x6F, info)
    #expect(
      try ActiveAuthenticationPublicKeyInfo(dataGroup15: file + [0]).subjectPublicKeyInfo == info)
    #expect(throws: DataGroup.Malformation.trailingBytes(count: 1)) {
      try ActiveAuthenticationPublicKeyInfo(dataGroup15: TLV.encode(0x6F, info + [0]))
    }
  }

  @Test func hostile() {
    let files = document.files
    let dg15 = TLV.encode(0x6F, [0x30, 3, 2, 1, 1])
    check(files.dg11.bytes) { _ = try DataGroup.PersonalDetails(dataGroup11: $0) }
    check(files.dg12.bytes) { _ = try DataGroup.DocumentDetails(dataGroup12: $0) }
    check(dg15) { _ = try ActiveAuthenticationPublicKeyInfo(dataGroup15: $0) }
  }

  private func check(_ file: [UInt8], _ parse: ([UInt8]) throws -> Void) {
    for prefix in HostileFiles.prefixes(of: file) {
      #expect(throws: DataGroup.Malformation.truncated) { try parse(prefix) }
    }
    var refused = 0
    let tag = UInt32(file.first ?? 0)
    let madeUp = HostileFiles.madeUp(tag: tag, inner: [0x5F0E, 0xA0, 0x5C])
    for changed in HostileFiles.changes(of: file, at: file.indices) + madeUp {
      do { try parse(changed) } catch {
        #expect(error is DataGroup.Malformation)
        refused += 1
      }
    }
    #expect(refused > 0)
  }
}
