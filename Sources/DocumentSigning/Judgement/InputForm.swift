internal import CIECard
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

  private static let largestStamp = 1 << 20

  init(_ source: ByteSource) throws(DocumentError) {
    var outside: [DocumentReport.Outside] = []
    try self.init(source, &outside)
  }

  /// - Parameter outside: gets what stands in a text form beside the signed file.
  init(_ source: ByteSource, _ outside: inout [DocumentReport.Outside]) throws(DocumentError) {
    guard source.count > 0 else { throw .empty }
    let head = try source.bytes(0..<min(source.count, 1024))
    if head.starts(with: [0x30]) {
      guard Self.isTimeStampResponse(head) else {
        self = .cms(source)
        return
      }
      guard source.count <= Self.largestStamp else { throw .tooLarge(limit: Self.largestStamp) }
      let response = try? TimeStampResponse(source.bytes(0..<source.count))
      guard case .granted(let token) = response else { throw .unsupported(.timeStamp) }
      self = .timeStamp(token)
    } else if head.starts(with: "PK\u{3}\u{4}".utf8) {
      throw .unsupported(.zip(mediaType: Self.mediaType(head)))
    } else if head.place(of: "%PDF-".utf8) != nil {
      self = .pdf(source)
    } else {
      self = .cms(ByteSource(try Self.decoded(source, &outside)))
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

  private static func decoded(
    _ source: ByteSource, _ outside: inout [DocumentReport.Outside]
  ) throws(DocumentError) -> [UInt8] {
    guard source.count <= largestText else { throw .tooLarge(limit: largestText) }
    let text = SignedText(try source.bytes(0..<source.count))
    if text.isPage { throw .unsupported(.page) }
    if text.isXML { throw .unsupported(.xml) }
    guard let found = text.signedFile else {
      if text.hasSeveralBlocks { throw .unsupported(.blocks) }
      throw text.isMultipart ? .unsupported(.multipart) : .malformed(.contentInfo)
    }
    outside = found.outside
    return found.bytes
  }
}
