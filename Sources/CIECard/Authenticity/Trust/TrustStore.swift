internal import CTrustAnchors
internal import Glibc
internal import System

/// The certificates that are believed without proof: CSCA certificates (Doc 9303-12 §3).
///
/// It is the only source of trust: what a card brings along is never added.
public struct TrustStore: Sendable {
  private let anchors: [TrustAnchor]

  /// The anchors, each once, in the order in which they were given.
  public var certificates: [Certificate] { anchors.compactMap { $0.certificate } }

  /// A store of these certificates.
  ///
  /// - Throws: `TrustStore.LoadingError.empty` when there are none.
  public init(_ certificates: [Certificate]) throws(LoadingError) {
    guard !certificates.isEmpty else { throw .empty }
    self.init(anchors: certificates.map { TrustAnchor($0) })
  }

  /// A store of one certificate, which is decoded on demand.
  ///
  /// - Returns: `nil` for bytes without the fields of a certificate.
  package init?(der: [UInt8]) {
    guard let anchor = TrustAnchor(der: der) else { return nil }
    self.init(anchors: [anchor])
  }

  /// Anchors known to be at least one.
  private init(anchors: [TrustAnchor]) {
    var seen: Set<TrustAnchor> = []
    self.anchors = anchors.filter { seen.insert($0).inserted }
  }

  /// The anchors of both stores, those of this one first.
  public func merged(with other: TrustStore) -> TrustStore {
    TrustStore(anchors: anchors + other.anchors)
  }

  /// The anchors whose name has the attributes of this one, in whatever order: OpenSSL may still tell them apart.
  func anchors(named name: Certificate.DistinguishedName) -> [Certificate] {
    let name = Certificate.DistinguishedName.Key(name)
    return anchors.compactMap { $0.name == name ? $0.certificate : nil }
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

extension TrustStore {
  /// The nine CSCA certificates of the Italian Republic, which this package brings along: enough to judge a CIE.
  public static var italian: TrustStore { TrustStore(builtIn: italianAnchors()) }

  /// The CSCA certificates whose master lists are believed: the German one.
  public static var masterListSigners: TrustStore { TrustStore(builtIn: masterListAnchors()) }

  /// Our own data; a test holds every certificate against its source. Decoded by hand, because OpenSSL's reader of PEM takes
  /// more time than a card's answer.
  private init(builtIn pem: UnsafePointer<CChar>) {
    let text = UnsafeRawBufferPointer(start: pem, count: strlen(pem))
    let parts = text.split(separator: UInt8(ascii: "-"))
    let anchors = zip(parts, parts.dropFirst()).compactMap { label, content -> TrustAnchor? in
      guard label.elementsEqual("BEGIN CERTIFICATE".utf8) else { return nil }
      let digits = content.filter { $0 != UInt8(ascii: "\n") }
      return Base64.decode(digits).flatMap { TrustAnchor(der: $0) }
    }
    self.init(anchors: anchors)
  }
}
