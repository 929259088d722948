extension DataGroup {
  /// DG11, additional personal details (Doc 9303-10 §4.7.11). Everything in it is optional.
  public struct PersonalDetails: Sendable, Equatable {
    /// The full name in national characters (5F0E), not truncated.
    public let name: Name?
    /// Other names (5F0F).
    public let otherNames: [Name]
    /// The personal number (5F10); on a CIE the fiscal code.
    public let personalNumber: String?
    /// The full date of birth (5F2B), with its century.
    public let dateOfBirth: MRZ.PartialDate?
    /// The place of birth (5F11): town, then province or state.
    public let placeOfBirth: [String]
    /// The permanent address (5F42): street, town, province.
    public let address: [String]
    /// The telephone number (5F12).
    public let telephone: String?
    /// The profession (5F13).
    public let profession: String?
    /// The title (5F14).
    public let title: String?
    /// A summary (5F15).
    public let summary: String?
    /// The image of a proof of citizenship (5F16).
    public let proofOfCitizenship: [UInt8]?
    /// Numbers of other valid travel documents (5F17).
    public let otherDocumentNumbers: [String]
    /// Information on custody (5F18).
    public let custody: String?

    /// Parses the file: `6B { 5C tags, objects }`. The list of tags is ignored, and bytes after the
    /// data object are dropped.
    public init(dataGroup11 file: [UInt8]) throws(DataGroup.Malformation) {
      let contents = try DataGroup.Malformation.contents(of: file, tag: DataGroup.dg11.tag)
      let objects = try DataGroup.Malformation.parse(try DetailObjects(contents))
      name = objects.name(0x5F0E)
      otherNames = try objects.names(0x5F0F)
      personalNumber = objects.text(0x5F10)
      dateOfBirth = try objects.date(0x5F2B)
      placeOfBirth = objects.list(0x5F11)
      address = objects.list(0x5F42)
      telephone = objects.text(0x5F12)
      profession = objects.text(0x5F13)
      title = objects.text(0x5F14)
      summary = objects.text(0x5F15)
      proofOfCitizenship = objects.bytes(0x5F16)
      otherDocumentNumbers = objects.list(0x5F17)
      custody = objects.text(0x5F18)
    }
  }
}

extension DataGroup.PersonalDetails {
  /// A name in the form of travel documents: two fillers separate the surname from the given names,
  /// one filler separates words (Doc 9303-3 §4.6, Doc 9303-10 §4.7.11).
  public struct Name: Sendable, Hashable {
    /// The primary identifier.
    public let surname: String
    /// The secondary identifiers; empty for people with one name.
    public let givenNames: String

    init(_ text: String) {
      let characters = Array(text)
      let gap = zip(characters, characters.dropFirst()).enumerated()
        .first { $0.element == ("<", "<") }?.offset
      let end = gap ?? characters.count
      surname = Self.words(characters.prefix(end))
      givenNames = Self.words(characters.dropFirst(end))
    }

    private static func words(_ characters: ArraySlice<Character>) -> String {
      characters.split(separator: "<").map { String($0) }.joined(separator: " ")
    }
  }
}
