/// EF.COM: which data groups the document has, and after which version of the specification (Doc 9303-10 §4.6.1).
///
/// It is not signed: a hint which files are worth reading, while the security object has the last word.
package struct CommonData: Sendable, Equatable {
  /// The version of the data structure, four digits: `0107` is 1.7.
  package let structureVersion: String
  /// The version of Unicode, six digits: `040000` is 4.0.0.
  package let unicodeVersion: String
  /// The data groups in the order of the list.
  package let dataGroups: [DataGroup]

  /// The tag that the file begins with (Doc 9303-10 §4.6.1).
  private static let tag: UInt32 = 0x60

  /// Parses the file: `60 { 5F01 version, 5F36 Unicode version, 5C tags }`. Tags that no data group has are passed
  /// over; what follows the data object is dropped.
  package init(file: [UInt8]) throws(DataGroup.Malformation) {
    let contents = try DataGroup.Malformation.contents(of: file, tag: Self.tag)
    let objects = try DataGroup.Malformation.parse { () throws(TLVError) in
      try DetailObjects(contents)
    }
    structureVersion = try Self.digits(4, in: objects.required(0x5F01))
    unicodeVersion = try Self.digits(6, in: objects.required(0x5F36))
    dataGroups = try objects.required(0x5C).value.compactMap { DataGroup(tag: UInt32($0)) }
  }

  private static func digits(_ count: Int, in object: TLV) throws(DataGroup.Malformation) -> String
  {
    let isNumber = object.value.allSatisfy { (0x30...0x39).contains($0) }
    guard isNumber, object.value.count == count else { throw .value(tag: object.tag) }
    return String(decoding: object.value, as: UTF8.self)
  }
}
