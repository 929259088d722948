internal import CIECard
internal import Primitives

/// A SignedData (RFC 5652 §5.1), taken apart or put together: its contents stay where they are.
struct SignedData {
  /// eContentType, content octets.
  private(set) var contentType = CMSObject.data
  /// The encodings of the digest algorithms, in order.
  var digestAlgorithms: [[UInt8]] = []
  /// The places of eContent in the source; nil if the signature is detached.
  private(set) var content: [Range<Int>]?
  /// The encodings of the members of the CertificateSet, in order.
  var certificateSet: [[UInt8]] = [] {
    didSet { certificates = Self.certificates(certificateSet) }
  }
  /// Those of them that can be read, in order.
  private(set) var certificates: [Certificate] = []
  /// The encodings of the members of RevocationInfoChoices, in order.
  var revocation: [[UInt8]] = []
  var signers: [SignerInfo] = []
  /// Number of bytes behind it in its source; zero for nothing but zeros and line ends.
  private(set) var bytesBehind = 0

  /// Each signer costs a path of certificates: thousands would take minutes.
  static let mostSigners = 256

  /// One without signers, about contents of type data.
  init() {}

  /// Reads the ContentInfo at the start of a source: BER or DER.
  ///
  /// - Parameter mayGoOn: true if other bytes than zeros and line ends may follow, as `bytesBehind`.
  /// - Throws: `trailingBytes` for such bytes else.
  init(_ source: ByteSource, mayGoOn: Bool = false) throws(DocumentError) {
    var file = BERWalker(source)
    var info = try file.enter(DER.sequence, .contentInfo)
    let type = try Self.value(of: info.next(), DER.objectIdentifier, .contentInfo)
    guard type == CMSObject.signedData else { throw .otherType(CMSObject.dotted(type)) }
    var explicit = try info.enter(0xA0, .contentInfo)
    var data = try explicit.enter(DER.sequence, .contentInfo)
    let version = try Self.value(of: data.next(), DER.integer, .version)
    digestAlgorithms = try Self.members(of: data.next(), DER.set, .digestAlgorithms)

    var contents = try data.enter(DER.sequence, .contents)
    contentType = try Self.value(of: contents.next(), DER.objectIdentifier, .contents)
    if try !contents.isAtEnd() {
      var explicit = try contents.enter(0xA0, .contents)
      content = try explicit.octets()
      try contents.leave(explicit)
    }
    try data.leave(contents)

    if try data.peek().tag == 0xA0 {
      certificateSet = try Self.members(of: data.next(), 0xA0, .certificates)
      certificates = Self.certificates(certificateSet)
    }
    if try data.peek().tag == 0xA1 {
      revocation = try Self.members(of: data.next(), 0xA1, .revocation)
    }
    let encodings = try Self.members(of: data.next(), DER.set, .signer)
    guard encodings.count <= Self.mostSigners else {
      throw .tooManySignatures(limit: Self.mostSigners)
    }
    signers = try encodings.map {
      (encoded) throws(DocumentError) in try SignerInfo(encoded)
    }
    try explicit.leave(data)
    try info.leave(explicit)
    try file.leave(info)
    bytesBehind = try Self.bytesBehind(file.position, of: source)
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
    return isPlain && signers.allSatisfy { $0.version == 1 } ? 1 : 3
  }

  private static func certificates(_ set: [[UInt8]]) -> [Certificate] {
    set.compactMap { try? Certificate(der: $0) }
  }

  /// Room of a PDF is filled with zeros, and mail programs end a file with a line.
  private static func bytesBehind(
    _ end: Int, of source: ByteSource
  ) throws(DocumentError) -> Int {
    guard source.count > end else { return 0 }
    var blocks = BlockReader(source, [end..<source.count])
    while let block = try blocks.next() {
      guard block.allSatisfy({ [0x00, 0x0A, 0x0D].contains($0) }) else { return source.count - end }
    }
    return 0
  }

  private static func value(
    of encoded: [UInt8], _ tag: UInt32, _ part: DocumentError.Part
  ) throws(DocumentError) -> [UInt8] {
    var cursor = TLVCursor(encoded)
    return try mapError(try cursor.next(tag).bytes) { (_: TLVError) in DocumentError.malformed(part)
    }
  }

  private static func members(
    of encoded: [UInt8], _ tag: UInt32, _ part: DocumentError.Part
  ) throws(DocumentError) -> [[UInt8]] {
    let set = TLVCursor(try value(of: encoded, tag, part))
    return try mapError(try set.all().map { [UInt8]($0.encoded) }) { (_: TLVError) in
      DocumentError.malformed(part)
    }
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
