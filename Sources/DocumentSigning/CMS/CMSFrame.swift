internal import CIECard
internal import Primitives

/// The encoding of a SignedData around its contents, in DER (RFC 5652 §5.1): what comes before them
/// and behind them, so that contents of any size are only copied.
struct CMSFrame {
  let head: [UInt8]
  let tail: [UInt8]

  /// - Parameters:
  ///   - parts: an existing SignedData, whose signers stay; nil for a new one.
  ///   - signer: the encoding of the new SignerInfo.
  ///   - certificates: those to be in it, beside the existing ones.
  ///   - contentLength: of the contents inside; nil for a detached signature.
  init(
    adding signer: [UInt8], certificates: [Certificate], to parts: SignedData? = nil,
    contentLength: Int?
  ) throws(CMSError) {
    let contentType = parts?.contentType ?? CMSObject.data
    var certificateSet = parts?.certificateSet ?? []
    for certificate in certificates where !certificateSet.contains(certificate.der) {
      certificateSet.append(certificate.der)
    }
    var algorithms = parts?.digestAlgorithms ?? []
    // With and without NULL it is the same algorithm, and either form may be listed.
    if !algorithms.contains(CMSObject.sha256) { algorithms.append(CMSObject.sha256) }
    var signers = parts?.signers ?? []
    signers.append(try SignerInfo(signer))
    let version = SignedData.version(contentType, certificateSet, signers)

    let before =
      TLV.encode(DER.integer, [UInt8(version)]) + TLV.encode(DER.set, TLV.ordered(algorithms))
    tail =
      TLV.encode(0xA0, TLV.ordered(certificateSet)) + (parts?.revocation ?? [])
      + TLV.encode(DER.set, TLV.ordered(signers.map { $0.encoded }))
    let type = TLV.encode(DER.objectIdentifier, contentType)
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

  /// The beginning of ContentInfo, up to the value of SignedData.
  private static func contentInfo(length: Int) -> [UInt8] {
    let data = TLV.header(DER.sequence, length: length)
    let explicit = TLV.header(0xA0, length: data.count + length)
    let type = TLV.encode(DER.objectIdentifier, CMSObject.signedData)
    let all = type.count + explicit.count + data.count + length
    return TLV.header(DER.sequence, length: all) + type + explicit + data
  }
}
