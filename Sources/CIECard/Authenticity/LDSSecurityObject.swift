internal import Primitives

/// The signed list of hashes in a document security object (LDSSecurityObject, Doc 9303-10 §4.6.2.3).
struct LDSSecurityObject: Sendable, Equatable {
  /// 0, or 1 if the version of the data structure is signed as well.
  let version: Int
  /// True for version 1 without the version of the data structure that it is for: 1.8 or a later one.
  let hasOddVersion: Bool
  /// The hash function of the data groups.
  let hashAlgorithm: HashAlgorithm
  /// The data groups in the order of the list; every number once.
  let dataGroups: [DataGroup]

  struct DataGroup: Sendable, Equatable {
    /// The number: 1 to 16 in an eMRTD, `A1` to `A5` and `1B` in the IAS application of a CIE.
    let number: UInt8
    /// The hash of the contents, of the algorithm's length.
    let hash: [UInt8]
  }

  func hash(of number: UInt8) -> [UInt8]? {
    dataGroups.first { $0.number == number }?.hash
  }

  /// Parses and validates the list.
  init(_ bytes: [UInt8]) throws(AuthenticityReport.SecurityObjectError) {
    let fields: Fields = try mapError(try Fields(bytes)) { (_: TLVError) in
      AuthenticityReport.SecurityObjectError.malformedHashList
    }
    guard let version = fields.version.first, fields.version.count == 1, version <= 1 else {
      throw .unknownVersion(fields.version)
    }
    guard let algorithm = HashAlgorithm(objectIdentifier: fields.hashAlgorithm) else {
      throw .unknownHashAlgorithm(objectIdentifier: fields.hashAlgorithm)
    }
    guard version == 1 || fields.structureVersion == nil else { throw .malformedHashList }
    var seen: Set<UInt8> = []
    for group in fields.dataGroups {
      guard group.hash.count == algorithm.length else {
        throw .hashLength(dataGroup: group.number, length: group.hash.count)
      }
      guard seen.insert(group.number).inserted else {
        throw .repeatedDataGroup(group.number)
      }
    }
    self.version = Int(version)
    let isOld = fields.structureVersion?.lexicographicallyPrecedes("0108".utf8) ?? true
    hasOddVersion = version == 1 && isOld
    hashAlgorithm = algorithm
    dataGroups = fields.dataGroups
  }
}

/// The wire form: `SEQUENCE { version INTEGER, hashAlgorithm AlgorithmIdentifier, SEQUENCE OF SEQUENCE {
/// dataGroupNumber INTEGER, dataGroupHashValue OCTET STRING }, ldsVersionInfo OPTIONAL }`.
private struct Fields {
  let version: [UInt8]
  let hashAlgorithm: [UInt8]
  let dataGroups: [LDSSecurityObject.DataGroup]
  /// The digits of the data structure's version; `nil` without that information.
  let structureVersion: [UInt8]?

  init(_ bytes: [UInt8]) throws(TLVError) {
    var fields = try TLVCursor(inside: DER.sequence, of: bytes)
    version = try fields.next(DER.integer).bytes
    var algorithm = try fields.next(DER.sequence).contents
    hashAlgorithm = try algorithm.next(DER.objectIdentifier).bytes
    // The parameters are NULL or absent (RFC 5754 §2).
    if !algorithm.isAtEnd { _ = try algorithm.next(DER.null) }
    try algorithm.finish()
    dataGroups = try fields.next(DER.sequence).contents.all().map { entry throws(TLVError) in
      try Self.dataGroup(entry)
    }
    if fields.isAtEnd {
      structureVersion = nil
    } else {
      var info = try fields.next(DER.sequence).contents
      structureVersion = try info.next(DER.printableString).bytes
      _ = try info.next(DER.printableString)
      try info.finish()
    }
    try fields.finish()
  }

  /// One entry. The IAS application writes the numbers `A1` to `A5` as INTEGERs of one content
  /// byte, which are negative in strict DER; the byte is taken unchanged. The correct `00 A1` means
  /// the same.
  private static func dataGroup(_ entry: TLV) throws(TLVError) -> LDSSecurityObject.DataGroup {
    guard entry.tag == DER.sequence else {
      throw .unexpectedTag(found: entry.tag, expected: DER.sequence)
    }
    var fields = entry.contents
    var number = try fields.next(DER.integer).bytes
    if number.count == 2, number.first == 0 { number.removeFirst() }
    guard let value = number.first, number.count == 1 else { throw .invalidLength }
    let hash = try fields.next(DER.octetString).bytes
    try fields.finish()
    return LDSSecurityObject.DataGroup(number: value, hash: hash)
  }
}
