internal import Primitives

/// Forms of the extended lengths in EF.ATR/INFO, tag 7F66, which the card takes in any case (BSI TR-03105-5.1, LDS_K).
public enum AnnouncedLengths: String, Sendable, CaseIterable {
  /// Command and response, two bytes each.
  case twoBytes = "two-bytes"
  /// Command and response, three bytes each.
  case threeBytes = "three-bytes"
  /// That of commands alone.
  case oneLength = "one-length"
  /// With tag 7F65.
  case otherTag = "other-tag"

  /// The object in the survey of a card, which has of unknown tags the length only.
  package var surveyWord: String {
    self == .otherTag ? "7f65:8-bytes" : object.hexadecimal
  }

  /// The data object for 1238 and 2019 bytes.
  var object: [UInt8] {
    switch self {
    case .twoBytes: HexText.decode("7F6608 020204D6 020207E3")
    case .threeBytes: HexText.decode("7F660A 02030004D6 02030007E3")
    case .oneLength: HexText.decode("7F6604 020204D6")
    case .otherTag: HexText.decode("7F6508 020204D6 020207E3")
    }
  }
}
