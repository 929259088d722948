/// The data groups of the logical data structure (Doc 9303-10 §4.7).
public enum DataGroup: UInt8, Sendable, Hashable, CaseIterable {
  /// The machine readable zone (§4.7.1).
  case dg1 = 1
  /// The encoded face (§4.7.2).
  case dg2
  /// The encoded fingers; only with the issuing state's certificates (§4.7.3).
  case dg3
  /// The encoded irises; only with the issuing state's certificates (§4.7.4).
  case dg4
  /// The displayed portrait (§4.7.5).
  case dg5
  /// Reserved (§4.7.6).
  case dg6
  /// The displayed signature (§4.7.7).
  case dg7
  /// Data features (§4.7.8).
  case dg8
  /// Structure features (§4.7.9).
  case dg9
  /// Substance features (§4.7.10).
  case dg10
  /// Additional personal details (§4.7.11).
  case dg11
  /// Additional document details (§4.7.12).
  case dg12
  /// Optional details (§4.7.13).
  case dg13
  /// Security options: SecurityInfos (§4.7.14).
  case dg14
  /// The public key of active authentication (§4.7.15).
  case dg15
  /// Persons to notify (§4.7.16).
  case dg16

  /// The number, 1 to 16, in the list of the security object.
  public var number: UInt8 { rawValue }

  /// `dg1` to `dg16`.
  public var name: String { "dg\(rawValue)" }

  /// The group with this name, case-insensitive.
  public init?(name: some StringProtocol) {
    let name = name.lowercased()
    guard let group = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = group
  }

  /// The tag at the start of the file.
  public var tag: UInt32 {
    switch self {
    case .dg1: 0x61
    case .dg2: 0x75
    case .dg3: 0x63
    case .dg4: 0x76
    case .dg5: 0x65
    case .dg6: 0x66
    case .dg7: 0x67
    case .dg8: 0x68
    case .dg9: 0x69
    case .dg10: 0x6A
    case .dg11: 0x6B
    case .dg12: 0x6C
    case .dg13: 0x6D
    case .dg14: 0x6E
    case .dg15: 0x6F
    case .dg16: 0x70
    }
  }

  /// The file identifier below the application.
  public var fileIdentifier: UInt16 { 0x0100 | UInt16(rawValue) }

  /// The short file identifier, five bits.
  public var shortIdentifier: UInt8 { rawValue }
}

/// The list of data groups in EF.COM (Doc 9303-10 §4.6.1), which is not signed.
enum CommonData {
  static func tags(in file: [UInt8]) throws(TLVError) -> [UInt8] {
    var cursor = TLVCursor(file)
    return [UInt8](try cursor.next(0x60).contents.first(0x5C).bytes)
  }

  /// The listed data groups; none if the file is malformed.
  static func groups(in file: [UInt8]) -> Set<DataGroup> {
    let tags = (try? tags(in: file)) ?? []
    return Set(DataGroup.allCases.filter { tags.map(UInt32.init).contains($0.tag) })
  }
}
