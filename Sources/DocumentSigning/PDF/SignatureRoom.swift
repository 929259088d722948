internal import CIECard
internal import Primitives

/// A document with an update for a signature or a time stamp of the document, and room for its value (ISO 32000-2
/// §12.8.1).
struct SignatureRoom: Sendable {
  private var bytes: [UInt8]
  /// The place of the hexadecimal string without its brackets.
  private let room: Range<Int>
  private let ranges: [Range<Int>]

  /// Number of bytes of the longest value.
  var length: Int { room.count / 2 }

  /// Room for a signature (`ETSI.CAdES.detached`).
  init(
    _ length: Int, _ particulars: PDFParticulars, _ place: SignaturePlace,
    _ appearance: MarkAppearance?, in file: PDFFile, at time: UTCTime
  ) throws(DocumentError) {
    // Behind Contents, because the length of strings changes when they are encrypted.
    var members: PDFSyntax.Members = [("M", .date(time))]
    for (key, value) in [("Reason", particulars.reason), ("Location", particulars.location)] {
      if let value { members.append((key, .text(value))) }
    }
    try self.init(
      "/Sig", "/ETSI.CAdES.detached", length, members, place, appearance, in: file)
  }

  /// Room for a time stamp of the document (`ETSI.RFC3161`), in a new field.
  init(_ length: Int, stamping file: PDFFile) throws(DocumentError) {
    try SigningPermission.checkUpdate(of: file)
    try self.init(
      "/DocTimeStamp", "/ETSI.RFC3161", length, [], SignaturePlace(in: file), nil, in: file)
  }

  /// Enough for the tokens of known authorities, which have 2 to 7 kB.
  static let ofTimeStamp = 8 << 10

  private init(
    _ type: String, _ format: String, _ length: Int, _ members: PDFSyntax.Members,
    _ place: SignaturePlace, _ appearance: MarkAppearance?, in file: PDFFile
  ) throws(DocumentError) {
    var head = [UInt8](
      "<</Type \(type) /Filter /Adobe.PPKLite /SubFilter \(format) /ByteRange ".utf8)
    let byteRange = head.count
    head += Self.byteRange([0..<0, 0..<0]) + [UInt8](" /Contents <".utf8)
    let contents = head.count..<head.count + 2 * max(0, length)
    head += [UInt8](repeating: UInt8(ascii: "0"), count: contents.count)
    var value = PDFSyntax(head) + "> "
    for (key, text) in members { value += .name(key) + " " + text + " " }

    var update = try IncrementalUpdate(file)
    let (number, start) = try update.add(value + ">>")
    try place.enter(number, appearance, file, &update)
    bytes = try update.finished()
    room = start + contents.lowerBound..<start + contents.upperBound
    ranges = [0..<room.lowerBound - 1, room.upperBound + 1..<bytes.count]
    let numbers = Self.byteRange(ranges)
    let first = start + byteRange
    bytes.replaceSubrange(first..<first + numbers.count, with: numbers)
  }

  /// Numbers of ten digits, so that the length is known before the numbers are.
  private static func byteRange(_ ranges: [Range<Int>]) -> [UInt8] {
    let numbers = ranges.flatMap { [$0.lowerBound, $0.count] }.map { PDFSyntax.padded($0, 10) }
    return [UInt8]("[\(numbers.joined(separator: " "))]".utf8)
  }

  /// SHA-256 of the covered bytes.
  func digest() throws(DocumentError) -> Digest { try ByteSource(bytes).digest(of: ranges) }

  /// The document with the value in its room.
  consuming func filled(with value: [UInt8]) throws(DocumentError) -> [UInt8] {
    let digits = [UInt8](value.hexadecimal.utf8)
    guard digits.count <= room.count else {
      throw .refused(.room(needed: digits.count / 2, given: room.count / 2))
    }
    bytes.replaceSubrange(room.lowerBound..<room.lowerBound + digits.count, with: digits)
    return bytes
  }
}
