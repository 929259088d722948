// Deliberately written apart from CIECard: the card's files.

/// The dedicated files of the card: what SELECT can make current.
enum Application {
  /// The MF, which is the IAS ECC root application.
  case root
  /// The CIE application (ADF).
  case identity
  /// The eMRTD application; its files need PACE or basic access control.
  case travelDocument

  /// AID of the IAS ECC root application, 13 bytes.
  static let rootAID: [UInt8] = [
    0xA0, 0x00, 0x00, 0x00, 0x30, 0x80, 0x00, 0x00, 0x00, 0x09, 0x81, 0x60, 0x01,
  ]
  /// AID of the CIE application, 6 bytes.
  static let identityAID: [UInt8] = [0xA0, 0x00, 0x00, 0x00, 0x00, 0x39]
  /// AID of the eMRTD application (ICAO Doc 9303-10 §3.2), 7 bytes.
  static let travelDocumentAID: [UInt8] = [0xA0, 0x00, 0x00, 0x02, 0x47, 0x10, 0x01]

  /// The application with this AID; not every card knows the root by it.
  init?(aid: [UInt8], knowsRootAID: Bool) {
    switch aid {
    case Self.rootAID where knowsRootAID: self = .root
    case Self.identityAID: self = .identity
    case Self.travelDocumentAID: self = .travelDocument
    default: return nil
    }
  }

  /// The name that selects the application.
  var aid: [UInt8] {
    switch self {
    case .root: Self.rootAID
    case .identity: Self.identityAID
    case .travelDocument: Self.travelDocumentAID
    }
  }

  /// EF.DIR: one template for each application, 61 with its AID under 4F (IAS ECC §10.4.1.3).
  static var directory: [UInt8] {
    [Application.root, .identity, .travelDocument].flatMap {
      BERObject.encode(0x61, BERObject.encode(0x4F, $0.aid))
    }
  }

  /// File control parameters of the application (IAS ECC §3.3.4): an ADF has neither 83 nor 8A.
  func controlParameters(tag: UInt32) -> [UInt8] {
    BERObject.encode(
      tag, BERObject.encode(0x82, [0x38]), BERObject.encode(0x84, aid),
      BERObject.encode(0xA1, BERObject.encode(0x9C, [0x00])))
  }
}
