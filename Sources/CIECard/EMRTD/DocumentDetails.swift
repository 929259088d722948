extension DataGroup {
  /// DG12, additional details of the document (Doc 9303-10 §4.7.12). Everything in it is optional.
  public struct DocumentDetails: Sendable, Equatable {
    /// The issuing authority (5F19); on a CIE the municipality.
    public let issuingAuthority: String?
    /// The date of issue (5F26).
    public let dateOfIssue: MRZ.PartialDate?
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
    /// The time of personalisation (5F55): fourteen digits, from the year to the second.
    public let personalizationTime: String?
    /// The serial number of the system that personalised it (5F56).
    public let personalizationSystem: String?

    /// Parses the file: `6C { 5C tags, objects }`. The list of tags is ignored, and bytes after the
    /// data object are dropped.
    public init(dataGroup12 file: [UInt8]) throws(DataGroup.Malformation) {
      let contents = try DataGroup.Malformation.contents(of: file, tag: DataGroup.dg12.tag)
      let objects = try DataGroup.Malformation.parse(try DetailObjects(contents))
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
}

/// The data objects of EF.COM, DG11 and DG12, by their tags: each is optional, unique, and in any
/// position.
struct DetailObjects {
  private var objects: [UInt32: TLV] = [:]

  init(_ contents: TLVCursor) throws(TLVError) {
    for object in try contents.all() {
      guard objects.updateValue(object, forKey: object.tag) == nil else {
        throw .repeated(tag: object.tag)
      }
    }
  }

  func required(_ tag: UInt32) throws(DataGroup.Malformation) -> TLV {
    guard let object = objects[tag] else { throw .missing(tag: tag) }
    return object
  }

  /// The value; `nil` if it is absent or empty.
  func bytes(_ tag: UInt32) -> [UInt8]? {
    guard let object = objects[tag], !object.value.isEmpty else { return nil }
    return object.bytes
  }

  /// The value as text, with blanks in place of fillers.
  func text(_ tag: UInt32) -> String? {
    guard let value = bytes(tag) else { return nil }
    let parts = Self.parts(of: value)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// The parts of a value separated by fillers (Doc 9303-10 §4.7.11), such as street and town.
  func list(_ tag: UInt32) -> [String] { bytes(tag).map(Self.parts) ?? [] }

  func name(_ tag: UInt32) -> DataGroup.PersonalDetails.Name? {
    bytes(tag).map { DataGroup.PersonalDetails.Name(Self.decoded($0)) }
  }

  func date(_ tag: UInt32) throws(DataGroup.Malformation) -> MRZ.PartialDate? {
    guard let value = bytes(tag) else { return nil }
    guard let date = MRZ.PartialDate(value) else { throw .value(tag: tag) }
    return date
  }

  /// The names in the template A0: `02 count`, then one object with this tag for each. The count is
  /// ignored.
  func names(_ tag: UInt32) throws(DataGroup.Malformation) -> [DataGroup.PersonalDetails.Name] {
    guard let template = objects[0xA0] else { return [] }
    let inside = try DataGroup.Malformation.parse(try template.contents.all())
    return inside.filter { $0.tag == tag && !$0.value.isEmpty }
      .map { DataGroup.PersonalDetails.Name(Self.decoded($0.bytes)) }
  }

  private static func parts(of value: [UInt8]) -> [String] {
    value.split(separator: MRZ.filler).map { decoded([UInt8]($0)) }
  }

  /// Decodes UTF-8 (Doc 9303-10 §4.7.11), or else ISO 8859-1, which older systems wrote.
  private static func decoded(_ value: [UInt8]) -> String {
    String(validating: value, as: UTF8.self)
      ?? String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
  }
}
