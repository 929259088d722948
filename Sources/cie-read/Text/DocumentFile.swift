import CIECard

/// The files of a travel document under the names that they are saved with.
enum DocumentFile: Sendable, Hashable, CaseIterable {
  case cardAccess
  case cardSecurity
  case common
  case securityObject
  case group(DataGroup)

  static let allCases: [DocumentFile] =
    [.cardAccess, .cardSecurity, .common, .securityObject] + DataGroup.allCases.map(Self.group)

  /// `EF.SOD`, `DG1`: as Doc 9303-10 calls them.
  var name: String {
    switch self {
    case .cardAccess: "EF.CardAccess"
    case .cardSecurity: "EF.CardSecurity"
    case .common: "EF.COM"
    case .securityObject: "EF.SOD"
    case .group(let group): group.name.uppercased()
    }
  }

  /// The name of the saved file.
  var fileName: String { name + ".bin" }
}
