internal import CTrustAnchors

/// The certificates that are believed without proof: CSCA certificates (Doc 9303-12 §3).
///
/// It is the only source of trust: what a card brings along is never added.
public struct TrustStore: Sendable {
  /// The anchors, each once, in the order in which they were given.
  public let certificates: [Certificate]
  /// The anchors by their names: a CSCA keeps its name when it changes its key (Doc 9303-12 §4), and master lists have
  /// thousands.
  private let places: [Certificate.DistinguishedName.Key: [Int]]

  /// A store of these certificates.
  ///
  /// - Throws: `TrustStore.LoadingError.empty` when there are none.
  public init(_ certificates: [Certificate]) throws(LoadingError) {
    guard !certificates.isEmpty else { throw .empty }
    self.init(anchors: certificates)
  }

  /// Anchors known to be at least one.
  init(anchors certificates: [Certificate]) {
    var seen: Set<Certificate> = []
    let anchors = certificates.filter { seen.insert($0).inserted }
    self.certificates = anchors
    places = Dictionary(grouping: anchors.indices) { anchors[$0].subject.key }
  }

  /// The anchors of both stores, those of this one first.
  public func merged(with other: TrustStore) -> TrustStore {
    TrustStore(anchors: certificates + other.certificates)
  }

  /// The anchors whose name has the attributes of this one, in whatever order: OpenSSL may still tell them apart.
  func anchors(named name: Certificate.DistinguishedName) -> [Certificate] {
    places[name.key, default: []].map { certificates[$0] }
  }
}

extension Certificate {
  /// Whether a moment lies between start and end of validity, both included (RFC 5280 §4.1.2.5).
  ///
  public func isValid(at time: UTCTime) -> Bool {
    notBefore <= time && time <= notAfter
  }

  /// Whether the key that this certificate names as its issuer's is that of the other one, as far as both tell (RFC
  /// 5280 §4.2.1.1).
  func mayBeIssued(by other: Certificate) -> Bool {
    guard let named = issuerKeyIdentifier, let own = other.keyIdentifier else { return true }
    return named == own
  }
}

extension Certificate.DistinguishedName {
  /// What names are found by: their attributes without order, case of letters and superfluous blanks. Names that are
  /// the same for RFC 5280 §7.1 have the same key.
  struct Key: Hashable, Sendable {
    private let attributes: [String]

    fileprivate init(_ name: Certificate.DistinguishedName) {
      attributes = name.attributes.map { attribute in
        let words = attribute.value.lowercased().split(separator: " ")
        return attribute.oid + "=" + words.joined(separator: " ")
      }.sorted()
    }
  }

  fileprivate var key: Key { Key(self) }
}

extension TrustStore {
  /// The nine CSCA certificates of the Italian Republic, which this package brings along: enough to judge a CIE.
  public static var italian: TrustStore { TrustStore(builtIn: italianAnchors()) }

  /// The CSCA certificates whose master lists are believed: the German one.
  public static var masterListSigners: TrustStore { TrustStore(builtIn: masterListAnchors()) }

  /// Our own data; a test holds every certificate against its source.
  private init(builtIn pem: UnsafePointer<CChar>) {
    let encoded = (try? X509PEM.certificates(in: [UInt8](String(cString: pem).utf8))) ?? []
    self.init(anchors: encoded.compactMap { try? Certificate(der: $0) })
  }
}
