internal import Primitives

/// Forms in which signed files arrive, recognized by their contents because names change.
enum InputForm {
  /// The signed file itself, freed of its text form.
  case cms(ByteSource)
  case pdf(ByteSource)
  /// A time stamp token, without the answer around it (RFC 3161 §2.4.2).
  case timeStamp([UInt8])

  /// The largest text form: it is decoded in memory.
  static let largestText = 256 << 20

  /// The largest time stamp.
  private static let largestStamp = 1 << 20

  init(_ source: ByteSource) throws(JudgementError) {
    let head = try Self.read(source, 0..<min(source.count, 1024))
    if head.starts(with: [0x30]) {
      guard Self.isTimeStampResponse(head) else {
        self = .cms(source)
        return
      }
      guard source.count <= Self.largestStamp else { throw .tooLarge(limit: Self.largestStamp) }
      let response = try? TimeStampResponse(try Self.read(source, 0..<source.count))
      guard case .granted(let token) = response else { throw .unsupported(.timeStamp) }
      self = .timeStamp(token)
    } else if head.starts(with: "PK\u{3}\u{4}".utf8) {
      throw .unsupported(.zip(mediaType: Self.mediaType(head)))
    } else if head.place(of: "%PDF-".utf8) != nil {
      self = .pdf(source)
    } else {
      self = .cms(ByteSource(try Self.decoded(source)))
    }
  }

  /// True for the beginning of a SignedData in DER or BER.
  static func isSignedData(_ head: [UInt8]) -> Bool {
    let mark = TLV.encode(DER.objectIdentifier, CMSObject.signedData)
    return head.first == 0x30
      && (2...8).contains { head.dropFirst($0).starts(with: mark) }
  }

  /// TimeStampResp begins with PKIStatusInfo, a SEQUENCE with a small INTEGER (RFC 3161 §2.4.2).
  private static func isTimeStampResponse(_ head: [UInt8]) -> Bool {
    let lengthBytes = head.count > 1 && head[1] & 0x80 != 0 ? Int(head[1] & 0x7F) : 0
    let status = head.dropFirst(2 + lengthBytes).prefix(5)
    return status.count == 5 && status.first == 0x30 && status.dropFirst(2).first == 0x02
  }

  /// The first member of an ASiC is its media type, stored (EN 319 162-1 annex A).
  private static func mediaType(_ head: [UInt8]) -> String? {
    let name = [UInt8]("mimetype".utf8)
    guard head.count > 38, [UInt8](head[30..<38]) == name else { return nil }
    let length = Int(head[18]) | Int(head[19]) << 8
    return String(decoding: head.dropFirst(38).prefix(length), as: UTF8.self).printable
  }

  /// Base64 with or without the lines of PEM or the header of S/MIME, or with a byte order mark.
  private static func decoded(_ source: ByteSource) throws(JudgementError) -> [UInt8] {
    guard source.count <= largestText else { throw .tooLarge(limit: largestText) }
    var text = try read(source, 0..<source.count)[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    // DER behind a byte order mark, as a text editor leaves it.
    if text.first == 0x30, text.dropFirst().first.map({ $0 >= 0x80 }) == true {
      return [UInt8](text)
    }
    let head = [UInt8](text.prefix(4096))
    if head.first(where: { !isSpace($0) }) == UInt8(ascii: "<") { throw .unsupported(.xml) }
    if lowercased(head).place(of: "multipart/".utf8) != nil { throw .unsupported(.multipart) }
    var body = text
    if head.place(of: "-----BEGIN ".utf8) != nil {
      var lines = text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
      lines.removeAll { $0.starts(with: "-----".utf8) }
      body = ArraySlice(lines.joined())
    } else if lowercased(head).place(of: "pkcs7-mime".utf8) != nil, let end = headerEnd(head) {
      body = text.dropFirst(end)
    }
    guard let bytes = Base64.decode(body.filter { !isSpace($0) }), bytes.first == 0x30 else {
      throw .cms(.malformed(.contentInfo))
    }
    return bytes
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func lowercased(_ text: [UInt8]) -> [UInt8] {
    text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  /// The place behind the empty line that ends a MIME header.
  private static func headerEnd(_ text: [UInt8]) -> Int? {
    for (mark, length) in [("\r\n\r\n", 4), ("\n\n", 2)] {
      if let start = text.place(of: mark.utf8) { return start + length }
    }
    return nil
  }

  private static func read(_ source: ByteSource, _ range: Range<Int>) throws(JudgementError)
    -> [UInt8]
  {
    do throws(CMSError) { return try source.bytes(range) } catch { throw .cms(error) }
  }
}
