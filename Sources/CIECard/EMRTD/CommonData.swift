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
