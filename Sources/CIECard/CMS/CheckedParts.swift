/// The parts of a SignedData that are not in its own form but in those of X.509, all of which must be well-formed, also
/// those without use: in DER, although the file may have BER.
struct CheckedParts {
  let digestAlgorithm: [UInt8]
  let signatureAlgorithm: [UInt8]
  /// The signed attributes, each.
  let attributes: [[UInt8]]
  /// The certificate named by the signer identifier, or the only one, or a known one if there is none.
  let certificate: Certificate?
  /// True if the signer identifier names another one.
  let isOtherNamed: Bool

  /// - Parameter known: a certificate from elsewhere.
  /// - Throws: `malformedSignedData`; `noSignerCertificate` if the signer identifier names none of several certificates.
  init(
    of data: SignedData, _ signer: SignerInfo, _ known: SignedContents.KnownCertificates
  ) throws(AuthenticityReport.SecurityObjectError) {
    for version in [data.version, signer.version] {
      guard version.count <= 4 else { throw .malformed(.version) }
      _ = try Self.der(.integer, TLV.encode(DER.integer, version), .version)
    }
    _ = try Self.der(.algorithm, all: data.digestAlgorithms, .digestAlgorithms)
    let contentType = TLV.encode(DER.objectIdentifier, data.contentType)
    _ = try Self.der(.objectIdentifier, contentType, .contents)
    let certificates = try Self.certificates(of: data)
    _ = try Self.der(.revocationList, all: data.revocation, .revocation)

    guard let identifier = SignerIdentifier(signer.identifier) else { throw .malformed(.signer) }
    digestAlgorithm = try Self.der(.algorithm, signer.digestAlgorithm, .signer)
    signatureAlgorithm = try Self.der(.algorithm, signer.signatureAlgorithm, .signer)
    let signed = try mapError(try TLVCursor(signer.signedAttributes ?? []).all()) { (_: TLVError) in
      AuthenticityReport.SecurityObjectError.malformed(.attributes)
    }
    attributes = try Self.der(.attribute, all: signed.map { [UInt8]($0.encoded) }, .attributes)
    _ = try Self.der(.attribute, all: signer.unsignedAttributes.map { $0.encoded }, .attributes)

    let named = certificates.first { $0.handle.map(identifier.names) == true }
    let chosen = named ?? (certificates.count == 1 ? certificates.first : nil)
    // Refuses several certificates if the identifier names another one, because any of them could be meant.
    guard certificates.isEmpty || chosen != nil else { throw .noSignerCertificate }
    certificate = certificates.isEmpty ? known(identifier) : chosen?.certificate
    isOtherNamed = named == nil && chosen != nil
  }

  /// The certificates, each as OpenSSL has it, and as ours if it can be used.
  private static func certificates(
    of data: SignedData
  ) throws(AuthenticityReport.SecurityObjectError) -> [(
    handle: X509Handle?, certificate: Certificate?
  )] {
    // All that were read are in DER: they need not be read again.
    guard data.certificates.count < data.certificateSet.count else {
      return data.certificates.map { ($0.handle, $0) }
    }
    return try der(.certificate, all: data.certificateSet, .certificates).map {
      (try? X509Handle(prefixOf: $0), try? Certificate(der: $0))
    }
  }

  private static func der(
    _ type: X509Type, all encodings: [[UInt8]], _ part: SignedDataPart
  ) throws(AuthenticityReport.SecurityObjectError) -> [[UInt8]] {
    try encodings.map { (encoding) throws(AuthenticityReport.SecurityObjectError) in
      try der(type, encoding, part)
    }
  }

  private static func der(
    _ type: X509Type, _ encoding: [UInt8], _ part: SignedDataPart
  ) throws(AuthenticityReport.SecurityObjectError) -> [UInt8] {
    guard let der = type.der(encoding) else { throw .malformed(part) }
    return der
  }
}
