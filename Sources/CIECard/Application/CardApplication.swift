/// The applications of a CIE 3.0 and their selection (ISO/IEC 7816-4 §11.2.2).
package enum CardApplication: String, Sendable, Hashable, CaseIterable {
  case ias
  case masterFile = "master-file"
  /// The CIE application below the root.
  case cie
  /// The travel document application (Doc 9303-10 §3.1).
  case travelDocument = "travel-document"

  /// The application identifier; `nil` for the master file.
  var identifier: [UInt8]? {
    switch self {
    case .ias: [0xA0, 0, 0, 0, 0x30, 0x80, 0, 0, 0, 0x09, 0x81, 0x60, 0x01]
    case .masterFile: nil
    case .cie: [0xA0, 0, 0, 0, 0, 0x39]
    case .travelDocument: [0xA0, 0, 0, 0x02, 0x47, 0x10, 0x01]
    }
  }

  /// The SELECT command: by name without response data, or the four bytes 00 A4 00 00 for the master file.
  var selection: CommandAPDU {
    identifier.map { .select(application: $0) } ?? .selectMasterFile
  }
}

/// Commands that select the root above the CIE application. Cards differ in which of them they
/// know; the CIE application itself can be selected without any of them.
enum RootSelection: CaseIterable {
  /// The IAS ECC application by its name.
  case ias
  /// The master file in four bytes, 00 A4 00 00, as the desktop middleware does.
  case masterFile
  /// The master file by its identifier 3F00 (IAS ECC §9.7.1).
  case masterFileByIdentifier

  /// All of them, with the family's preference first.
  static func ways(for family: ChipFamily) -> [RootSelection] {
    family.prefersMasterFile
      ? [.masterFile, .ias, .masterFileByIdentifier] : [.ias, .masterFile, .masterFileByIdentifier]
  }

  var command: CommandAPDU {
    switch self {
    case .ias: CardApplication.ias.selection
    case .masterFile: CardApplication.masterFile.selection
    case .masterFileByIdentifier: .selectMasterFileByIdentifier
    }
  }

  var application: CardApplication {
    switch self {
    case .ias: .ias
    case .masterFile, .masterFileByIdentifier: .masterFile
    }
  }
}
