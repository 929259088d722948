/// The files of a travel document (Doc 9303-10 §4.6, §4.7; Doc 9303-11 §9.2).
///
/// Two pairs share their identifiers: which file is meant depends on what is selected, the master file or the
/// application.
enum LDSFile: Sendable, Hashable {
  /// EF.CardAccess of the master file: what PACE needs to know. Free.
  case cardAccess
  /// EF.CardSecurity of the master file: the same, signed. After PACE.
  case cardSecurity
  /// EF.COM: which data groups exist.
  case common
  /// EF.SOD: the signed hashes of the data groups.
  case securityObject
  /// A data group.
  case group(DataGroup)

  /// Whether the file lies below the master file and not in the application.
  var isInMasterFile: Bool {
    switch self {
    case .cardAccess, .cardSecurity: true
    case .common, .securityObject, .group: false
    }
  }

  /// The file identifier.
  var identifier: UInt16 {
    switch self {
    case .cardAccess: 0x011C
    case .cardSecurity, .securityObject: 0x011D
    case .common: 0x011E
    case .group(let group): group.fileIdentifier
    }
  }

  /// The short file identifier, five bits.
  var shortIdentifier: UInt8 {
    switch self {
    case .cardAccess: 0x1C
    case .cardSecurity, .securityObject: 0x1D
    case .common: 0x1E
    case .group(let group): group.shortIdentifier
    }
  }
}
