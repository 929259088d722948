/// The certificates that are believed without proof: CSCA certificates (Doc 9303-12 §3).
///
/// It is the only source of trust: what a card brings along is never added.
public struct TrustStore: Sendable {
  /// The anchors, each once, in the order in which they were given.
  public let certificates: [Certificate]

  /// A store of these certificates.
  ///
  /// - Throws: `TrustStoreError.empty` when there are none.
  public init(_ certificates: [Certificate]) throws(TrustStoreError) {
    guard !certificates.isEmpty else { throw .empty }
    self.init(anchors: certificates)
  }

  /// Anchors known to be at least one.
  init(anchors certificates: [Certificate]) {
    var seen: Set<Certificate> = []
    self.certificates = certificates.filter { seen.insert($0).inserted }
  }

  /// The anchors of both stores, those of this one first.
  public func merged(with other: TrustStore) -> TrustStore {
    TrustStore(anchors: certificates + other.certificates)
  }

  /// What a signer is to sign.
  enum Purpose {
    /// Document security objects.
    case documents
    /// Master lists of CSCA certificates.
    case masterLists

    /// id-icao-mlSigner (Doc 9303-12 §7.1.1.3).
    private static let masterListSigner = "2.23.136.1.1.3"

    /// Whether a key with these purposes may: signers of master lists have theirs, and are no signers of
    /// documents, which have none.
    func allows(_ purposes: [String]) -> Bool {
      switch self {
      case .documents: !purposes.contains(Self.masterListSigner)
      case .masterLists: purposes.contains(Self.masterListSigner)
      }
    }
  }

  /// What the store says of a signer.
  enum Chain: Sendable, Equatable {
    /// A path from the signer to a self-signed anchor, both included; times are not looked at.
    case path([Certificate])
    /// No anchor has the name of the signer's issuer.
    case issuerUnknown
    /// Anchors have the issuer's name, but the certificate names a key that none of them has: a CSCA keeps its name
    /// when it changes its key, and the store may be older than the card.
    case issuerKeyUnknown
    /// Anchors have the issuer's name, and the key that the certificate names or any key where it names none, but
    /// did not sign this certificate.
    case notIssued
    /// A rule of X.509 forbids the path.
    case refused(reason: String)
    /// The certificate's key is not for signing such data (keyUsage, extKeyUsage).
    case notASigner
  }

  /// Looks for the anchor of a document signer; of several paths, one in force at `time` goes first.
  ///
  /// Every anchor with the issuer's name is tried by itself: a CSCA keeps its name when it changes its key
  /// (Doc 9303-12 §4), and then the names alone do not tell which one signed. A link certificate, which is not
  /// self-signed, needs the rest of the store to get to an end.
  ///
  /// - Parameter time: seconds since 1970-01-01T00:00:00Z.
  func chain(
    of signer: Certificate, for purpose: Purpose = .documents, at time: Int64
  ) -> Chain {
    do throws(CryptoError) {
      let leaf = try X509Handle(prefixOf: signer.der)
      guard X509Chain.maySignData(leaf), purpose.allows(X509Chain.purposes(leaf)) else {
        return .notASigner
      }
      var best = Chain.issuerUnknown
      for anchor in certificates {
        let candidate = try X509Handle(prefixOf: anchor.der)
        switch try result(from: leaf, signer, to: candidate, anchor) {
        case nil: continue
        case .path(let encoded):
          let path = Self.path(encoded)
          if path.allSatisfy({ $0.isInForce(at: time) }) { return .path(path) }
          if case .path = best { continue }
          best = .path(path)
        case .notIssued:
          if X509Chain.keyIdentifiersAgree(leaf, candidate) {
            if best == .issuerUnknown || best == .issuerKeyUnknown { best = .notIssued }
          } else if best == .issuerUnknown {
            best = .issuerKeyUnknown
          }
        case .refused(let reason):
          if case .path = best { continue }
          if case .refused = best { continue }
          best = .refused(reason: reason)
        }
      }
      return best
    } catch {
      return .refused(reason: error.reason)
    }
  }

  /// What one anchor says of a signer; `nil` when it has not the name of the signer's issuer.
  private func result(
    from leaf: borrowing X509Handle, _ signer: Certificate, to candidate: borrowing X509Handle,
    _ anchor: Certificate
  ) throws(CryptoError) -> X509Chain.Result? {
    if X509Chain.names(candidate, asIssuerOf: leaf) {
      let isEnd = X509Chain.isSelfSigned(candidate)
      let anchors = isEnd ? [anchor.der] : certificates.map { $0.der }
      return try X509Chain.build(from: leaf, anchors: anchors)
    }
    guard anchor.subject.hasAttributes(of: signer.issuer), X509Chain.isSelfSigned(candidate) else {
      return nil
    }
    return try X509Chain.step(from: leaf, to: candidate)
  }

  private static func path(_ encoded: [[UInt8]]) -> [Certificate] {
    encoded.compactMap { der in
      do throws(CertificateError) { return try Certificate(der: der) } catch { return nil }
    }
  }
}

extension Certificate {
  /// Whether a moment lies between start and end of validity, both included (RFC 5280 §4.1.2.5).
  ///
  /// - Parameter time: seconds since 1970-01-01T00:00:00Z.
  public func isInForce(at time: Int64) -> Bool {
    notBefore <= time && time <= notAfter
  }
}

extension DistinguishedName {
  /// Whether two names have the same attributes, whatever their order and the case of their letters.
  fileprivate func hasAttributes(of other: DistinguishedName) -> Bool {
    func texts(_ name: DistinguishedName) -> [String] {
      name.attributes.map { "\($0.oid)=\($0.value.lowercased())" }.sorted()
    }
    return attributes.count == other.attributes.count && texts(self) == texts(other)
  }
}
