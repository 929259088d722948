extension TrustStore {
  enum Purpose {
    case documents
    case masterLists

    /// id-icao-mlSigner (Doc 9303-12 §7.1.1.3).
    private static let masterListSigner = "2.23.136.1.1.3"
    /// anyExtendedKeyUsage (RFC 5280 §4.2.1.12), which restricts nothing.
    private static let anyPurpose = "2.5.29.37.0"

    /// True if a key with these purposes is allowed. A document signer has none, so a key
    /// restricted to another purpose, such as master lists, deviation lists or web servers, is
    /// refused.
    func allows(_ purposes: [String]) -> Bool {
      switch self {
      case .documents: purposes.allSatisfy { $0 == Self.anyPurpose }
      case .masterLists: purposes.contains(Self.masterListSigner)
      }
    }
  }

  /// Result of looking for a signer's path to an anchor.
  enum Chain: Sendable, Equatable {
    /// A path from the signer to a self-signed anchor, both included; validity periods are not
    /// checked.
    case path([Certificate])
    /// No anchor has the name of the signer's issuer.
    case issuerUnknown
    /// Anchors have the issuer's name, but the certificate names a key of another one: a CSCA keeps
    /// its name when it changes its key, and the store may be older than the card.
    case issuerKeyUnknown
    /// Anchors have the issuer's name, and the named key or any key if the certificate names none,
    /// but they did not sign this certificate.
    case notIssued
    /// A rule of X.509 forbids the path.
    case refused(reason: String)
    /// The certificate's key is not for signing such data (keyUsage, extKeyUsage).
    case notASigner
    /// The certificate was signed with a refused algorithm; the object identifier, dotted.
    case unsupported(algorithm: String)
  }

  /// Finds the anchor of a document signer; of several paths, one valid at `time` is preferred.
  ///
  /// Every anchor with the issuer's name is tried, because a CSCA keeps its name when it changes
  /// its key (Doc 9303-12 §4), and names do not identify the key. Each costs at most one signature
  /// verification, so the time is proportional to the size of the store. The path of a link
  /// certificate, which is not self-signed, is completed with the rest of the store.
  ///
  /// - Parameter time: the time of judging.
  func chain(
    of signer: Certificate, for purpose: Purpose = .documents, at time: UTCTime
  ) -> Chain {
    do throws(CryptoError) {
      let leaf = signer.handle
      guard X509Chain.maySignData(leaf), let purposes = X509Chain.purposes(leaf),
        purpose.allows(purposes)
      else { return .notASigner }
      let (algorithm, scheme) = X509Chain.signature(of: leaf)
      guard let scheme, !scheme.usesSHA1(digest: nil) || purpose.allowsSHA1(of: signer) else {
        return .unsupported(algorithm: algorithm)
      }
      return try search(signer, at: time)
    } catch {
      return .refused(reason: error.reason)
    }
  }

  private func search(_ signer: Certificate, at time: UTCTime) throws(CryptoError) -> Chain {
    let leaf = signer.handle
    var best = Chain.issuerUnknown
    var links: [Certificate] = []
    for anchor in anchors(named: signer.issuer) {
      let candidate = anchor.handle
      let isNamed = X509Chain.names(candidate, asIssuerOf: leaf)
      let result: X509Chain.Result
      if signer.mayBeIssued(by: anchor), X509Chain.isSigned(leaf, by: candidate) {
        if X509Chain.isSelfSigned(candidate) {
          // OpenSSL builds no path with signatures that it does not know.
          let isPlain = [leaf, candidate].contains { X509Chain.plainHash(of: $0) != nil }
          result =
            isNamed && !isPlain
            ? try X509Chain.build(from: signer, anchors: [anchor])
            : try X509Chain.step(from: signer, to: anchor)
        } else {
          guard isNamed, links.count < Self.longestWay else { continue }
          links.append(anchor)
          continue
        }
      } else {
        guard isNamed || X509Chain.isSelfSigned(candidate) else { continue }
        result = .notIssued
      }
      best = Self.better(best, result, signer.mayBeIssued(by: anchor), at: time)
      if case .path(let path) = best, path.allSatisfy({ $0.isValid(at: time) }) { return best }
    }
    guard !links.isEmpty else { return best }
    return Self.better(
      best, try X509Chain.build(from: signer, anchors: anchors(from: links)), true, at: time)
  }

  /// The most anchors in one path: more than any state has changed its key.
  private static let longestWay = 16

  /// Link certificates and the anchors above them.
  private func anchors(from links: [Certificate]) -> [Certificate] {
    var found = links
    var next = 0
    while next < found.count, found.count < Self.longestWay {
      for anchor in anchors(named: found[next].issuer)
      where found.count < Self.longestWay && found[next].mayBeIssued(by: anchor)
        && !found.contains(anchor)
      {
        if found[next].isSigned(by: anchor) { found.append(anchor) }
      }
      next += 1
    }
    return found
  }

  /// The better one of the best result so far and that of one more anchor.
  private static func better(
    _ best: Chain, _ result: X509Chain.Result, _ isKeyNamed: Bool, at time: UTCTime
  ) -> Chain {
    switch (result, best) {
    case (.path(let path), .path):
      return path.allSatisfy { $0.isValid(at: time) } ? .path(path) : best
    case (.path(let path), _): return .path(path)
    case (.refused(let reason), .issuerUnknown), (.refused(let reason), .issuerKeyUnknown),
      (.refused(let reason), .notIssued):
      return .refused(reason: reason)
    case (.notIssued, .issuerUnknown), (.notIssued, .issuerKeyUnknown):
      return isKeyNamed ? .notIssued : .issuerKeyUnknown
    case (.refused, _), (.notIssued, _): return best
    }
  }
}

extension TrustStore.Purpose {
  /// SHA-1 is accepted where genuine cards have it, and nowhere else.
  fileprivate func allowsSHA1(of signer: Certificate) -> Bool {
    switch self {
    case .documents: signer.isOfSHA1Years
    case .masterLists: false
    }
  }
}

extension TrustStore {
  /// The self-signed certificate at the end of the path from a document signer.
  ///
  /// - Parameters:
  ///   - signer: the certificate embedded in a security object.
  ///   - time: of several paths, one valid at this time is preferred.
  /// - Returns: `nil` if there is no path.
  public func anchor(of signer: Certificate, at time: UTCTime) -> Certificate? {
    if case .path(let path) = chain(of: signer, at: time) { path.last } else { nil }
  }
}
