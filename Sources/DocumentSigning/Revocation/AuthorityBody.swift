internal import CIECard
internal import CZLib
internal import Primitives

/// The body of an authority's answer, freed of the forms in which files are served: DER, PEM (RFC 7468) or base64 of it, and
/// gzip (RFC 1952) around them.
struct AuthorityBody {
  /// The objects in it, encoded.
  let objects: [[UInt8]]
  /// True for a web page, such as that of a login or of an error.
  let isPage: Bool

  init(_ body: [UInt8]) {
    let bytes = Self.isCompressed(body) ? Self.inflated(body) ?? [] : body
    let text = Self.trimmed(bytes)
    isPage = text.first == UInt8(ascii: "<")
    if text.first == UInt8(DER.sequence) {
      objects = [bytes.first == UInt8(DER.sequence) ? bytes : [UInt8](text)]
    } else {
      objects = Self.blocks(text).compactMap { block in
        Base64.decode(block.filter { !Self.isSpace($0) })
      }.filter { $0.first == UInt8(DER.sequence) }
    }
  }

  /// The outcome of an answer that has nothing of the wanted kind.
  var obstacle: AuthorityAnswer.Outcome { isPage ? .page : .unreadable }

  /// The certificates, also those of a SignedData without signers (RFC 5280 §4.2.2.1).
  var certificates: [Certificate] {
    objects.flatMap { object in
      if let one = try? Certificate(der: object) { return [one] }
      return (try? SignedData(ByteSource(object)).certificates) ?? []
    }
  }

  private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).drop(while: isSpace)
  }

  /// The lines between those of PEM; without such lines all of the text.
  private static func blocks(_ text: ArraySlice<UInt8>) -> [[UInt8]] {
    var blocks: [[UInt8]] = []
    var isInside = false
    for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      if line.starts(with: "-----".utf8) {
        isInside = line.starts(with: "-----BEGIN ".utf8)
        if isInside, blocks.count < mostObjects { blocks.append([]) }
      } else if isInside, let last = blocks.indices.last {
        blocks[last] += line
      }
    }
    return blocks.isEmpty ? [[UInt8](text)] : blocks
  }

  private static let mostObjects = 64

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func isCompressed(_ body: [UInt8]) -> Bool { body.starts(with: [0x1F, 0x8B]) }

  /// As long as the longest list that is loaded.
  private static let longest = 16 << 20

  private static func inflated(_ body: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // 16 more than the window's size is for gzip (zlib.h, inflateInit2).
    guard
      inflateInit2_(
        &stream, 16 + MAX_WBITS, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { inflateEnd(&stream) }
    var input = body
    return input.withUnsafeMutableBufferPointer { input -> [UInt8]? in
      (stream.next_in, stream.avail_in) = (input.baseAddress, uInt(input.count))
      var result: [UInt8] = []
      while true {
        var status = Z_OK
        let block = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
          (stream.next_out, stream.avail_out) = (buffer.baseAddress, uInt(buffer.count))
          status = inflate(&stream, Z_NO_FLUSH)
          count = buffer.count - Int(stream.avail_out)
        }
        result += block
        guard result.count <= longest else { return nil }
        if status == Z_STREAM_END { return result }
        guard status == Z_OK, !block.isEmpty || stream.avail_in > 0 else { return nil }
      }
    }
  }
}
