import Arguments
import CIECard
import CardWork
import Messages
import Primitives

/// A guest as a line for Alloggiati Web, the portal of the Polizia di Stato (art. 109 TULPS, R.D. 773/1931; decree of the
/// Ministero dell'Interno of 7 January 2013): 168 characters in 14 fields, by the portal's MANUALEALBERGHI.pdf, chapter 12.
/// Two public programs agree on every position: `SchedineAllogiati/src/Questura.java` of HyperTesto/schedine-alloggiatiweb,
/// which reads such lines, and the lines of `example.php` of h2webit/alloggiatiweb_php_soap_example.
///
/// The manual names UTF-8, not the letters that are taken. The line has those of the portal's own tables, capitals of ASCII
/// with apostrophes, because they are the same in every encoding and a character is a byte.
struct GuestRecord {
  static let length = 168

  /// The role in the booking, in the order of the portal's codes 16 to 20.
  enum Role: String, CaseIterable, ArgumentValue {
    case single
    case familyHead = "family-head"
    case groupHead = "group-head"
    case familyMember = "family-member"
    case groupMember = "group-member"

    var code: String {
      switch self {
      case .single: "16"
      case .familyHead: "17"
      case .groupHead: "18"
      case .familyMember: "19"
      case .groupMember: "20"
      }
    }

    /// The role that must come first, because a member's line follows that of the head, or of another member.
    var head: Role? {
      switch self {
      case .single, .familyHead, .groupHead: nil
      case .familyMember: .familyHead
      case .groupMember: .groupHead
      }
    }
  }

  /// The booking, which no card knows.
  struct Stay {
    let role: Role
    /// Year, month and day.
    let arrival: [Int]
    /// 1 to 30.
    let nights: Int
    /// The place of issue in the place of the card's: a municipality, its province in parentheses, or a state.
    let issuer: String?
  }

  let line: [UInt8]
  /// The name as the line has it.
  let name: DataGroup.PersonalDetails.Name
  /// True if that is the name of the machine readable zone, because the full one has other letters.
  let isZoneName: Bool

  /// - Throws: a datum that is missing or does not fit, or a place that is not in the table.
  init(_ data: DocumentData, _ stay: Stay, _ places: PlaceTable) throws(Failure) {
    guard let zone = data.zone, let full = data.name else { throw Self.missing("document") }
    guard let birth = data.birth.flatMap(Self.day) else { throw Self.missing("date-of-birth") }
    (name, isZoneName) = try Self.name(full, zone)
    let birthPlace = data.person?.placeOfBirth ?? []
    guard let town = birthPlace.first else { throw Self.missing("place-of-birth") }
    let born = try places.place(
      town, birthPlace.count > 1 ? birthPlace.last : nil, on: birth)
    let italy = try places.state("ITALIA", on: stay.arrival)
    let nationality =
      zone.nationality == "ITA" ? italy : try places.state(zone.nationality, on: stay.arrival)
    var fields = [
      (stay.role.code, 2), (Self.text(stay.arrival), 10), (Self.digits(stay.nights), 2),
      (name.surname, 50), (name.givenNames, 30), (try Self.sex(zone.sex), 1),
      (Self.text(birth), 10),
      (born.isState ? "" : born.code, 9), (born.isState ? "" : born.province, 2),
      (born.isState ? born.code : italy.code, 9), (nationality.code, 9),
    ]
    if stay.role.head == nil {
      guard zone.documentNumber.utf8.count <= 20 else { throw Self.missing("document") }
      let issuer = try Self.issuer(
        stay.issuer ?? data.issue?.issuingAuthority, places, stay.arrival)
      // An electronic identity card, in the portal's table of documents.
      fields += [("IDELE", 5), (zone.documentNumber, 20), (issuer.code, 9)]
    } else {
      fields.append(("", 34))
    }
    line = fields.flatMap { text, width in
      [UInt8](text.utf8) + [UInt8](repeating: 0x20, count: width - text.utf8.count)
    }
  }

  /// The full name in the letters of the line, or else that of the zone, whose transliteration is the State's (Doc 9303-3
  /// §6), unless it was cut.
  static func name(
    _ full: DataGroup.PersonalDetails.Name, _ zone: MRZ
  ) throws(Failure) -> (DataGroup.PersonalDetails.Name, isZoneName: Bool) {
    func fits(_ name: DataGroup.PersonalDetails.Name) -> Bool {
      [(name.surname, 50), (name.givenNames, 30)].allSatisfy { text, width in
        text.utf8.count <= width
          && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || [0x20, 0x27].contains($0) }
      }
    }
    if fits(full) { return (full, false) }
    guard fits(zone.name), zone.text.hasSuffix("<") else {
      throw .found(Diagnosis(.notCarried, "guest-name"))
    }
    return (zone.name, true)
  }

  private static func sex(_ sex: MRZ.Sex) throws(Failure) -> String {
    switch sex {
    case .male: "1"
    case .female: "2"
    case .unspecified: throw missing("sex")
    }
  }

  /// The place of issue, of which cards say `COMUNE DI …`.
  static func issuer(
    _ name: String?, _ places: PlaceTable, _ day: [Int]
  ) throws(Failure) -> PlaceTable.Place {
    guard let name else { throw missing("authority") }
    let parts = name.split { "()".contains($0) }.map(String.init)
    let town = parts.first ?? name
    return try places.place(
      town.uppercased().hasPrefix("COMUNE DI ") ? String(town.dropFirst(10)) : town,
      parts.count > 1 ? parts[1] : nil, on: day)
  }

  private static func day(_ date: MRZ.PartialDate) -> [Int]? {
    guard let year = date.year, let month = date.month, let day = date.day else { return nil }
    return [year, month, day]
  }

  private static func text(_ day: [Int]) -> String {
    day.reversed().map(digits).joined(separator: "/")
  }

  private static func digits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

  /// - Parameter field: the row `document.…` with its name.
  private static func missing(_ field: String) -> Failure {
    .found(Diagnosis(.notCarried, "guest-datum", ["datum": Message("document.\(field)")]))
  }
}
