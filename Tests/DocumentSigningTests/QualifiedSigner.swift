import CIECard
import Primitives
import Synchronization
import TestSupport

@testable import DocumentSigning

/// A signer with a separate issuer, and any statements about its quality.
struct QualifiedSigner {
  let certificate: Certificate
  let issuer: Certificate
  /// Another certificate of the issuer's name and key.
  let renewed: Certificate
  /// A certificate of the issuer's name and another key.
  let namesake: Certificate
  private let own: [UInt8]

  /// - Parameters:
  ///   - statements: dotted identifiers in qcStatements.
  ///   - types: dotted identifiers in QcType; nil for no such statement.
  ///   - extensions: lines of a configuration.
  init(
    _ name: String = "qualified", statements: [String] = [QC.compliance, QC.device],
    types: [String]? = [QC.signature], subject: String = "/C=IT/CN=Anna Prova",
    issuedBy issuerName: String = "/C=IT/O=Prova/CN=Qualified CA",
    _ extensions: [String] = ["keyUsage=critical,nonRepudiation"]
  ) throws {
    let authority = try Authority.named(issuerName)
    let encoded = statements.map { QC.statement($0) } + (types.map { [QC.types($0)] } ?? [])
    let lines =
      encoded.isEmpty
      ? []
      : ["1.3.6.1.5.5.7.1.3=DER:" + TLV.encode(DER.sequence, encoded).hexadecimal]
    own = try OpenSSL.certificate(
      subject, key: OpenSSL.key(of: name), extensions + lines, by: authority.own)
    certificate = try Self.parsed(own)
    (issuer, renewed) = (try Self.parsed(authority.own), try Self.parsed(authority.renewed))
    namesake = try Self.parsed(authority.namesake)
  }

  private static func parsed(_ pem: [UInt8]) throws -> Certificate {
    try Certificate(der: OpenSSL.run(["x509", "-outform", "DER"], input: pem))
  }

  /// An issuer's certificates with their keys, as PEM; made once.
  private struct Authority {
    let own: [UInt8]
    let renewed: [UInt8]
    let namesake: [UInt8]

    private static let made = Mutex<[String: Authority]>([:])

    static func named(_ name: String) throws -> Authority {
      func root(_ owner: String, _ more: [String] = []) throws -> [UInt8] {
        try OpenSSL.certificate(
          name, key: OpenSSL.key(of: owner),
          ["basicConstraints=critical,CA:TRUE", "keyUsage=keyCertSign,cRLSign"] + more)
      }
      return try made.withLock { made in
        let authority =
          try made[name]
          ?? Authority(
            own: root("qualified CA"), renewed: root("qualified CA", ["nsComment=renewed"]),
            namesake: root("namesake"))
        made[name] = authority
        return authority
      }
    }
  }

  /// A signature of the text; the file, a CMS with contents.
  func signed() throws -> [UInt8] {
    try Signed.finish(
      UnsignedDocument(ByteSource(Signed.text), as: .attached)
        .prepared(for: certificate, at: certificate.notBefore)
    ) { digest in
      try OpenSSL.run(
        ["pkeyutl", "-sign", "-inkey", "/dev/fd/3", "-pkeyopt", "digest:sha256"],
        input: digest.bytes, descriptors: [3: own])
    }
  }
}

/// Statements of EN 319 412-5, as OpenSSL does not know them.
enum QC {
  static let compliance = "0.4.0.1862.1.1"
  static let device = "0.4.0.1862.1.4"
  static let legislation = "0.4.0.1862.1.7"
  static let signature = "0.4.0.1862.1.6.1"
  static let seal = "0.4.0.1862.1.6.2"
  static let webSite = "0.4.0.1862.1.6.3"

  static func statement(_ identifier: String) -> [UInt8] {
    TLV.encode(DER.sequence, encoded(identifier))
  }

  static func types(_ identifiers: [String]) -> [UInt8] {
    TLV.encode(
      DER.sequence,
      encoded("0.4.0.1862.1.6") + TLV.encode(DER.sequence, identifiers.map { encoded($0) }))
  }

  /// OBJECT IDENTIFIER.
  static func encoded(_ identifier: String) -> [UInt8] {
    let numbers = identifier.split(separator: ".").compactMap { Int($0) }
    let octets = ([40 * numbers[0] + numbers[1]] + numbers.dropFirst(2)).flatMap { number in
      var rest = number
      var digits = [UInt8(rest & 0x7F)]
      rest >>= 7
      while rest > 0 {
        digits.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
        rest >>= 7
      }
      return digits
    }
    return TLV.encode(DER.objectIdentifier, octets)
  }
}

extension TrustedService {
  /// A service with one certificate or none.
  static func of(
    _ certificate: Certificate?, _ periods: [Period],
    keys: [[UInt8]] = [], territory: String = "IT", provider: String = "Prova S.p.A."
  ) -> TrustedService {
    TrustedService(
      territory: territory, provider: provider, certificates: certificate.map { [$0] } ?? [],
      keyIdentifiers: keys, periods: periods)
  }
}

extension TrustedService.Period {
  static func of(
    _ status: TrustedService.Status = .granted, since start: UTCTime = ListState.july2016,
    _ kind: TrustedService.Kind = .certificates,
    for uses: Set<TrustedService.Use> = [.signatures],
    _ qualifications: [TrustedService.Qualification] = [], isUnclear: Bool = false,
    keepsExpiredSince: UTCTime? = nil
  ) -> TrustedService.Period {
    TrustedService.Period(
      name: "Servizio di prova", kind: kind, status: status, start: start, uses: uses,
      qualifications: qualifications, keepsExpiredSince: keepsExpiredSince,
      hasUnknownExtension: isUnclear)
  }
}

extension ListState {
  static let july2016 = UTCTime(seconds: 1_467_324_000)

  static func of(_ territory: String = "IT") -> ListState {
    ListState(
      territory: territory, sequenceNumber: 194, issued: UTCTime.now,
      nextUpdate: UTCTime(seconds: 4_000_000_000),
      fetched: UTCTime.now)
  }
}

extension TrustedServices {
  static func of(
    _ services: [TrustedService], lists: [ListState] = [.of()]
  ) throws -> TrustedServices {
    try TrustedServices(ByteSource(ServiceIndex.bytes(of: services, lists: lists)))
  }
}
