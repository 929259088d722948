internal import CIECard
internal import Primitives

/// The encoding of a SignedData around its contents, in DER (RFC 5652 §5.1): what comes before them
/// and behind them, so that contents of any size are only copied.
struct CMSFrame {
  let head: [UInt8]
  let tail: [UInt8]

  /// One more signer.
  ///
  /// - Parameters:
  ///   - signer: the new one.
  ///   - certificates: those to be in it, beside the existing ones.
  ///   - parts: an existing SignedData, whose signers stay; nil for a new one.
  ///   - contentLength: of the contents inside; nil for a detached signature.
  init(
    adding signer: SignerInfo, certificates: [Certificate], to parts: SignedData? = nil,
    contentLength: Int?
  ) throws(CMSError) {
    var certificateSet = parts?.certificateSet ?? []
    for certificate in certificates where !certificateSet.contains(certificate.der) {
      certificateSet.append(certificate.der)
    }
    var algorithms = parts?.digestAlgorithms ?? []
    // With and without NULL it is the same algorithm, and either form may be listed.
    if !algorithms.contains(CMSObject.sha256) { algorithms.append(CMSObject.sha256) }
    self.init(
      contentType: parts?.contentType ?? CMSObject.data, algorithms, certificateSet,
      parts?.revocation ?? [], (parts?.signers ?? []) + [signer], contentLength)
  }

  /// An existing SignedData with its signers in another encoding.
  init(rewriting parts: SignedData, signers: [SignerInfo]) {
    self.init(
      contentType: parts.contentType, parts.digestAlgorithms, parts.certificateSet,
      parts.revocation, signers, parts.content.map { $0.reduce(0) { $0 + $1.count } })
  }

  private init(
    contentType: [UInt8], _ algorithms: [[UInt8]], _ certificateSet: [[UInt8]],
    _ revocation: [UInt8], _ signers: [SignerInfo], _ contentLength: Int?
  ) {
    let version = SignedData.version(contentType, certificateSet, signers)

    let before =
      TLV.encode(DER.integer, [UInt8(version)]) + TLV.encode(DER.set, TLV.ordered(algorithms))
    tail =
      (certificateSet.isEmpty ? [] : TLV.encode(0xA0, TLV.ordered(certificateSet))) + revocation
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
