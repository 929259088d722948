extension MRZ {
  /// Parses DG1: `61 { 5F1F zone }` (Doc 9303-10 §4.7.1).
  ///
  /// - Parameter file: the whole file; bytes after the data object are dropped.
  public init(dataGroup1 file: [UInt8]) throws(DataGroup.Malformation) {
    let contents = try DataGroup.Malformation.contents(of: file, tag: DataGroup.dg1.tag)
    let zone = try DataGroup.Malformation.parse(try contents.first(0x5F1F).bytes)
    self = try mapError(try MRZ(characters: zone), DataGroup.Malformation.zone)
  }

  /// Parses all characters of a zone, without line separators. Their number determines the format.
  init(characters: [UInt8]) throws(Malformation) {
    let fitting = Format.allCases.first { $0.lines * $0.lineLength == characters.count }
    guard let format = fitting else { throw .lines([characters.count]) }
    if let wrong = characters.firstIndex(where: { !Self.isAllowed($0) }) {
      throw .character(position: wrong + 1)
    }
    try self.init(Zone(characters: characters, lineLength: format.lineLength), format)
  }

  private init(_ zone: Zone, _ format: Format) throws(Malformation) {
    let layout = format.layout
    var optional = layout.optionalData.map { zone[$0] }
    var number = zone[layout.documentNumber]
    var numberDigit = zone[layout.documentNumberDigit]
    if format != .td3 { Self.extend(&number, &numberDigit, with: &optional) }
    guard let birth = Date(zone[layout.dateOfBirth]) else { throw .dateOfBirth }
    guard let expiry = Date(zone[layout.dateOfExpiry]) else { throw .dateOfExpiry }
    guard let sex = Sex(zone[layout.sex]) else { throw .sex }
    self.format = format
    text = String(decoding: zone.characters, as: UTF8.self)
    documentCode = Self.words(zone[layout.documentCode])
    issuingState = Self.words(zone[layout.issuingState])
    documentNumber = Self.number(number)
    dateOfBirth = birth
    self.sex = sex
    dateOfExpiry = expiry
    nationality = Self.words(zone[layout.nationality])
    name = DataGroup.PersonalDetails.Name(String(decoding: zone[layout.names], as: UTF8.self))
    optionalData = optional.map(Self.words)
    wrongCheckDigits = Self.wrong(in: zone, layout, number: number, numberDigit: numberDigit)
    hasOddFields =
      !format.documentCodes.contains(zone[layout.documentCode].first ?? 0)
      || !Self.isCode(zone[layout.nationality]) || name.surname.isEmpty
  }

  /// True for the code of a state or organization: letters, then fillers (Doc 9303-3 §5).
  private static func isCode(_ field: [UInt8]) -> Bool {
    let letters = field.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    return !letters.isEmpty && field.dropFirst(letters.count).allSatisfy { $0 == filler }
  }

  /// A number longer than its field: a filler stands in place of the check digit, and the rest of
  /// the number, its check digit and a filler begin the optional data (Doc 9303-5 §4.2.2; Doc
  /// 9303-6 likewise).
  private static func extend(
    _ number: inout [UInt8], _ digit: inout [UInt8], with optional: inout [[UInt8]]
  ) {
    guard digit == [filler], let field = optional.first else { return }
    let rest = [UInt8](field.prefix { $0 != filler })
    guard rest.count > 1 else { return }
    number += rest.dropLast()
    digit = [UInt8](rest.suffix(1))
    optional[0] = [UInt8](field.dropFirst(rest.count + 1))
  }

  private static func wrong(
    in zone: Zone, _ layout: MRZLayout, number: [UInt8], numberDigit: [UInt8]
  ) -> Set<CheckDigit> {
    var fields: [(name: CheckDigit, characters: [UInt8], digit: [UInt8])] = [
      (.documentNumber, number, numberDigit),
      (.dateOfBirth, zone[layout.dateOfBirth], zone[layout.dateOfBirthDigit]),
      (.dateOfExpiry, zone[layout.dateOfExpiry], zone[layout.dateOfExpiryDigit]),
      (.composite, layout.composite.flatMap { zone[$0] }, zone[layout.compositeDigit]),
    ]
    if let place = layout.optionalDataDigit {
      let data = layout.optionalData.flatMap { zone[$0] }
      // An empty field may have a filler as its check digit (Doc 9303-4 §4.2.2).
      let isEmpty = zone[place] == [filler] && data.allSatisfy { $0 == filler }
      if !isEmpty { fields.append((.optionalData, data, zone[place])) }
    }
    return Set(
      fields.filter { $0.digit != [MRZCheckDigit.compute(over: $0.characters)] }.map(\.name))
  }

  private static func isAllowed(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), filler: true
    default: false
    }
  }

  /// A text with a blank for every run of fillers between words.
  private static func words(_ field: some Sequence<UInt8>) -> String {
    let words = Array(field).split(separator: filler)
    return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }

  /// The number without trailing fillers.
  private static func number(_ field: [UInt8]) -> String {
    let end = field.lastIndex { $0 != filler }.map { $0 + 1 } ?? 0
    return String(decoding: field.prefix(end), as: UTF8.self)
  }

  /// Characters in lines of equal length.
  private struct Zone {
    let characters: [UInt8]
    let lineLength: Int

    subscript(place: MRZLayout.Place) -> [UInt8] {
      let start = (place.line - 1) * lineLength + place.positions.lowerBound - 1
      return [UInt8](characters.dropFirst(start).prefix(place.positions.count))
    }
  }
}

extension MRZ.Sex {
  fileprivate init?(_ field: [UInt8]) {
    switch field {
    case [UInt8(ascii: "F")]: self = .female
    case [UInt8(ascii: "M")]: self = .male
    case [UInt8(ascii: "X")], [MRZ.filler]: self = .unspecified
    default: return nil
    }
  }
}
