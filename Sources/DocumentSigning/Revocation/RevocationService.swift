public import CIECard
internal import Primitives

/// The services of issuers at the addresses in their certificates: issuers' certificates, OCSP and CRLs (RFC 5280
/// §4.2.1.13, §4.2.2.1).
///
/// The exchange is the caller's, over http or https: every answer is signed and judged before it is used.
public struct RevocationService: Sendable {
  /// A request to a service.
  public enum Request: Sendable, Equatable {
    /// A certificate or a CRL.
    case get(url: String)
    /// OCSPRequest, as `application/ocsp-request`.
    case post(url: String, body: [UInt8])
  }

  /// Sends a request and returns the body of the answer.
  public typealias Exchange = @Sendable (Request) throws(DocumentError) -> [UInt8]

  let time: UTCTime
  private let exchange: Exchange

  /// - Parameters:
  ///   - time: the time of asking.
  ///   - exchange: throws `RevocationError.unreachable` without an answer.
  public init(at time: UTCTime = .now, exchange: @escaping Exchange) {
    (self.time, self.exchange) = (time, exchange)
  }

  /// The issuers that are missing between a certificate and its anchors, by the addresses in the certificates.
  ///
  /// - Parameter anchors: trusted ones; nil to end at any that is self-signed.
  /// - Returns: the path, from the certificate to the anchor.
  func path(
    from certificate: Certificate, to anchors: [Certificate]?, through others: [Certificate]
  ) throws(DocumentError) -> [Certificate] {
    var others = others
    for _ in 0..<Self.longestPath {
      let ends = anchors ?? others.filter { $0.subject == $0.issuer }
      switch CertificationPath(from: certificate, to: ends, through: others) {
      case .found(let path): return path
      case .issuerUnknown:
        let last = Self.end(of: certificate, others)
        let found = try issuers(of: last).filter { !others.contains($0) }
        guard !found.isEmpty else { throw .revocation(.issuerUnknown(last.issuer)) }
        others += found
      case .notIssued, .refused, .unsupported: throw .revocation(.noPath(certificate.subject))
      case .notBuilt(let error): throw .crypto(error)
      }
    }
    throw .revocation(.noPath(certificate.subject))
  }

  private static let longestPath = 8

  /// The last certificate on the way up whose issuer is not known.
  private static func end(of certificate: Certificate, _ others: [Certificate]) -> Certificate {
    var last = certificate
    for _ in 0..<longestPath {
      guard let issuer = others.first(where: { $0.subject == last.issuer && $0 != last }) else {
        break
      }
      last = issuer
    }
    return last
  }

  /// A certificate, or several in a SignedData without signers (RFC 5280 §4.2.2.1).
  private func issuers(of certificate: Certificate) throws(DocumentError) -> [Certificate] {
    guard certificate.subject != certificate.issuer else { return [] }
    for address in certificate.addresses.issuers.prefix(2) {
      let answer = try exchange(.get(url: address))
      if let one = try? Certificate(der: answer) { return [one] }
      if let several = try? SignedData(ByteSource(answer)).certificates { return several }
    }
    return []
  }

  /// The evidence for each certificate of a path but the anchor.
  ///
  /// - Parameter time: the time for which it must speak.
  func evidence(
    for path: [Certificate], known: RevocationEvidence, at time: UTCTime
  ) throws(DocumentError) -> RevocationEvidence {
    var evidence = RevocationEvidence()
    for (certificate, issuer) in zip(path, path.dropFirst()) {
      var status = known.status(of: certificate, issuer: issuer)
      if status.map({ !$0.covers(time) }) ?? true {
        status = try ask(about: certificate, issuer, &evidence)
        guard let status, status.covers(time), isFresh(status) else {
          throw .revocation(.noAnswer(certificate.subject))
        }
      }
      if let end = status?.revokedAt, end <= time {
        throw .revocation(.revoked(certificate.subject, at: end))
      }
    }
    return evidence
  }

  /// Asks the responders first, because their answers are newer and smaller than CRLs.
  private func ask(
    about certificate: Certificate, _ issuer: Certificate, _ evidence: inout RevocationEvidence
  ) throws(DocumentError) -> CertificateStatus? {
    let addresses = certificate.addresses
    guard !addresses.responders.isEmpty || !addresses.lists.isEmpty else {
      throw .revocation(.noAddress(certificate.subject))
    }
    var obstacle: DocumentError?
    for url in addresses.responders.prefix(2) {
      do throws(DocumentError) {
        let request = try mapError(
          try CertificateStatus.request(about: certificate, issuer: issuer), DocumentError.crypto)
        let response = try exchange(.post(url: url, body: request))
        if let status = CertificateStatus(
          of: certificate, issuer: issuer, response: response, to: request), isFresh(status)
        {
          evidence.responses.append(response)
          return status
        }
      } catch { obstacle = error }
    }
    for url in addresses.lists.prefix(2) {
      do throws(DocumentError) {
        let list = try exchange(.get(url: url))
        if let status = RevocationList(list)?.status(of: certificate, issuer: issuer),
          isFresh(status)
        {
          evidence.lists.append(list)
          return status
        }
      } catch { obstacle = obstacle ?? error }
    }
    if let obstacle { throw obstacle }
    return nil
  }

  /// Neither from the future, but for the clocks' difference, nor replaced by a newer one.
  private func isFresh(_ status: CertificateStatus) -> Bool {
    status.thisUpdate.seconds <= time.seconds + CertificateStatus.tolerance
      && status.nextUpdate.map { $0 >= time } ?? true
  }
}
