/// The data objects of EF.COM, DG11 and DG12, by their tags: all may be absent, none may occur twice, their order is
/// free.
struct DetailObjects {
  private var objects: [UInt32: TLV] = [:]

  init(_ contents: TLVCursor) throws(TLVError) {
    for object in try contents.all() {
      guard objects.updateValue(object, forKey: object.tag) == nil else {
        throw .repeated(tag: object.tag)
      }
    }
  }

  /// An object that must be there.
  func required(_ tag: UInt32) throws(DataGroup.Malformation) -> TLV {
    guard let object = objects[tag] else { throw .missing(tag: tag) }
    return object
  }

  /// The value; `nil` when it is absent or empty.
  func bytes(_ tag: UInt32) -> [UInt8]? {
    guard let object = objects[tag], !object.value.isEmpty else { return nil }
    return object.bytes
  }

  /// The value as text, with a blank for the fillers between its words.
  func text(_ tag: UInt32) -> String? {
    guard let value = bytes(tag) else { return nil }
    let parts = Self.parts(of: value)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// The parts of a value that fillers divide (Doc 9303-10 §4.7.11), such as street and town.
  func list(_ tag: UInt32) -> [String] { bytes(tag).map(Self.parts) ?? [] }

  /// The value as a name.
  func name(_ tag: UInt32) -> PersonalDetails.Name? {
    bytes(tag).map { PersonalDetails.Name(Self.decoded($0)) }
  }

  /// The value as a date.
  func date(_ tag: UInt32) throws(DataGroup.Malformation) -> PartialDate? {
    guard let value = bytes(tag) else { return nil }
    guard let date = PartialDate(value) else { throw .value(tag: tag) }
    return date
  }

  /// The names in the template A0: `02 count`, then one object with this tag for each. The count is not needed.
  func names(_ tag: UInt32) throws(DataGroup.Malformation) -> [PersonalDetails.Name] {
    guard let template = objects[0xA0] else { return [] }
    let inside = try DataGroup.Malformation.parse { () throws(TLVError) in
      try template.contents.all()
    }
    return inside.filter { $0.tag == tag && !$0.value.isEmpty }
      .map { PersonalDetails.Name(Self.decoded($0.bytes)) }
  }

  private static func parts(of value: [UInt8]) -> [String] {
    value.split(separator: MRZ.filler).map { decoded([UInt8]($0)) }
  }

  /// Texts are UTF-8 (Doc 9303-10 §4.7.11); one that is not was written by an older system in ISO 8859-1.
  private static func decoded(_ value: [UInt8]) -> String {
    String(validating: value, as: UTF8.self)
      ?? String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
  }
}
