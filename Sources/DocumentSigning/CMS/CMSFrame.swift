internal import Primitives

/// The encoding of a SignedData around its contents, in DER (RFC 5652 §5.1): what comes before them
/// and behind them, so that contents of any size are only copied.
struct CMSFrame {
  let head: [UInt8]
  let tail: [UInt8]

  /// - Parameter contentLength: of the contents inside; nil for a detached signature.
  init(_ parts: SignedDataParts, contentLength: Int?) {
    let version = SignedData.version(
      parts.contentType, parts.certificateSet, parts.revocation, parts.signers)
    let before =
      TLV.encode(DER.integer, [UInt8(version)])
      + TLV.encode(DER.set, TLV.ordered(parts.digestAlgorithms))
    tail =
      Self.implicit(0xA0, parts.certificateSet) + Self.implicit(0xA1, parts.revocation)
      + TLV.encode(DER.set, TLV.ordered(parts.signers.map { $0.encoded }))
    let type = TLV.encode(DER.objectIdentifier, parts.contentType)
    guard let contentLength else {
      let data = before + TLV.encode(DER.sequence, type) + tail
      let info = Self.contentInfo(length: data.count)
      head = info + before + TLV.encode(DER.sequence, type)
      return
    }
    let octets = TLV.header(DER.octetString, length: contentLength)
    let explicit = TLV.header(0xA0, length: octets.count + contentLength)
    let inside = type.count + explicit.count + octets.count + contentLength
    let contents = TLV.header(DER.sequence, length: inside) + type + explicit + octets
    head =
      Self.contentInfo(length: before.count + contents.count + contentLength + tail.count)
      + before + contents
  }

  /// A SET that is left out if it is empty.
  private static func implicit(_ tag: UInt32, _ members: [[UInt8]]) -> [UInt8] {
    members.isEmpty ? [] : TLV.encode(tag, TLV.ordered(members))
  }

  /// The beginning of ContentInfo, up to the value of SignedData.
  private static func contentInfo(length: Int) -> [UInt8] {
    let data = TLV.header(DER.sequence, length: length)
    let explicit = TLV.header(0xA0, length: data.count + length)
    let type = TLV.encode(DER.objectIdentifier, CMSObject.signedData)
    let all = type.count + explicit.count + data.count + length
    return TLV.header(DER.sequence, length: all) + type + explicit + data
  }
}
