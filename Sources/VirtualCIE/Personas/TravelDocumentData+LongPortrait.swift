extension TravelDocumentData {
  /// The document of `Persona.unknown` with a portrait file longer than 32 KiB and an EF.SOD that
  /// covers it: bytes after 32767 can be read only with the odd instruction (ISO/IEC 7816-4
  /// §11.3.3).
  static var withLongPortrait: TravelDocumentData {
    var document = Persona.unknown.travelDocument
    document.dataGroups[2] = document.dataGroups[2].flatMap { withComment($0) }
    document.securityObject = Persona.unknown.documentFile(
      "long-portrait-security-object")
    return document
  }

  /// Length of the comment, as in `Sources/C/CPersonaData/maker/personas/documents.py`.
  private static let commentLength = 30_000

  /// Inserts a comment of zero bytes into EF.DG2 after the first marker of its JPEG image.
  private static func withComment(_ group: [UInt8]) -> [UInt8]? {
    guard let faces = BERObject.single(0x75, group)?.value,
      let templates = BERObject.single(0x7F61, faces).flatMap({ BERObject.list($0.value) }),
      templates.count == 2, let members = BERObject.list(templates[1].value), members.count == 2
    else { return nil }
    var record = members[1].value
    // ISO/IEC 19794-5 §5.4 to §5.7: header of 14 bytes, facial information of 20, image information of 12.
    let image = 14 + 20 + 12
    guard record.count > image, Array(record[image...].prefix(3)) == [0xFF, 0xD8, 0xFF]
    else { return nil }
    // COM (ISO/IEC 10918-1 §B.2.4.5): the length includes itself.
    let comment = [0xFF, 0xFE] + bigEndian(commentLength + 2).suffix(2)
    record.insert(
      contentsOf: comment + [UInt8](repeating: 0, count: commentLength), at: image + 2)
    record.replaceSubrange(8..<12, with: bigEndian(record.count))
    record.replaceSubrange(14..<18, with: bigEndian(record.count - 14))
    return BERObject.encode(
      0x75,
      BERObject.encode(
        0x7F61, templates[0].encoded,
        BERObject.encode(0x7F60, members[0].encoded, BERObject.encode(members[1].tag, record))))
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(clamping: number).bigEndian) { [UInt8]($0) }
  }
}
