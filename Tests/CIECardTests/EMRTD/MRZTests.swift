import TestSupport
import Testing

@testable import CIECard

/// Machine readable zones, against the specimens of Doc 9303 and made-up ones.
@Suite struct MRZTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let op: String
    let field: String?
    let digit: String?
    let mrz: String?
    let parsed: Parsed?
    var testDescription: String { name }
  }

  struct Parsed: Decodable, Sendable {
    let documentNumber: String
    let docnoOk: Bool
    let dob: String
    let dobOk: Bool
    let doe: String
    let doeOk: Bool
    let compositeOk: Bool
  }

  private static func zones() throws -> [Case] {
    try Vectors.cases("mrz-checkdigits", of: Case.self).filter { $0.op == "td1" }
  }

  /// Doc 9303-4 and 9303-6, appendices: the specimens of Utopia.
  static let passport = """
    P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<
    L898902C36UTO7408122F1204159ZE184226B<<<<<10
    """
  static let td2 = """
    I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<
    D231458907UTO7408122F1204159<<<<<<<6
    """
  static let card =
    "C<ITACA00000AA4<<<<<<<<<<<<<<<8501019F3501014ITA<<<<<<<<<<<4ESEMPIO<<PROVA"
    + String(repeating: "<", count: 16)

  @Test func checkDigits() throws {
    let cases = try Vectors.cases("mrz-checkdigits", of: Case.self).filter {
      $0.op == "check_digit"
    }
    #expect(!cases.isEmpty)
    for vector in cases {
      let digit = MRZCheckDigit.compute(over: try #require(vector.field).utf8)
      #expect(String(decoding: [digit], as: UTF8.self) == vector.digit)
    }
  }

  @Test(arguments: try zones())
  func published(_ vector: Case) throws {
    let told = try #require(vector.parsed)
    let text = try #require(vector.mrz)
    let zone = try MRZ(
      dataGroup1: TLV.encode(0x61, TLV.encode(0x5F1F, [UInt8](text.utf8))) + [0, 0])
    #expect(zone.text == text && zone.format == .td1)
    #expect(zone.documentNumber == told.documentNumber)
    #expect(zone.dateOfBirth.text == told.dob && zone.dateOfExpiry.text == told.doe)
    let wrong = zone.wrongCheckDigits
    #expect(wrong.contains(.documentNumber) == !told.docnoOk)
    #expect(wrong.contains(.dateOfBirth) == !told.dobOk)
    #expect(wrong.contains(.dateOfExpiry) == !told.doeOk)
    #expect(wrong.contains(.composite) == !told.compositeOk)
    #expect(zone.optionalData == ["", ""])
  }

  @Test func fieldsOfACard() throws {
    let zone = try MRZ(text: Self.card)
    #expect(zone.documentCode == "C" && zone.issuingState == "ITA" && zone.nationality == "ITA")
    #expect(
      zone.name.surname == "ESEMPIO" && zone.name.givenNames == "PROVA" && zone.sex == .female)
    #expect(zone.dateOfBirth.yearOfCentury == 85 && zone.dateOfBirth.month == 1)
    #expect(zone.dateOfBirth.day == 1)
    #expect(zone.wrongCheckDigits == [])
  }

  @Test func fieldsOfAPassport() throws {
    let zone = try MRZ(text: Self.passport)
    #expect(zone.format == .td3 && zone.documentCode == "P" && zone.issuingState == "UTO")
    #expect(zone.documentNumber == "L898902C3" && zone.nationality == "UTO" && zone.sex == .female)
    #expect(zone.dateOfBirth.text == "740812" && zone.dateOfExpiry.text == "120415")
    #expect(zone.name.surname == "ERIKSSON" && zone.name.givenNames == "ANNA MARIA")
    #expect(zone.optionalData == ["ZE184226B"] && zone.wrongCheckDigits == [])
  }

  @Test func fieldsOfALargerCard() throws {
    let zone = try MRZ(text: Self.td2)
    #expect(zone.format == .td2 && zone.documentNumber == "D23145890" && zone.sex == .female)
    #expect(zone.name.surname == "ERIKSSON" && zone.name.givenNames == "ANNA MARIA")
    #expect(zone.optionalData == [""] && zone.wrongCheckDigits == [])
  }

  @Test func longNumbersLeaveTheRestOfTheOptionalData() throws {
    let line = "I<UTOD23145890<7349<AB<C<<<<<<"
    let zone = try MRZ(
      text: line + "\n3407127M9507122UTO<<<<<<<<<<<2\nSTEVENSON<<PETER<JOHN<<<<<<<<<")
    #expect(zone.documentNumber == "D23145890734")
    #expect(zone.optionalData == ["AB C", ""])
    #expect(zone.wrongCheckDigits == [.composite])
    let td2 = Self.td2.replacing(
      "D231458907UTO7408122F1204159<<<<<<<6", with: "D23145890<UTO7408122F12041597349<<<0")
    #expect(try MRZ(text: td2).documentNumber == "D23145890734")
    #expect(try !MRZ(text: td2).wrongCheckDigits.contains(.documentNumber))
  }

  @Test func optionalDataToItsLastCharacter() throws {
    let first = Self.card.replacing("4<<<<<<<<<<<<<<<85", with: "4AAAAAAAAAAAAAAB85")
    let both = first.replacing("ITA<<<<<<<<<<<4", with: "ITACCCCC<CCCCD4")
    #expect(try MRZ(text: both).optionalData == ["AAAAAAAAAAAAAAB", "CCCCC CCCCD"])
    let booklet = Self.passport.replacing("ZE184226B<<<<<1", with: "ZE184226BCCCCD1")
    #expect(try MRZ(text: booklet).optionalData == ["ZE184226BCCCCD"])
    #expect(try MRZ(text: booklet).wrongCheckDigits == [.optionalData, .composite])
    let card = Self.td2.replacing("<<<<<<<6", with: "CCCCCCD6")
    #expect(try MRZ(text: card).optionalData == ["CCCCCCD"])
  }

  @Test func everyCheckDigitIsChecked() throws {
    let line = Array(Self.passport.filter { $0 != "\n" })
    let places: [(Int, Set<MRZ.CheckDigit>)] = [
      (44 + 9, [.documentNumber, .composite]), (44 + 19, [.dateOfBirth, .composite]),
      (44 + 27, [.dateOfExpiry, .composite]), (44 + 42, [.optionalData, .composite]),
      (44 + 43, [.composite]),
    ]
    for (place, wrong) in places {
      var changed = line
      changed[place] = changed[place] == "5" ? "6" : "5"
      #expect(try MRZ(text: String(changed)).wrongCheckDigits == wrong)
    }
  }

  @Test func anEmptyFieldMayHaveAFillerForItsDigit() throws {
    let zero = "L898902C36UTO7408122F1204159<<<<<<<<<<<<<<08"
    let names = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\r\n"
    #expect(try MRZ(text: names + zero).wrongCheckDigits == [])
    let filler = "L898902C36UTO7408122F1204159<<<<<<<<<<<<<<<8"
    #expect(try MRZ(text: names + filler).wrongCheckDigits == [])
  }

  @Test func typedText() throws {
    let spaced =
      "  c<ita ca00000aa 4<<<<<<<<<<<<<<<\r\n\r\n8501019f3501014ita<<<<<<<<<<<4\r\n"
      + "esempio<<prova<<<<<<<<<<<<<<<<\r\n\r\n"
    #expect(try MRZ(text: spaced) == MRZ(text: Self.card))
    #expect(throws: MRZ.Malformation.lines([])) { try MRZ(text: " \n ") }
    #expect(throws: MRZ.Malformation.lines([30, 30])) {
      try MRZ(text: String(repeating: "A", count: 30) + "\n" + String(repeating: "A", count: 30))
    }
    #expect(throws: MRZ.Malformation.lines([89])) { try MRZ(text: String(Self.card.dropLast())) }
    let accent = Self.card.replacing("PROVA<<", with: "PROVÀ<")
    #expect(throws: MRZ.Malformation.character(position: 74)) { try MRZ(text: accent) }
  }

  @Test func whatCannotBeIsRefused() {
    let wrong: [(String, String, MRZ.Malformation)] = [
      ("850101", "851301", .dateOfBirth), ("850101", "85A101", .dateOfBirth),
      ("850101", "850232", .dateOfBirth), ("350101", "350132", .dateOfExpiry),
      ("9F35", "9Q35", .sex),
    ]
    for (old, new, expected) in wrong {
      let text = Self.card.replacing(old, with: new, maxReplacements: 1)
      #expect(throws: expected) { try MRZ(text: text) }
    }
  }

  @Test func namesInOddForms() throws {
    let forms = [
      ("ROSSI<BIANCHI<<ANNA<<MARIA", "ROSSI BIANCHI", "ANNA MARIA"), ("ROSSI", "ROSSI", ""),
      ("<<ANNA", "", "ANNA"), ("", "", ""),
    ]
    for (field, surname, given) in forms {
      let line = field + String(repeating: "<", count: 30 - field.count)
      let zone = try MRZ(text: String(Self.card.prefix(60)) + line)
      #expect(zone.name.surname == surname && zone.name.givenNames == given)
    }
  }
}
