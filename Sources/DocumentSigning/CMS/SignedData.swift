internal import CIECard
internal import Primitives

extension SignedData {
  /// Reads the ContentInfo at the start of a document: BER or DER.
  ///
  /// - Parameter mayGoOn: true if other bytes than zeros and line ends may follow, as `bytesBehind`.
  /// - Throws: `trailingBytes` for such bytes else.
  init(_ source: ByteSource, mayGoOn: Bool = false) throws(DocumentError) {
    try self.init(reading: source)
    guard signers.allSatisfy(\.hasRequiredVersion) else { throw .malformed(.version) }
    if try source.isBlank(from: source.count - bytesBehind) { bytesBehind = 0 }
    guard bytesBehind == 0 || mayGoOn else { throw .trailingBytes(count: bytesBehind) }
    // Programs number it in their own ways, and nothing depends on the number.
    guard version.count == 1, (1...5).contains(version[0]) else { throw .malformed(.version) }
  }

  /// The version that is written for these parts (RFC 5652 §5.1).
  var requiredVersion: Int {
    let tags = certificateSet.map { $0.first }
    if tags.contains(0xA3) || revocation.contains(where: { $0.first == 0xA1 }) { return 5 }
    if tags.contains(0xA2) { return 4 }
    let isPlain = contentType == CMSObject.data && !tags.contains(0xA1)
    return isPlain && signers.allSatisfy { $0.identifier.tag == DER.sequence } ? 1 : 3
  }
}

extension ByteSource {
  /// True if nothing but zeros and line ends follows: room of a PDF is filled with zeros, and mail programs end a file with
  /// a line.
  fileprivate func isBlank(from start: Int) throws(DocumentError) -> Bool {
    var blocks = BlockReader(self, [start..<count])
    while let block = try blocks.next() {
      guard block.allSatisfy({ [0x00, 0x0A, 0x0D].contains($0) }) else { return false }
    }
    return true
  }
}

extension SignedData {
  mutating func add(_ signer: SignerInfo, _ certificates: [Certificate]) {
    // With and without NULL it is the same algorithm, and either form may be listed.
    if !digestAlgorithms.contains(CMSObject.sha256) { digestAlgorithms.append(CMSObject.sha256) }
    signers.append(signer)
    add(certificates, RevocationEvidence())
  }

  /// Adds the certificates and the evidence that are missing.
  mutating func add(_ certificates: [Certificate], _ evidence: RevocationEvidence) {
    for certificate in certificates where !certificateSet.contains(certificate.der) {
      certificateSet.append(certificate.der)
    }
    for choice in evidence.choices where !revocation.contains(choice) { revocation.append(choice) }
  }

  /// The encoding of a detached signature.
  var encoded: [UInt8] {
    let frame = frame(contentLength: nil)
    return frame.head + frame.tail
  }

  /// The encoding around the contents, in DER (RFC 5652 §5.1): what comes before them and behind them, so that contents
  /// of any size are only copied.
  func frame(contentLength: Int?) -> (head: [UInt8], tail: [UInt8]) {
    let tail =
      Self.implicit(0xA0, certificateSet) + Self.implicit(0xA1, revocation)
      + TLV.encode(DER.set, TLV.ordered(signers.map { $0.encoded }))
    var rest = contentLength ?? 0
    func enclosed(_ tag: UInt32, _ head: [UInt8]) -> [UInt8] {
      TLV.header(tag, length: head.count + rest) + head
    }
    var contents = TLV.encode(DER.objectIdentifier, contentType)
    if contentLength != nil { contents += enclosed(0xA0, enclosed(DER.octetString, [])) }
    let data =
      TLV.encode(DER.integer, [UInt8(requiredVersion)])
      + TLV.encode(DER.set, TLV.ordered(digestAlgorithms)) + enclosed(DER.sequence, contents)
    rest += tail.count
    let info =
      TLV.encode(DER.objectIdentifier, CMSObject.signedData)
      + enclosed(0xA0, enclosed(DER.sequence, data))
    return (enclosed(DER.sequence, info), tail)
  }

  /// A SET that is left out if it is empty.
  private static func implicit(_ tag: UInt32, _ members: [[UInt8]]) -> [UInt8] {
    members.isEmpty ? [] : TLV.encode(tag, TLV.ordered(members))
  }
}
