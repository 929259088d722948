/// DG12, additional details of the document (Doc 9303-10 §4.7.12). Everything in it is optional.
public struct DocumentDetails: Sendable, Equatable {
  /// The issuing authority (5F19); on a CIE the municipality.
  public let issuingAuthority: String?
  /// The date of issue (5F26).
  public let dateOfIssue: PartialDate?
  /// Other persons on the document (5F1A).
  public let otherPersons: [PersonalDetails.Name]
  /// Endorsements and observations (5F1B).
  public let endorsements: String?
  /// Tax and exit requirements (5F1C).
  public let taxAndExit: String?
  /// An image of the front (5F1D).
  public let frontImage: [UInt8]?
  /// An image of the rear (5F1E).
  public let rearImage: [UInt8]?
  /// When the document was personalised (5F55): fourteen digits, from the year to the second.
  public let personalizationTime: String?
  /// The serial number of the system that personalised it (5F56).
  public let personalizationSystem: String?

  /// Parses the file: `6C { 5C tags, objects }`. The list of tags is not needed to find the objects, and what
  /// follows the data object is dropped.
  public init(dataGroup12 file: [UInt8]) throws(DataGroup.Malformation) {
    let contents = try DataGroup.Malformation.contents(of: file, tag: DataGroup.dg12.tag)
    let objects = try DataGroup.Malformation.parse { () throws(TLVError) in
      try DetailObjects(contents)
    }
    issuingAuthority = objects.text(0x5F19)
    dateOfIssue = try objects.date(0x5F26)
    otherPersons = try objects.names(0x5F1A)
    endorsements = objects.text(0x5F1B)
    taxAndExit = objects.text(0x5F1C)
    frontImage = objects.bytes(0x5F1D)
    rearImage = objects.bytes(0x5F1E)
    personalizationTime = try Self.time(objects.bytes(0x5F55))
    personalizationSystem = objects.text(0x5F56)
  }

  /// Fourteen characters, or seven bytes of packed digits as in older documents.
  private static func time(_ value: [UInt8]?) throws(DataGroup.Malformation) -> String? {
    guard let value else { return nil }
    let text = value.count == 7 ? value.hexadecimal : String(decoding: value, as: UTF8.self)
    guard text.utf8.count == 14, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .value(tag: 0x5F55)
    }
    return text
  }
}
