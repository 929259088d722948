internal import CIECard
internal import Primitives

/// A document with an update for a signature or a time stamp of the document, and room for its value (ISO 32000-2
/// §12.8.1).
struct SignatureRoom: Sendable {
  private var bytes: [UInt8]
  /// The place of the hexadecimal string without its brackets.
  private let room: Range<Int>
  /// The bytes that the value covers.
  private let ranges: [Range<Int>]

  /// Room for a signature (`ETSI.CAdES.detached`).
  ///
  /// - Throws: `PDFError`.
  init(
    _ particulars: PreparedPDF.Particulars, _ place: PreparedPDF.Place,
    _ appearance: MarkAppearance?, in file: PDFFile, at time: UTCTime
  ) throws(PDFError) {
    // Strings stand behind Contents, because their length changes when they are encrypted.
    var members: [(key: String, value: [UInt8])] = [("M", PDFSyntax.date(time))]
    for (key, value) in [("Reason", particulars.reason), ("Location", particulars.location)] {
      if let value { members.append((key, PDFSyntax.text(value))) }
    }
    try self.init(
      "/Sig", "/ETSI.CAdES.detached", length: particulars.room, members, place, appearance,
      in: file)
  }

  /// Room for a time stamp of the document (`ETSI.RFC3161`), in a new field.
  ///
  /// - Throws: `PDFError`.
  init(stamping file: PDFFile) throws(PDFError) {
    try SigningPermission.checkUpdate(of: file)
    let name = PreparedPDF.newName(in: file, nil)
    try self.init(
      "/DocTimeStamp", "/ETSI.RFC3161", length: PreparedPDF.Particulars().room, [],
      PreparedPDF.Place(target: nil, name: name, mark: nil), nil, in: file)
  }

  private init(
    _ type: String, _ format: String, length: Int, _ members: [(key: String, value: [UInt8])],
    _ place: PreparedPDF.Place, _ appearance: MarkAppearance?, in file: PDFFile
  ) throws(PDFError) {
    var value = [UInt8]("<</Type \(type) /Filter /Adobe.PPKLite /SubFilter \(format) ".utf8)
    value += [UInt8]("/ByteRange ".utf8)
    let empty = Self.byteRange([0..<0, 0..<0])
    let byteRange = value.count..<value.count + empty.count
    value += empty + [UInt8](" /Contents <".utf8)
    let contents = value.count..<value.count + 2 * max(0, length)
    value += [UInt8](repeating: UInt8(ascii: "0"), count: contents.count) + [UInt8](">".utf8)
    for (key, text) in members { value += [0x20] + PDFSyntax.name(key) + [0x20] + text }
    value += [UInt8](">>".utf8)

    var update = try IncrementalUpdate(file)
    let number = update.newNumber()
    let start = try update.append(number, value, sparing: contents.upperBound + 1)
    try PreparedPDF.enter(number, place, appearance, file, &update)
    try file.check()
    update.finish(identifier: try file.newIdentifier())
    bytes = update.bytes
    room = start + contents.lowerBound..<start + contents.upperBound
    ranges = [0..<room.lowerBound - 1, room.upperBound + 1..<bytes.count]
    bytes.replaceSubrange(
      start + byteRange.lowerBound..<start + byteRange.upperBound, with: Self.byteRange(ranges))
  }

  /// Numbers of ten digits, so that the length is known before the numbers are.
  private static func byteRange(_ ranges: [Range<Int>]) -> [UInt8] {
    let numbers = ranges.flatMap { [$0.lowerBound, $0.count] }.map { PDFSyntax.padded($0, 10) }
    return [UInt8]("[\(numbers.joined(separator: " "))]".utf8)
  }

  /// SHA-256 of the covered bytes.
  func digest() throws(CMSError) -> [UInt8] { try ByteSource(bytes).hash(of: ranges, .sha256) }

  /// The document with the value in its room.
  ///
  /// - Throws: `PDFError.refused(.room)`.
  consuming func filled(with value: [UInt8]) throws(PDFError) -> [UInt8] {
    let digits = [UInt8](value.hexadecimal.utf8)
    guard digits.count <= room.count else {
      throw .refused(.room(needed: digits.count / 2, given: room.count / 2))
    }
    bytes.replaceSubrange(room.lowerBound..<room.lowerBound + digits.count, with: digits)
    return bytes
  }
}
