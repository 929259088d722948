/// A master list: the CSCA certificates that a state has seen and vouches for (Doc 9303-12 §9), in
/// a CMS SignedData with one signer.
///
/// The initializer verifies the signature and that an anchor issued the signer. The certificates
/// are trusted only once they are put into a `TrustStore`.
package struct MasterList: Sendable {
  package let certificates: [Certificate]
  /// Number of skipped entries, which are not readable certificates.
  package let unreadable: Int
  /// The path from the signer of the list to the anchor, both included.
  package let path: [Certificate]
  /// The signing time claimed by the signer.
  package let signingTime: UTCTime?

  /// The state that issued the list: the country of the anchor.
  package var country: String? { path.last?.subject.country }

  /// id-icao-cscaMasterList (Doc 9303-12 §9.2).
  static let contentType = "2.23.136.1.1.2"

  /// True if bytes look like a CMS structure rather than a certificate: a SEQUENCE that begins with
  /// an object identifier (RFC 5652 §3).
  static func isCandidate(_ file: [UInt8]) -> Bool {
    // Tag and length of the outer SEQUENCE take two to six bytes.
    guard file.first == 0x30, file.count > 1 else { return false }
    let lengthBytes = file[1] < 0x80 ? 0 : Int(file[1] & 0x7F)
    let inner = file.dropFirst(2 + lengthBytes)
    return lengthBytes <= 4 && inner.first == 0x06
  }

  /// Verifies and parses a list: first its signature and its signer, then its contents.
  ///
  /// - Parameters:
  ///   - file: the whole list, in BER or DER.
  ///   - place: the path of the file, for the error.
  ///   - anchors: the CSCA certificates whose master list signers are trusted.
  ///   - time: the time at which the signer must be valid.
  init(
    file: [UInt8], path place: String, signedBy anchors: TrustStore, at time: UTCTime
  ) throws(TrustStore.LoadingError) {
    func refusal(_ reason: TrustStore.MasterListError) -> TrustStore.LoadingError {
      .masterList(path: place, reason)
    }
    let signed = try mapError(try SignedContents(file)) { refusal(.init($0)) }
    guard signed.contentType == Self.contentType else {
      throw refusal(.contentType(signed.contentType))
    }
    guard let signer = signed.signer else { throw refusal(.init(.noSignerCertificate)) }
    switch signed.signature {
    case .valid where !signed.usesSHA1: break
    case .contentsAltered: throw refusal(.contentsAltered)
    case .wrong: throw refusal(.signatureWrong)
    case .valid, .unsupported, .noCertificate:
      throw refusal(.unsupportedAlgorithm(signed.signatureAlgorithm))
    }
    signingTime = signed.attributes?.signingTime
    switch anchors.chain(of: signer, for: .masterLists, at: time) {
    case .path(let path) where path.allSatisfy({ $0.isValid(at: time) }): self.path = path
    case .path: throw refusal(.notValid(signer))
    case .issuerUnknown, .issuerKeyUnknown: throw refusal(.signerUnknown(signer.issuer))
    case .notIssued: throw refusal(.notIssued(signer.issuer))
    case .refused(let reason): throw refusal(.chainRefused(reason: reason))
    case .notASigner: throw refusal(.notASigner)
    case .unsupported(let algorithm): throw refusal(.unsupportedAlgorithm(algorithm))
    }
    (certificates, unreadable) = try mapError(try Self.certificates(in: signed.content)) {
      (_: TLVError) in refusal(.malformedList)
    }
    guard !certificates.isEmpty else { throw refusal(.empty) }
  }

  /// The certificates in the signed contents, and the number of entries that are not readable ones.
  static func certificates(
    in content: [UInt8]
  ) throws(TLVError) -> ([Certificate], unreadable: Int) {
    let entries = try Self.entries(content)
    let certificates = entries.compactMap { try? Certificate(der: [UInt8]($0.encoded)) }
    return (certificates, entries.count - certificates.count)
  }

  /// `CscaMasterList ::= SEQUENCE { version INTEGER { v0(0) }, certList SET OF Certificate }` (Doc 9303-12 §9.2).
  static func entries(_ content: [UInt8]) throws(TLVError) -> [TLV] {
    var fields = try TLVCursor(inside: DER.sequence, of: content)
    guard try fields.next(0x02).bytes == [0] else { throw .invalidLength }
    var list = try fields.next(0x31).contents
    try fields.finish()
    var entries: [TLV] = []
    while !list.isAtEnd {
      guard entries.count < mostEntries else { throw .invalidLength }
      entries.append(try list.next())
    }
    return entries
  }

  /// Far more certificates than all states together have: present lists have a thousand.
  static let mostEntries = 20_000
}

extension TrustStore.MasterListError {
  fileprivate init(_ error: AuthenticityReport.SecurityObjectError) {
    if case .malformedSignedData(let reason) = error {
      self = .notSignedData(reason: reason)
    } else {
      self = .noSigner
    }
  }
}

extension TrustStore {
  /// The reason why a master list is not trusted.
  public enum MasterListError: Sendable, Equatable {
    /// Not a CMS SignedData with contents, with the reason: use the file as published, unpacked.
    case notSignedData(reason: String)
    /// Signed contents of another type than a master list; the object identifier, dotted.
    case contentType(String)
    /// Not one signer with signed attributes and its certificate.
    case noSigner
    case contentsAltered
    case signatureWrong
    /// The hash function, the signature algorithm or the signer's curve is unknown; the object
    /// identifier of the signature algorithm, dotted.
    case unsupportedAlgorithm(String)
    /// No anchor has the name and the key of the signer's issuer, whose name is given: provide the
    /// CSCA certificate of that state.
    case signerUnknown(Certificate.DistinguishedName)
    /// Anchors have that name, but none of their keys signed the signer's certificate.
    case notIssued(Certificate.DistinguishedName)
    /// A rule of X.509 forbids the path from the signer to the anchor.
    case chainRefused(reason: String)
    /// The signer's key is not for master lists (keyUsage, extKeyUsage).
    case notASigner
    /// The given signer or a certificate above it is not valid at the time of judging.
    case notValid(Certificate)
    /// The signed contents are not a list of version 0.
    case malformedList
    /// It has no readable certificate.
    case empty
  }
}
