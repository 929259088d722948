import CIECard
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// The certification paths of x509-limbo, judged as those of a signature.
@Suite struct PathSuiteTests {
  /// Invalid paths that are accepted, by the reason why they are valid for the signature of a person.
  private static let accepted = [
    // RFC 5280 demands it of issuers; the validation of §6.1 does not look at it.
    "issuers": [
      "crl::crlnumber-missing", "rfc5280::aki::cross-signed-root-missing-aki",
      "rfc5280::aki::intermediate-missing-aki", "rfc5280::aki::leaf-missing-aki",
      "rfc5280::ca-empty-subject", "rfc5280::leaf-ku-keycertsign",
      "rfc5280::nc::not-allowed-in-ee-critical", "rfc5280::nc::not-allowed-in-ee-noncritical",
      "rfc5280::nc::permitted-dns-match-noncritical", "rfc5280::pc::ica-noncritical-pc",
      "rfc5280::root-non-critical-basic-constraints",
      "rfc5280::san::noncritical-with-empty-subject", "rfc5280::serial::negative",
      "rfc5280::serial::too-long", "rfc5280::serial::zero",
      "rfc5280::ski::intermediate-missing-ski", "rfc5280::ski::root-missing-ski",
    ],
    // Names of hosts, and purposes of web servers: nothing is asked of either.
    "hosts": [
      "cve::cve-2025-61727", "rfc5280::eku::ee-wrong-eku",
      "rfc5280::nc::invalid-dnsname-leading-period",
      "rfc5280::nc::nc-forbids-dnsname-wildcard-san", "rfc5280::nc::nc-permits-invalid-dns-san",
      "rfc5280::san::ip-in-dns", "rfc5280::san::underscore-dns", "webpki::cn::case-mismatch",
      "webpki::cn::ipv4-hex-mismatch", "webpki::cn::ipv4-leading-zeros-mismatch",
      "webpki::cn::ipv6-non-rfc5952-mismatch", "webpki::cn::ipv6-uncompressed-mismatch",
      "webpki::cn::ipv6-uppercase-mismatch", "webpki::cn::not-in-san",
      "webpki::cn::punycode-not-in-san", "webpki::cn::utf8-vs-punycode-mismatch",
      "webpki::san::mismatch-apex-subdomain-san", "webpki::san::mismatch-domain-san",
      "webpki::san::mismatch-subdomain-apex-san", "webpki::san::mismatch-subdomain-san",
      "webpki::san::no-san", "webpki::san::public-suffix-multi-label-wildcard-san",
      "webpki::san::public-suffix-private-namespace-wildcard-san",
      "webpki::san::public-suffix-wildcard-san",
      "webpki::san::san-critical-with-nonempty-subject", "webpki::san::san-wildcard-only",
      "webpki::san::san-wildcard-only-tld", "webpki::san::unicode-emoji-san",
      "webpki::san::wildcard-embedded-leftmost-san",
      "webpki::san::wildcard-embedded-ulabel-san",
      "webpki::san::wildcard-match-across-labels-san",
      "webpki::san::wildcard-not-in-leftmost-san",
    ],
    // The address in the certificate has two @: OpenSSL compares what follows the last one, as mail programs do.
    "addresses": ["rfc5280::nc::nc-permits-invalid-email-san"],
    // A limit that the caller gives, and that this program does not have.
    "depth": ["pathlen::max-chain-depth-0-exhausted", "pathlen::max-chain-depth-1-exhausted"],
    // The profile of the CA/Browser Forum for web servers, stricter than RFC 5280.
    "profile": [
      "webpki::aki::root-with-aki-all-fields", "webpki::aki::root-with-aki-authoritycertissuer",
      "webpki::aki::root-with-aki-authoritycertserialnumber",
      "webpki::aki::root-with-aki-missing-keyidentifier",
      "webpki::aki::root-with-aki-ski-mismatch", "webpki::ee-basicconstraints-ca",
      "webpki::eku::ee-anyeku", "webpki::eku::ee-critical-eku", "webpki::eku::ee-without-eku",
      "webpki::eku::root-has-eku", "webpki::forbidden-dsa-leaf",
      "webpki::forbidden-rsa-key-not-divisible-by-8-in-leaf",
      "webpki::forbidden-rsa-not-divisible-by-8-in-root", "webpki::malformed-aia",
      "webpki::nc::intermediate-permitted-excluded-subtrees-both-empty-sequences",
      "webpki::nc::intermediate-permitted-excluded-subtrees-both-null", "webpki::v1-cert",
    ],
  ]
  /// Valid paths that are not accepted: their ends are certificates of authorities, whose keys sign certificates and no document.
  private static let refused: Set = [
    "pathlen::validation-ignores-pathlen-in-leaf", "rfc5280::ca-as-leaf",
  ]

  @Test func limbo() throws {
    let score = try SuiteScore(of: "limbo") { group in { vector in try judge(group, vector) } }
    let names = Set(try Suite(named: "limbo").groups.flatMap { $0.cases.map(\.name) })
    let accepted = Set(Self.accepted.values.joined())
    #expect(Suite.whole == nil || accepted.isSubset(of: names))
    #expect(
      score.deviations.mapValues { Set($0.values.joined()) } == [
        "invalid accepted": accepted.intersection(names), "valid notASigner": Self.refused,
      ])
    let counts = Suite.whole == nil ? (111, 34, 25) : (208, 61, 69)
    #expect(names.count == counts.0 && score.counts["valid accepted"] == counts.1)
    #expect(score.counts["invalid accepted"] == counts.2)
  }

  /// The verdicts on the path, its time and, with CRLs, revocation: the first that is not "proved", if there is one.
  private func judge(
    _ group: Suite.Group, _ vector: Suite.Case
  ) throws -> SuiteScore.Verdict {
    let objects = try vector.values.map { joined in
      try TLVCursor(joined).all().map { [UInt8]($0.encoded) }
    }
    let certificates = objects.prefix(3).map { $0.compactMap { try? Certificate(der: $0) } }
    guard let end = certificates[0].first else { return .undecided("unreadable") }
    var judge = SignerJudge(
      trust: certificates[2], time: UTCTime(seconds: Int64(try #require(group.time))))
    judge.store = SecurityStore(certificates[1], RevocationEvidence(choices: objects[3]))
    var data = SignedData()
    data.certificateSet = [end.der]
    let report = try judge.judge(try Self.signer(end), of: data) { _ in nil }.report
    let kinds: [SignatureReport.Kind] =
      [.chain, .validity] + (objects[3].isEmpty ? [] : [.revocation])
    for kind in kinds {
      switch report[kind] {
      case .proved: continue
      case nil: return .undecided("\(kind) not judged")
      case .couldNotCheck(.chainRefused(let reason)): return .undecided(reason)
      case .false(let reason): return .undecided("false: \(Self.word(reason))")
      case .couldNotCheck(let reason): return .undecided(Self.word(reason))
      }
    }
    return .accepted
  }

  /// The name of a case, without its particulars.
  private static func word(_ reason: some Any) -> String {
    String("\(reason)".prefix { $0 != "(" })
  }

  /// A signature by a certificate, which is not judged itself.
  private static func signer(_ certificate: Certificate) throws -> SignerInfo {
    let fields = try #require(certificate.encodedFields)
    let algorithm = TLV.encode(
      DER.sequence, [TLV.encode(DER.objectIdentifier, HashAlgorithm.sha256.objectIdentifier)])
    return try SuiteSigner.signer(
      named: fields.issuer + fields.serialNumber, algorithm, algorithm, [0])
  }
}
