internal import CTrustAnchors
internal import Glibc

/// Trusted certificates: CSCA certificates (Doc 9303-12 §3).
///
/// It is the only source of trust: certificates of a card are never added.
public struct TrustStore: Sendable {
  private let anchors: [TrustAnchor]

  /// Anchors without duplicates, in the given order.
  public var certificates: [Certificate] { anchors.compactMap { $0.certificate } }

  /// Creates a store of these certificates.
  ///
  /// - Throws: `TrustStore.LoadingError.empty` without certificates.
  public init(_ certificates: [Certificate]) throws(LoadingError) {
    guard !certificates.isEmpty else { throw .empty }
    self.init(anchors: certificates.map { TrustAnchor($0) })
  }

  /// Creates a store of one certificate, which is decoded on demand.
  ///
  /// - Returns: `nil` for bytes without the fields of a certificate.
  package init?(der: [UInt8]) {
    guard let anchor = TrustAnchor(der: der) else { return nil }
    self.init(anchors: [anchor])
  }

  /// Takes at least one anchor.
  private init(anchors: [TrustAnchor]) {
    var seen: Set<TrustAnchor> = []
    self.anchors = anchors.filter { seen.insert($0).inserted }
  }

  /// Store with the anchors of both, those of this one first.
  public func merged(with other: TrustStore) -> TrustStore {
    TrustStore(anchors: anchors + other.anchors)
  }

  /// The certificate of a signer, which is no anchor, but may be among them for documents that come without it.
  func certificate(named identifier: SignerIdentifier) -> Certificate? {
    certificates.first { identifier.names($0.handle) }
  }

  /// Anchors whose name has the attributes of this one, in any order: OpenSSL may still distinguish them.
  func anchors(named name: Certificate.DistinguishedName) -> [Certificate] {
    let name = Certificate.DistinguishedName.Key(name)
    return anchors.compactMap { $0.name == name ? $0.certificate : nil }
  }
}

extension Certificate {
  /// True if a time is within the validity period, start and end included (RFC 5280 §4.1.2.5).
  public func isValid(at time: UTCTime) -> Bool {
    notBefore <= time && time <= notAfter
  }

  /// True unless both certificates have key identifiers and these differ: the authority key identifier of this one, and
  /// the subject key identifier of the other (RFC 5280 §4.2.1.1).
  func mayBeIssued(by other: Certificate) -> Bool {
    guard let named = issuerKeyIdentifier, let own = other.keyIdentifier else { return true }
    return named == own
  }
}

extension TrustStore {
  /// The nine CSCA certificates of the Italian Republic, which are built in: enough to judge a CIE.
  public static var italian: TrustStore { TrustStore(builtIn: italianAnchors()) }

  /// CSCA certificates whose master list signers are trusted: the German one.
  public static var masterListSigners: TrustStore { TrustStore(builtIn: masterListAnchors()) }

  /// Built-in data; a test compares every certificate with its source. Decoded here, because OpenSSL's PEM reader takes
  /// longer than a response of a card.
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
