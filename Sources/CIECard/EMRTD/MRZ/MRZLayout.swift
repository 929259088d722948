/// Positions of the fields in a machine readable zone. Lines and positions count from 1, as in Doc
/// 9303.
struct MRZLayout {
  /// A field: its line, and its first and last position.
  struct Place {
    let line: Int
    let positions: ClosedRange<Int>

    init(_ line: Int, _ positions: ClosedRange<Int>) {
      self.line = line
      self.positions = positions
    }
  }

  let documentCode = Place(1, 1...2)
  let issuingState = Place(1, 3...5)
  let names: Place
  let documentNumber: Place
  let documentNumberDigit: Place
  let nationality: Place
  let dateOfBirth: Place
  let dateOfBirthDigit: Place
  let sex: Place
  let dateOfExpiry: Place
  let dateOfExpiryDigit: Place
  let optionalData: [Place]
  /// Only TD3 has a check digit of the optional data.
  let optionalDataDigit: Place?
  /// The fields covered by the composite check digit, in this order.
  let composite: [Place]
  let compositeDigit: Place
}

extension MRZ.Format {
  var layout: MRZLayout {
    switch self {
    case .td1: .td1
    case .td2: .td2
    case .td3: .td3
    }
  }

  /// The first letters of document codes (Doc 9303-4, -5 and -6 §4.2.2).
  var documentCodes: [UInt8] {
    switch self {
    case .td1, .td2: [UInt8]("ACI".utf8)
    case .td3: [UInt8]("P".utf8)
    }
  }

  var lines: Int {
    switch self {
    case .td1: 3
    case .td2, .td3: 2
    }
  }

  var lineLength: Int {
    switch self {
    case .td1: 30
    case .td2: 36
    case .td3: 44
    }
  }
}

extension MRZLayout {
  /// Doc 9303-5 §4.2.2: cards such as the CIE.
  static var td1: MRZLayout {
    MRZLayout(
      names: Place(3, 1...30), documentNumber: Place(1, 6...14),
      documentNumberDigit: Place(1, 15...15), nationality: Place(2, 16...18),
      dateOfBirth: Place(2, 1...6), dateOfBirthDigit: Place(2, 7...7), sex: Place(2, 8...8),
      dateOfExpiry: Place(2, 9...14), dateOfExpiryDigit: Place(2, 15...15),
      optionalData: [Place(1, 16...30), Place(2, 19...29)], optionalDataDigit: nil,
      composite: [Place(1, 6...30), Place(2, 1...7), Place(2, 9...15), Place(2, 19...29)],
      compositeDigit: Place(2, 30...30))
  }

  /// Doc 9303-6 §4.2.2: larger cards.
  static var td2: MRZLayout {
    twoLines(
      names: Place(1, 6...36), optionalData: Place(2, 29...35), optionalDataDigit: nil,
      compositeTail: Place(2, 22...35), compositeDigit: Place(2, 36...36))
  }

  /// Doc 9303-4 §4.2.2: passports.
  static var td3: MRZLayout {
    twoLines(
      names: Place(1, 6...44), optionalData: Place(2, 29...42),
      optionalDataDigit: Place(2, 43...43), compositeTail: Place(2, 22...43),
      compositeDigit: Place(2, 44...44))
  }

  private static func twoLines(
    names: Place, optionalData: Place, optionalDataDigit: Place?, compositeTail: Place,
    compositeDigit: Place
  ) -> MRZLayout {
    MRZLayout(
      names: names, documentNumber: Place(2, 1...9), documentNumberDigit: Place(2, 10...10),
      nationality: Place(2, 11...13), dateOfBirth: Place(2, 14...19),
      dateOfBirthDigit: Place(2, 20...20), sex: Place(2, 21...21),
      dateOfExpiry: Place(2, 22...27), dateOfExpiryDigit: Place(2, 28...28),
      optionalData: [optionalData], optionalDataDigit: optionalDataDigit,
      composite: [Place(2, 1...10), Place(2, 14...20), compositeTail],
      compositeDigit: compositeDigit)
  }
}

/// The check digits of the machine readable zone (Doc 9303-3 §4.9).
enum MRZCheckDigit {
  /// The digit over some characters: the sum of their values weighted 7, 3, 1 in turn, modulo 10.
  ///
  /// - Parameter characters: `A` to `Z`, `0` to `9` and the filler; anything else counts as zero.
  /// - Returns: an ASCII digit.
  static func compute(over characters: some Collection<UInt8>) -> UInt8 {
    let weights = [7, 3, 1]
    let sum = zip(characters, 0...).reduce(0) { sum, next in
      sum + value(of: next.0) * weights[next.1 % weights.count]
    }
    return UInt8(ascii: "0") + UInt8(sum % 10)
  }

  private static func value(of character: UInt8) -> Int {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character - UInt8(ascii: "A")) + 10
    default: 0
    }
  }
}
