/// Contents that one signer signed, in a SignedData (RFC 5652 §5), with the result of verifying them.
struct SignedContents: Sendable {
  /// eContentType, dotted.
  let contentType: String
  let content: [UInt8]
  /// The signer's certificate; `nil` if it is neither here nor known.
  let signer: Certificate?
  /// The hash function of the messageDigest attribute; `nil` if documents do not use it.
  let digestAlgorithm: HashAlgorithm?
  /// The signed attributes; `nil` if the signature covers the contents themselves.
  let attributes: SignerAttributes?
  /// The signature algorithm, dotted.
  let signatureAlgorithm: String
  /// The signature algorithm, if documents may use it.
  let scheme: SignatureAlgorithm?
  /// The verification with the signer's key.
  let signature: CMSSignature
  /// The first oddity of the structure. SignedData has version 3, as contents of another type than data and certificates
  /// of X.509 require (RFC 5652 §5.1), and SignerInfo 1 for an issuer with a serial number, 3 for a key identifier (§5.3).
  let remark: AuthenticityReport.Remark?

  /// Finds a signer's certificate that did not come along.
  typealias KnownCertificates = (SignerIdentifier) -> Certificate?

  /// Parses a ContentInfo that is the whole input and verifies the signature with the signer's own
  /// certificate.
  ///
  /// BER is accepted (Doc 9303-10 §4.6.2 requires DER, but old documents do not comply). There must
  /// be one signer. Its certificate is the one named by the signer identifier; if none matches and
  /// there is only one, that one: issuers have written the two names differently.
  init(
    _ input: [UInt8], knowing known: KnownCertificates = { _ in nil }
  ) throws(AuthenticityReport.SecurityObjectError) {
    let data = try SignedData(reading: SignedFile(bytes: input))
    guard data.bytesBehind == 0 else { throw .malformedSignedData(reason: "trailing bytes") }
    guard let places = data.content else { throw .malformedSignedData(reason: "no contents") }
    content = places.reduce(into: []) { $0 += input[$1] }
    contentType = CMSObject.dotted(data.contentType)
    guard let info = data.signers.first, data.signers.count == 1 else {
      throw .signerCount(data.signers.count)
    }
    let parts = try CheckedParts(of: data, info, known)
    // Contents of another type than data must have signed attributes (RFC 5652 §5.3); old security
    // objects have been signed without. Contents and attributes cannot be confused: one is a
    // SEQUENCE, the other a SET.
    attributes = parts.attributes.isEmpty ? nil : try SignerAttributes(parts.attributes)
    let digest = CMSObject.ofAlgorithm(parts.digestAlgorithm)
    digestAlgorithm = digest.flatMap { HashAlgorithm(objectIdentifier: $0) }
    let listed = Set(data.digestAlgorithms.map { CMSObject.ofAlgorithm($0) })
    remark =
      data.version != [3] || !info.hasRequiredVersion
      ? .oddVersion : listed != [digest] ? .oddAlgorithms : parts.isOtherNamed ? .oddSigner : nil
    signatureAlgorithm = CMSObject.dotted(CMSObject.ofAlgorithm(parts.signatureAlgorithm) ?? [])
    scheme = SignatureAlgorithm(algorithmIdentifier: parts.signatureAlgorithm)
    signer = parts.certificate
    guard let hash = digestAlgorithm else {
      signature = .unsupported
      return
    }
    if let attributes,
      (try? hash.hash(content)) != attributes.messageDigest
        || attributes.contentType != data.contentType
    {
      signature = .contentsAltered
      return
    }
    guard let signer else {
      signature = .noCertificate
      return
    }
    let verdicts = (attributes?.messages ?? [content]).map { message in
      CMSSignature(
        info.signature, of: message, algorithm: parts.signatureAlgorithm, digest: hash,
        certificate: signer)
    }
    signature = verdicts.first { $0 == .valid } ?? verdicts.first ?? .unsupported
  }

  /// True if SHA-1 is used in the digest of the contents or in the signature.
  var usesSHA1: Bool {
    digestAlgorithm == .sha1 || scheme?.usesSHA1(digest: digestAlgorithm) == true
  }
}
