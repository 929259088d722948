internal import CIECard
internal import Primitives

/// CRLs and OCSP responses, as their authorities signed them.
struct RevocationEvidence: Sendable, Equatable {
  /// CertificateList (RFC 5280 §5.1), encoded.
  var lists: [[UInt8]] = []
  /// OCSPResponse (RFC 6960 §4.2.1), encoded.
  var responses: [[UInt8]] = []

  var isEmpty: Bool { lists.isEmpty && responses.isEmpty }

  init() {}

  /// Takes the evidence from RevocationInfoChoices (RFC 5652 §10.2.1, RFC 5940 §2); other kinds are left out.
  init(choices: [[UInt8]]) {
    for choice in choices {
      if choice.first == UInt8(DER.sequence) {
        lists.append(choice)
      } else if let response = Self.response(choice) {
        responses.append(response)
      }
    }
  }

  /// The same as RevocationInfoChoices, a member each.
  var choices: [[UInt8]] {
    lists
      + responses.map { response in
        TLV.encode(0xA1, [TLV.encode(DER.objectIdentifier, CMSObject.ocspResponse), response])
      }
  }

  /// The response in OtherRevocationInfoFormat.
  private static func response(_ choice: [UInt8]) -> [UInt8]? {
    var outer = TLVCursor(choice)
    guard var fields = try? outer.next(0xA1).contents,
      (try? fields.next(DER.objectIdentifier).bytes) == CMSObject.ocspResponse,
      let response = try? fields.next(DER.sequence).encoded
    else { return nil }
    return [UInt8](response)
  }

  mutating func add(_ other: RevocationEvidence) {
    lists += other.lists.filter { !lists.contains($0) }
    responses += other.responses.filter { !responses.contains($0) }
  }

  /// The status of a certificate: a revocation if there is one, else the newest word.
  ///
  /// - Parameter delegates: others who may answer for the issuer.
  func status(
    of certificate: Certificate, issuer: Certificate,
    beside delegates: StatusDelegates = StatusDelegates()
  ) -> CertificateStatus? {
    let all = words.compactMap { $0(certificate, issuer, delegates) }
    return all.first { $0.revokedAt != nil } ?? all.max { $0.thisUpdate < $1.thisUpdate }
  }

  /// The limit of the first CRL that is not complete.
  var limit: RevocationList.Limit? {
    lists.prefix(Self.most).lazy.compactMap { RevocationList($0)?.limit }.first
  }

  /// True if each word is about one of these certificates, by an issuer among them.
  ///
  /// - Parameter delegates: others who may answer for an issuer.
  func concerns(
    _ certificates: [Certificate],
    beside delegates: (Certificate) -> StatusDelegates = { _ in StatusDelegates() }
  ) -> Bool {
    let pairs = certificates.flatMap { one in
      certificates.filter { $0.subject == one.issuer }.map { (one, $0) }
    }.prefix(Self.most)
    let known = Dictionary(
      uniqueKeysWithValues: Set(pairs.map { $0.1 }).map { ($0, delegates($0)) })
    return words.allSatisfy { word in
      pairs.contains { word($0, $1, known[$1] ?? StatusDelegates()) != nil }
    }
  }

  /// The status of a certificate with its issuer, by each word.
  private var words: [(Certificate, Certificate, StatusDelegates) -> CertificateStatus?] {
    responses.prefix(Self.most).map { word in
      { CertificateStatus(of: $0, issuer: $1, response: word, beside: $2) }
    }
      + lists.prefix(Self.most).map { word in
        let list = RevocationList(word)
        return { list?.status(of: $0, issuer: $1, beside: $2) }
      }
  }

  /// As many are read of a file that strangers wrote.
  private static let most = 64
}
