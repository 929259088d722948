/// The applications of a CIE 3.0 and how each is selected (ISO/IEC 7816-4 §11.2.2).
public enum CardApplication: String, Sendable, Hashable, CaseIterable {
  /// The IAS ECC root application.
  case ias
  /// The master file.
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
    guard let identifier else { return CommandAPDU(0xA4, 0x00, 0x00) }
    return CommandAPDU(0xA4, 0x04, 0x0C, data: identifier)
  }
}

extension CommandChannel where Self: ~Copyable {
  /// Selects the root under which the CIE application lives, by behaviour: one way is asked, and when the card
  /// does not know it, the other. The family only decides which comes first.
  ///
  /// - Returns: what answered.
  mutating func selectRoot(_ family: ChipFamily) throws(CardError) -> CardApplication {
    let ways: [CardApplication] =
      family.prefersMasterFile ? [.masterFile, .ias] : [.ias, .masterFile]
    var last = StatusWord.fileNotFound
    for way in ways {
      let response = try send(way.selection, at: .selectRoot)
      if response.status == .success { return way }
      last = response.status
    }
    throw CardError(.selectRoot, .notACIE(last))
  }

  /// Selects the CIE application.
  mutating func selectCIE() throws(CardError) {
    let response = try send(CardApplication.cie.selection, at: .selectCIE)
    guard response.status == .success else {
      throw CardError(.selectCIE, .notACIE(response.status))
    }
  }
}
