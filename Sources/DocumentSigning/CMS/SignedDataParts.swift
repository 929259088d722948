internal import CIECard
internal import Primitives

/// The parts of a SignedData (RFC 5652 §5.1) but for its contents, to be changed and encoded anew.
struct SignedDataParts {
  /// eContentType, content octets.
  var contentType = CMSObject.data
  /// The encodings of the digest algorithms.
  var digestAlgorithms: [[UInt8]] = []
  /// The encodings of the certificates.
  var certificateSet: [[UInt8]] = []
  /// The encodings of the members of RevocationInfoChoices.
  var revocation: [[UInt8]] = []
  /// The signers, in order.
  var signers: [SignerInfo] = []

  /// The parts of an existing SignedData.
  init(_ data: SignedData) {
    contentType = data.contentType
    digestAlgorithms = data.digestAlgorithms
    (certificateSet, revocation, signers) = (data.certificateSet, data.revocation, data.signers)
  }

  /// One more signer.
  ///
  /// - Parameters:
  ///   - signer: the new one.
  ///   - certificates: those to be in it, beside the existing ones.
  ///   - data: an existing SignedData, whose signers stay; nil for a new one.
  init(adding signer: SignerInfo, certificates: [Certificate], to data: SignedData?) {
    if let data { self.init(data) } else { self.init() }
    // With and without NULL it is the same algorithm, and either form may be listed.
    if !digestAlgorithms.contains(CMSObject.sha256) { digestAlgorithms.append(CMSObject.sha256) }
    signers.append(signer)
    add(certificates, RevocationEvidence())
  }

  private init() {}

  /// Those of the certificates that can be read.
  var certificates: [Certificate] { certificateSet.compactMap { try? Certificate(der: $0) } }

  /// Adds the certificates and the evidence that are missing.
  mutating func add(_ certificates: [Certificate], _ evidence: RevocationEvidence) {
    for certificate in certificates where !certificateSet.contains(certificate.der) {
      certificateSet.append(certificate.der)
    }
    for choice in evidence.choices where !revocation.contains(choice) { revocation.append(choice) }
  }
}
