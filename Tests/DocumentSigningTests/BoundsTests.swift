import CIECard
import CZLib
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// Files of a few kilobytes that ask for gigabytes or minutes.
@Suite struct BoundsTests {
  /// A PDF whose form has the fields of object streams, with a cross-reference stream; each stream is compressed.
  private static func pdf(
    streams: [[UInt8]] = [], padding: Int = 0, member: [UInt8] = [],
    filter: String = "/FlateDecode", times: Int = 1
  ) throws -> [UInt8] {
    var bytes = [UInt8]("%PDF-1.7\n".utf8)
    var offsets: [Int] = []
    func add(_ head: String, _ body: [UInt8], _ tail: String) {
      offsets.append(bytes.count)
      bytes += [UInt8](head.utf8) + body + [UInt8](tail.utf8)
    }
    let fields = streams.indices.map { "\(100 + $0) 0 R" }.joined(separator: " ")
    add(
      "1 0 obj<</Type/Catalog/Pages 2 0 R/AcroForm<</SigFlags 3/Fields[\(fields)]>>", member,
      ">>endobj\n")
    add("2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n", [], "")
    for (index, stream) in streams.enumerated() {
      let first = [UInt8]("\(100 + index) 0 ".utf8)
      let data = try (0..<times).reduce(into: first + stream) { data, _ in
        data = try deflated(data)
      }
      add(
        "\(3 + index) 0 obj<</Type/ObjStm/N 1/First \(first.count)/Filter\(filter)"
          + "/Length \(data.count)>>stream\n", data, "\nendstream endobj\n")
    }
    let place = bytes.count
    let size = 100 + streams.count
    var rows: [UInt8] = row(0, 0) + offsets.flatMap { row(1, $0) }
    rows += streams.indices.flatMap { row(2, 3 + $0) } + row(1, place)
    let data = try deflated(rows + [UInt8](repeating: 0, count: padding))
    add(
      "\(size) 0 obj<</Type/XRef/Root 1 0 R/Size \(size + 1)/W[1 4 0]"
        + "/Index[0 \(1 + offsets.count) 100 \(streams.count + 1)]/Filter/FlateDecode"
        + "/Length \(data.count)>>stream\n", data,
      "\nendstream endobj\nstartxref\n\(place)\n%%EOF\n")
    return bytes
  }

  private static func row(_ type: UInt8, _ value: Int) -> [UInt8] {
    [type] + (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func deflated(_ data: [UInt8]) throws -> [UInt8] {
    var length = compressBound(uLong(data.count))
    var deflated = [UInt8](repeating: 0, count: Int(length))
    try #require(compress2(&deflated, &length, data, uLong(data.count), 9) == Z_OK)
    return [UInt8](deflated.prefix(Int(length)))
  }

  private static let field = [UInt8]("<</FT/Sig/T(a)>>".utf8)

  private static func spaces(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x20, count: count) }

  private static func numbers(_ count: Int) -> [UInt8] {
    [UInt8]("/X[".utf8) + (0..<count).flatMap { _ in [0x30, 0x20] } + [UInt8(ascii: "]")]
  }

  private func outcome(_ pdf: [UInt8]) throws -> DocumentReport.Outcome {
    try DocumentJudge(trust: nil).judge(ByteSource(pdf)).outcome
  }

  @Test func streamsThatDoNotExpandAreRead() throws {
    #expect(try outcome(Self.pdf(streams: [Self.field, Self.field])) == .noSignature)
    #expect(try outcome(Self.pdf(streams: [Self.field + Self.spaces(1 << 20)])) == .noSignature)
  }

  enum Bomb: CaseIterable {
    case crossReference, objectStream, twiceCompressed, manyObjects, manyDirectObjects, manyStreams
  }

  /// Less than 4 MB each, but 16 MB for objects that are not compressed.
  @Test(arguments: Bomb.allCases) func parts(_ bomb: Bomb) throws {
    let pdf =
      switch bomb {
      case .crossReference: try Self.pdf(padding: 400 << 20)
      case .objectStream: try Self.pdf(streams: [Self.field + Self.spaces(400 << 20)])
      case .twiceCompressed:
        try Self.pdf(
          streams: [Self.field + Self.spaces(400 << 20)], filter: "[/FlateDecode/FlateDecode]",
          times: 2)
      case .manyObjects:
        try Self.pdf(
          streams: [[UInt8]("<</FT/Sig/T(a)".utf8) + Self.numbers(4_000_000) + [0x3E, 0x3E]])
      case .manyDirectObjects: try Self.pdf(member: Self.numbers(8_000_000))
      case .manyStreams:
        try Self.pdf(streams: .init(repeating: Self.field + Self.spaces(40 << 20), count: 60))
      }
    #expect(throws: DocumentError.expands(limit: 160 << 20)) { try outcome(pdf) }
  }

  @Test(arguments: ["=", "=\r", "= ", "=A"]) func quotedPrintable(_ piece: String) throws {
    let text = String(repeating: piece, count: 400_000)
    #expect(throws: DocumentError.self) { try outcome([UInt8](text.utf8)) }
    let head = "Content-Type: application/pkcs7-mime\n\n"
    #expect(throws: DocumentError.self) { try outcome([UInt8]((head + text).utf8)) }
  }

  /// An attached signature whose contents are in pieces of one byte (ISO/IEC 8825-1 §8.7.3), in memory and in a file.
  @Test func piecesOfOneByte() throws {
    let text = [UInt8](repeating: 0x41, count: 100_000)
    let file = try Signed.cms(text, isAttached: true)
    let octets = TLV.encode(DER.octetString, text)
    let start = try #require(file.place(of: octets))
    let pieces = text.flatMap { TLV.encode(DER.octetString, [$0]) }
    // The lengths around the contents are made indefinite.
    let data = TLV.encode(DER.objectIdentifier, CMSObject.data)
    let version = try #require(file.place(of: [0x02, 0x01, 0x01]))
    let contents = try #require(file.place(of: data))
    var cursor = TLVCursor([UInt8](file[(version + 3)..<contents]))
    let algorithms = [UInt8](try cursor.next().encoded)
    let divided =
      [0x30, 0x80] + TLV.encode(DER.objectIdentifier, CMSObject.signedData) + [0xA0, 0x80]
      + [0x30, 0x80, 0x02, 0x01, 0x01] + algorithms + [0x30, 0x80] + data + [0xA0, 0x80]
      + [0x24, 0x80] + pieces + [0, 0, 0, 0, 0, 0] + file[(start + octets.count)...]
      + [0, 0, 0, 0, 0, 0]
    #expect(try Signed.judge(divided).outcome == .proved)
    let folder = try TemporaryDirectory()
    let path = try folder.write("divided.p7m", divided)
    let mario = try TestSigner.named(.mario)
    let judge = DocumentJudge(trust: mario.trust, at: TestSigner.time)
    #expect(try judge.judge(ByteSource(path: path)).outcome == .proved)
  }

  @Test func thousandsOfSigners() throws {
    var data = try SignedData(ByteSource(Signed.cms(isAttached: false)))
    let signer = try #require(data.signers.first)
    data.signers = .init(repeating: signer, count: 257)
    #expect(throws: DocumentError.tooManySignatures(limit: 256)) { try outcome(data.encoded) }
    data.signers = .init(repeating: signer, count: 256)
    #expect(try DocumentJudge(trust: nil).judge(ByteSource(data.encoded)).signatures.count == 256)
  }
}
