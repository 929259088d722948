import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// The files of the travel documents, decoded here independently of the reader's side.
@Suite struct TravelDocumentTests {
  private static let tags: [UInt8: UInt32] = [
    1: 0x61, 2: 0x75, 11: 0x6B, 12: 0x6C, 14: 0x6E, 15: 0x6F,
  ]

  @Test(arguments: Persona.all.map(\.identifier))
  func filesAreWellFormed(_ identifier: String) throws {
    let document = try #require(Persona.named(identifier)).travelDocument
    #expect(Set(document.dataGroups.keys).isSuperset(of: [1, 2, 11, 12]))
    for (number, file) in document.dataGroups {
      let tag = try #require(Self.tags[number])
      _ = try #require(BERObject.single(tag, file), "DG\(number)")
    }
    let common = try #require(BERObject.single(0x60, document.common))
    let members = try #require(BERObject.list(common.value))
    #expect(members.map(\.tag) == [0x5F01, 0x5F36, 0x5C])
    #expect(members[0].value == [UInt8]("0107".utf8))
    #expect(members[1].value == [UInt8]("040000".utf8))
    let listed = document.dataGroups.keys.sorted().compactMap { Self.tags[$0].map(UInt8.init) }
    #expect(members[2].value == listed)
    #expect(BERObject.single(0x77, document.securityObject) != nil)
    #expect(BERObject.single(0x31, document.cardAccess) != nil)
  }

  /// Doc 9303-5 §4.2.2: TD1, every check digit recomputed here.
  @Test(arguments: Persona.all.map(\.identifier))
  func machineReadableZone(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let document = persona.travelDocument
    let lines = persona.mrzLines.map { [UInt8]($0.utf8) }
    #expect(lines.map(\.count) == [30, 30, 30])
    let dg1 = try #require(document.dataGroups[1].flatMap { BERObject.single(0x61, $0) })
    #expect(BERObject.single(0x5F1F, dg1.value)?.value == lines.flatMap { $0 })
    #expect(persona.mrzLines[0].hasPrefix("C<ITA" + persona.documentNumber))
    #expect(lines[0][14] == Self.checkDigit(lines[0][5..<14]))
    #expect(lines[1][6] == Self.checkDigit(lines[1][0..<6]))
    #expect(lines[1][14] == Self.checkDigit(lines[1][8..<14]))
    let composite = lines[0][5...] + lines[1][0..<7] + lines[1][8..<15] + lines[1][18..<29]
    #expect(lines[1][29] == Self.checkDigit(composite))
    #expect(persona.mrzLines[2].hasPrefix("\(persona.surname)<<\(persona.givenName)<"))
    let information = lines[0][5..<15] + lines[1][0..<7] + lines[1][8..<15]
    #expect([UInt8](document.mrzInformation.utf8) == [UInt8](information))
    #expect(persona.birthDate.utf8.count == 6 && persona.expiryDate.utf8.count == 6)
    #expect(persona.mrzLines[1].hasPrefix(persona.birthDate))
    #expect(persona.can == document.can && persona.can.utf8.count == 6)
    #expect(persona.can.utf8.allSatisfy { (0x30...0x39).contains($0) })
  }

  /// The day of birth is in no calendar; the year is that of the fiscal code.
  @Test(arguments: Persona.all.map(\.identifier))
  func nobodyIsBornThen(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    #expect(persona.fiscalCode.dropFirst(6).hasPrefix(persona.birthDate.prefix(2)))
    let days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    let month = try #require(Int(persona.birthDate.dropFirst(2).prefix(2)))
    let day = try #require(Int(persona.birthDate.suffix(2)))
    #expect((1...12).contains(month) && day <= 31 && day > days[month - 1])
    let details = try #require(
      persona.travelDocument.dataGroups[11].flatMap { BERObject.single(0x6B, $0) })
    let fields = try #require(BERObject.list(details.value))
    #expect(fields.map(\.tag) == [0x5C, 0x5F0E, 0x5F10, 0x5F2B, 0x5F11, 0x5F42])
    #expect(fields[1].value == [UInt8]("\(persona.surname)<<\(persona.givenName)".utf8))
    #expect(fields[2].value == [UInt8](persona.fiscalCode.utf8))
    let birth = "19" + persona.birthDate
    // One of them writes dates in the old form, as four bytes of decimal digits.
    let written = try identifier == "nxp" ? Hex.bytes(birth) : [UInt8](birth.utf8)
    #expect(fields[3].value == written)
  }

  @Test func chipsOpenAsThePlanSays() throws {
    let real = try Hex.bytes("31143012060A04007F00070202040101020102020102")
    for persona in [Persona.gemalto, .gemalto2, .nxp, .st] {
      #expect(persona.travelDocument.cardAccess == real)
    }
    #expect(
      Persona.all.filter { !$0.travelDocument.allowsBasicAccess }.map(\.identifier) == ["unknown"])
    #expect(
      Persona.all.filter { !$0.travelDocument.cardSecurity.isEmpty }.map(\.identifier) == [
        "unknown"
      ])
    #expect(Set(Persona.all.map(\.can)).count == Persona.all.count)
    #expect(Set(Persona.all.map(\.documentCSCA)).count == Persona.all.count)
    #expect(Persona.all.allSatisfy { $0.documentCSCA != $0.csca })
  }

  private static func checkDigit(_ characters: some Sequence<UInt8>) -> UInt8 {
    let sum = characters.enumerated().reduce(0) { sum, character in
      let value: Int
      switch character.element {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(character.element) - 48
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = Int(character.element) - 55
      default: value = 0
      }
      return sum + value * [7, 3, 1][character.offset % 3]
    }
    return 48 + UInt8(sum % 10)
  }
}
