/// A SignedData (RFC 5652 §5.1), taken apart or put together: its contents stay where they are.
package struct SignedData: Sendable {
  /// CMSVersion, content octets; empty for one that was not read.
  package private(set) var version: [UInt8] = []
  /// eContentType, content octets.
  package private(set) var contentType = CMSObject.data
  /// The encodings of the digest algorithms, in order.
  package var digestAlgorithms: [[UInt8]] = []
  /// The places of eContent in the source; nil if the signature is detached.
  package private(set) var content: [Range<Int>]?
  /// The encodings of the members of the CertificateSet, in order.
  package var certificateSet: [[UInt8]] = [] {
    didSet { certificates = Self.certificates(certificateSet) }
  }
  /// Those of them that can be read, in order.
  package private(set) var certificates: [Certificate] = []
  /// The encodings of the members of RevocationInfoChoices, in order.
  package var revocation: [[UInt8]] = []
  package var signers: [SignerInfo] = []
  /// Number of bytes behind it in its source.
  package var bytesBehind = 0

  /// Each signer costs a path of certificates: thousands would take minutes.
  package static let mostSigners = 256

  /// One without signers, about contents of type data.
  package init() {}

  /// Reads the ContentInfo at the start of a source: BER or DER, of any version.
  package init<Source: EncodedSource>(reading source: Source) throws(Source.Failure) {
    var file = BERWalker(source)
    var info = try file.enter(DER.sequence, .contentInfo)
    let type = try info.value(DER.objectIdentifier, .contentInfo)
    guard type == CMSObject.signedData else {
      throw Source.failure(.otherType(CMSObject.dotted(type)))
    }
    var explicit = try info.enter(0xA0, .contentInfo)
    var data = try explicit.enter(DER.sequence, .contentInfo)
    version = try data.value(DER.integer, .version)
    digestAlgorithms = try data.members(DER.set, .digestAlgorithms)

    var contents = try data.enter(DER.sequence, .contents)
    contentType = try contents.value(DER.objectIdentifier, .contents)
    if try !contents.isAtEnd() {
      var explicit = try contents.enter(0xA0, .contents)
      content = try explicit.octets()
      try contents.leave(explicit)
    }
    try data.leave(contents)

    if try data.peek().tag == 0xA0 {
      certificateSet = try data.members(0xA0, .certificates)
      certificates = Self.certificates(certificateSet)
    }
    if try data.peek().tag == 0xA1 { revocation = try data.members(0xA1, .revocation) }
    let encodings = try data.members(DER.set, .signer)
    guard encodings.count <= Self.mostSigners else {
      throw Source.failure(.signerCount(encodings.count))
    }
    signers = try mapError(try encodings.map(SignerInfo.init)) { (_: TLVError) in
      Source.failure(.malformed(.signer))
    }
    try explicit.leave(data)
    try info.leave(explicit)
    try file.leave(info)
    bytesBehind = source.count - file.position
  }

  private static func certificates(_ set: [[UInt8]]) -> [Certificate] {
    set.compactMap { try? Certificate(der: $0) }
  }
}
