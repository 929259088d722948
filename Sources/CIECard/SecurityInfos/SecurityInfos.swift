/// SecurityInfos, the chip's announcements: `SET OF SecurityInfo` (Doc 9303-11 §9.2).
///
/// The set keeps the order of the file, which is not always that of DER, and is never re-encoded,
/// because DG14 is hashed as stored.
struct SecurityInfos: Sendable, Equatable {
  let infos: [SecurityInfo]
  /// The set as stored, including its tag.
  let encoded: [UInt8]

  /// Parses a file or a signed content that is the bare set: EF.CardAccess, the contents of
  /// EF.CardSecurity. Bytes after the set are padding of the file.
  init(_ bytes: [UInt8]) throws(DataGroup.Malformation) {
    var cursor = TLVCursor(bytes)
    self = try DataGroup.Malformation.parse(try SecurityInfos(&cursor))
  }

  /// Parses DG14: tag 6E around the set (Doc 9303-10 §4.7.14).
  init(dataGroup14 file: [UInt8]) throws(DataGroup.Malformation) {
    var cursor = try DataGroup.Malformation.contents(of: file, tag: 0x6E)
    self = try DataGroup.Malformation.parse(try SecurityInfos(&cursor))
    try DataGroup.Malformation.parse(try cursor.finish())
  }

  private init(_ cursor: inout TLVCursor) throws(TLVError) {
    let set = try cursor.next(DER.set)
    infos = try set.contents.all().map { object throws(TLVError) in try SecurityInfo(object) }
    encoded = [UInt8](set.encoded)
  }
}

/// One announcement of a protocol or a key: `SEQUENCE { protocol OBJECT IDENTIFIER, requiredData, optionalData
/// OPTIONAL }` (Doc 9303-11 §9.2; BSI TR-03110-3 §A.1.1).
enum SecurityInfo: Sendable, Equatable {
  case pace(PACEInfo)
  case paceDomainParameter(PACEDomainParameterInfo)
  case chipAuthentication(ChipAuthenticationInfo)
  case chipAuthenticationPublicKey(ChipAuthenticationPublicKeyInfo)
  /// Terminal authentication, for which this program has no certificates.
  case terminalAuthentication
  case activeAuthentication(ActiveAuthenticationInfo)
  /// A copy of EF.DIR.
  case directory
  /// Anything else, with the content octets of its object identifier.
  case unknown(objectIdentifier: [UInt8])

  init(_ object: TLV) throws(TLVError) {
    guard object.tag == DER.sequence else {
      throw .unexpectedTag(found: object.tag, expected: DER.sequence)
    }
    var fields = object.contents
    let identifier = try fields.next(DER.objectIdentifier).bytes
    self = try Self.read(identifier, &fields)
  }

  private static func read(
    _ identifier: [UInt8], _ fields: inout TLVCursor
  ) throws(TLVError) -> SecurityInfo {
    if let variant = PACEProtocol(objectIdentifier: identifier) {
      return .pace(try PACEInfo(variant, &fields))
    }
    if let info = try PACEDomainParameterInfo(identifier, &fields) {
      return .paceDomainParameter(info)
    }
    if let variant = ChipAuthenticationProtocol(objectIdentifier: identifier) {
      return .chipAuthentication(try ChipAuthenticationInfo(variant, &fields))
    }
    if let info = try ChipAuthenticationPublicKeyInfo(identifier, &fields) {
      return .chipAuthenticationPublicKey(info)
    }
    return switch identifier {
    case ProtocolIdentifier.terminalAuthentication: .terminalAuthentication
    case ProtocolIdentifier.activeAuthentication:
      .activeAuthentication(try ActiveAuthenticationInfo(&fields))
    case ProtocolIdentifier.directory: .directory
    default: .unknown(objectIdentifier: identifier)
    }
  }
}

/// PACEInfo: version INTEGER, parameterId INTEGER OPTIONAL (Doc 9303-11 §9.2.1).
struct PACEInfo: Sendable, Hashable {
  let `protocol`: PACEProtocol
  /// 2; 1 is an older protocol.
  let version: Int
  /// The standardised domain parameters (Doc 9303-11 §9.5.1), or those of the PACEDomainParameterInfo with this
  /// number.
  let parameterIdentifier: Int?

  fileprivate init(_ variant: PACEProtocol, _ fields: inout TLVCursor) throws(TLVError) {
    `protocol` = variant
    version = try fields.nextNumber()
    parameterIdentifier = fields.isAtEnd ? nil : try fields.nextNumber()
    try fields.finish()
  }
}

/// PACEDomainParameterInfo: domainParameter AlgorithmIdentifier, parameterId INTEGER OPTIONAL (BSI TR-03110-3
/// §A.1.1.1).
struct PACEDomainParameterInfo: Sendable, Equatable {
  let agreement: KeyAgreementMethod
  let mapping: PACEProtocol.Mapping
  let algorithmIdentifier: [UInt8]
  /// The number by which a PACEInfo refers to it.
  let parameterIdentifier: Int?

  fileprivate init?(_ identifier: [UInt8], _ fields: inout TLVCursor) throws(TLVError) {
    guard let arcs = ProtocolIdentifier.arcs(of: identifier, below: ProtocolIdentifier.pace),
      let arc = arcs.first, arcs.count == 1, let found = PACEProtocol.mapping(arc: arc)
    else { return nil }
    (agreement, mapping) = found
    algorithmIdentifier = [UInt8](try fields.next(DER.sequence).encoded)
    parameterIdentifier = fields.isAtEnd ? nil : try fields.nextNumber()
    try fields.finish()
  }
}

/// ActiveAuthenticationInfo: version INTEGER, signatureAlgorithm OBJECT IDENTIFIER (Doc 9303-11 §9.2.4).
struct ActiveAuthenticationInfo: Sendable, Equatable {
  /// 1.
  let version: Int
  /// The content octets of the object identifier of an ECDSA variant.
  let signatureAlgorithm: [UInt8]

  fileprivate init(_ fields: inout TLVCursor) throws(TLVError) {
    version = try fields.nextNumber()
    signatureAlgorithm = try fields.next(DER.objectIdentifier).bytes
    try fields.finish()
  }
}
