import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

@Suite struct PersonaTests {
  @Test(arguments: Persona.all.map(\.identifier))
  func isAnInventedCitizen(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier.uppercased()))
    #expect(persona.identifier == identifier && persona.family.rawValue == identifier)
    #expect(persona.nis.utf8.count == 12)
    #expect(persona.documentNumber.utf8.count == 9)
    #expect(PINStore.isWellFormed([UInt8](persona.pin.utf8)))
    #expect(PINStore.isWellFormed([UInt8](persona.puk.utf8)))
    // Month letter X and day 99: no person has such a code.
    #expect(persona.fiscalCode.utf8.count == 16)
    #expect(persona.fiscalCode.dropFirst(8).hasPrefix("X99Z999"))
    for text in [persona.fiscalCode, persona.documentNumber, persona.surname, persona.givenName] {
      #expect(persona.certificate.contains([UInt8](text.utf8)))
    }
    #expect((1790...1840).contains(persona.certificate.count))
    #expect(persona.csca.starts(with: [0x30, 0x82]))
  }

  @Test func everybodyIsSomebodyElse() {
    #expect(Persona.all.count == CardFamily.allCases.count)
    #expect(Set(Persona.all.map(\.nis)).count == Persona.all.count)
    #expect(Set(Persona.all.map(\.csca)).count == Persona.all.count)
    #expect(Persona.named("nobody") == nil)
  }

  /// PC/SC part 3 §3.1.3.2.3: the check byte makes the exclusive or of all bytes after TS zero.
  @Test(arguments: CardFamily.allCases) func theAnswerToResetHasItsCheckByte(_ family: CardFamily) {
    let atr = family.profile.answerToReset
    #expect(atr.first == 0x3B && atr.count == 5 + Int(atr[1] & 0x0F))
    #expect(atr.dropFirst().reduce(0, ^) == 0)
    let file = family.profile.answerToResetFile
    #expect(BERObject.list(file)?.last?.tag == 0x82)
  }

  @Test func answerToResetFileLengths() {
    #expect(CardFamily.gemalto.profile.answerToResetFile.count == 61)
    #expect(CardFamily.nxp.profile.answerToResetFile.count == 48)
    #expect(CardFamily.st.profile.answerToResetFile.count == 62)
  }

  /// The limits in tag 7F66 of EF.ATR are those of the card (ISO/IEC 7816-4, EF.ATR/INFO).
  @Test(arguments: CardFamily.allCases) func extendedLengthIsAnnounced(_ family: CardFamily) throws
  {
    let objects = try #require(BERObject.list(family.profile.answerToResetFile))
    // Third byte of the card capabilities, bit 7.
    let capabilities = try #require(objects.first { $0.tag == 0x47 }?.value)
    #expect((capabilities.last ?? 0) & 0x40 == (family.profile.extendedLength == nil ? 0 : 0x40))
    let limits = objects.first { $0.tag == 0x7F66 }.flatMap { BERObject.list($0.value) }
    let lengths = limits?.map { $0.value.reduce(0) { $0 << 8 | Int($1) } }
    #expect(lengths == family.profile.extendedLength.map { [$0.command, $0.response] })
    #expect((lengths != nil) == [.gemalto2, .itj4].contains(family))
  }

  /// The security object has the hashes of all six groups, with the algorithm of its generation.
  @Test(arguments: Persona.everyone.map(\.identifier))
  func securityObjectCoversTheFiles(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let isNew = ["st", "itj4", "senior"].contains(persona.identifier)
    let algorithm = isNew ? HashAlgorithm.sha512 : .sha256
    let contents = [
      (0xA1, [UInt8](persona.nis.utf8)), (0xA2, [UInt8](persona.documentNumber.utf8)),
      (0xA3, persona.certificate), (0xA4, persona.deviceKey.publicKeyDER),
      (0xA5, persona.servicesKey.publicKeyDER),
      (0x1B, DomainParameters.standard.fileContent(persona.groupForm)),
    ]
    for (number, content) in contents {
      let entry =
        [2, 1, UInt8(number)] + BERObject.encode(0x04, try algorithm.hash(content))
      #expect(persona.securityObject.contains(entry), "group \(number)")
    }
    #expect(persona.securityObject.starts(with: [0x77, 0x82]))
  }

  @Test func groupIsThePublishedOne() throws {
    struct File: Decodable {
      struct Group: Decodable {
        let id: Int
        let p: HexBytes
        let g: HexBytes
        let q: HexBytes
      }
      let dh: [Group]
    }
    let file = try Vectors.decode("domain-params", as: File.self)
    let published = try #require(file.dh.first { $0.id == 2 })
    let own = DomainParameters.standard
    #expect(own.prime == published.p.bytes)
    #expect(own.generator == published.g.bytes)
    #expect(own.order == published.q.bytes)
  }

  @Test(arguments: Persona.all.map(\.identifier))
  func serialNumberFile(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let number = SerialNumber(nis: persona.nis)
    let text = Hex.text(number.content)
    #expect(text.hasPrefix("5A0A938000" + persona.nis) && text.hasSuffix("F"))
    let digits = text.dropFirst(4).dropLast().reversed().compactMap(\.wholeNumberValue)
    let luhn = digits.enumerated().map { $0.offset % 2 == 0 ? $0.element : $0.element * 2 }
      .reduce(0) { $0 + $1 / 10 + $1 % 10 }
    #expect(digits.count == 19 && luhn % 10 == 0)
    #expect(number.deviceNumber.count == 8)
  }

  @Test func seededRandomRepeatsItself() throws {
    var first = SeededRandom(seed: "a")
    var second = SeededRandom(seed: "a")
    var other = SeededRandom(seed: "b")
    let pieces = try first.bytes(5) + first.bytes(60)
    #expect(try second.bytes(65) == pieces)
    #expect(try other.bytes(65) != pieces)
    #expect(Set(pieces).count > 40)
  }
}
