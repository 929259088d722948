/// SecurityInfos, what the chip announces of itself: `SET OF SecurityInfo` (Doc 9303-11 §9.2).
///
/// The set is taken in the order of the file, which is not always that of DER, and is never encoded anew: DG14 is
/// hashed as it is stored.
struct SecurityInfos: Sendable, Equatable {
  /// The entries in the order of the file.
  let infos: [SecurityInfo]
  /// The set as stored, from its tag on.
  let encoded: [UInt8]

  /// Parses a file or a signed content that is the bare set: EF.CardAccess, the contents of
  /// EF.CardSecurity. What follows the set is padding of the file.
  init(_ bytes: [UInt8]) throws(DataGroup.Malformation) {
    var cursor = TLVCursor(bytes)
    self = try DataGroup.Malformation.parse { () throws(TLVError) in
      try SecurityInfos(&cursor)
    }
  }

  /// Parses DG14: tag 6E around the set (Doc 9303-10 §4.7.14).
  init(dataGroup14 file: [UInt8]) throws(DataGroup.Malformation) {
    var cursor = try DataGroup.Malformation.contents(of: file, tag: 0x6E)
    self = try DataGroup.Malformation.parse { () throws(TLVError) in
      let infos = try SecurityInfos(&cursor)
      try cursor.finish()
      return infos
    }
  }

  private init(_ cursor: inout TLVCursor) throws(TLVError) {
    let set = try cursor.next(DER.set)
    infos = try set.contents.all().map { object throws(TLVError) in try SecurityInfo(object) }
    encoded = [UInt8](set.encoded)
  }
}
