/// The files of a travel document with the names of their saved copies.
package enum DocumentFile: Sendable, Hashable, CaseIterable {
  case cardAccess
  case cardSecurity
  case common
  case securityObject
  case group(DataGroup)

  package static let allCases: [DocumentFile] =
    [.cardAccess, .cardSecurity, .common, .securityObject] + DataGroup.allCases.map(Self.group)

  /// `EF.SOD`, `DG1`: the names in Doc 9303-10.
  var name: String {
    switch self {
    case .cardAccess: "EF.CardAccess"
    case .cardSecurity: "EF.CardSecurity"
    case .common: "EF.COM"
    case .securityObject: "EF.SOD"
    case .group(let group): group.name.uppercased()
    }
  }

  package var fileName: String { name + ".bin" }
}

/// A file that was read.
package struct ReadFile: Sendable {
  package let kind: DocumentFile
  /// The whole file, as the card returned it.
  package let bytes: [UInt8]
}
