import CIECard
import DocumentSigning
import Primitives
import Synchronization
import TestSupport

/// An issuer with OCSP, CRL and its own certificate at the addresses in the certificates, by OpenSSL's commands.
final class TestIssuer: Sendable {
  enum Fault: CaseIterable, Sendable {
    /// No answer, an answer of 4 MiB, an answer to another nonce.
    case away, huge, replayed
    /// Signed by an issuer of the same name; about another certificate; older than nextUpdate.
    case foreign, otherCertificate, late
    /// The responder knows nothing; the certificate is revoked.
    case unknown, revoked
  }

  /// Services that a certificate names.
  enum Service: String, CaseIterable, Sendable { case responder, list }

  /// Time of asking: an hour after the answers are made.
  static var time: UTCTime { StampServer.time }

  let certificate: Certificate
  let trust: TrustStore
  private let fault: Fault?
  private let extensions: [String]
  private let host: String
  private let issuer: [UInt8]
  private let stranger: [UInt8]
  private let own: [UInt8]
  private let requested = Mutex<[AuthorityRequest]>([])

  var requests: [AuthorityRequest] { requested.withLock { $0 } }

  init(
    _ fault: Fault? = nil, services: Set<Service> = Set(Service.allCases), namesIssuer: Bool = true,
    host: String = "issuer.test"
  ) throws {
    (self.fault, self.host) = (fault, host)
    extensions = Self.extensions(services, namesIssuer: namesIssuer, at: host)
    issuer = try Self.root(host, ownedBy: host)
    stranger = try Self.root(host, ownedBy: "Stranger")
    own = try Self.certificate(
      "XXXXXX80A01H501X", "keyUsage=critical,digitalSignature\nextendedKeyUsage=clientAuth",
      by: issuer, extensions)
    certificate = try Certificate(der: OpenSSL.run(["x509", "-outform", "DER"], input: own))
    trust = try TrustStore([
      Certificate(der: OpenSSL.run(["x509", "-outform", "DER"], input: issuer))
    ])
  }

  /// A certificate of a time stamp authority, with its key, as PEM.
  func stamper() throws -> [UInt8] {
    try Self.certificate(
      "Stamps", "keyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping",
      by: issuer, extensions)
  }

  private static func root(_ host: String, ownedBy owner: String) throws -> [UInt8] {
    try OpenSSL.certificate(
      "/C=IT/CN=Issuer at \(host)", key: OpenSSL.key(of: owner),
      ["basicConstraints=critical,CA:TRUE", "keyUsage=keyCertSign,cRLSign"])
  }

  private static func extensions(
    _ services: Set<Service>, namesIssuer: Bool, at host: String
  ) -> [String] {
    let access =
      (services.contains(.responder) ? ["OCSP;URI:http://\(host)/ocsp"] : [])
      + (namesIssuer ? ["caIssuers;URI:http://\(host)/ca"] : [])
    return (access.isEmpty ? [] : ["authorityInfoAccess=" + access.joined(separator: ",")])
      + (services.contains(.list) ? ["crlDistributionPoints=URI:http://\(host)/crl"] : [])
  }

  private static func certificate(
    _ name: String, _ usage: String, by issuer: [UInt8], _ extensions: [String]
  ) throws -> [UInt8] {
    try OpenSSL.certificate(
      "/C=IT/CN=\(name)", key: OpenSSL.key(of: name), [usage] + extensions, by: issuer)
  }

  /// The card's part: one signature of a digest.
  func sign(_ digest: Digest) throws -> [UInt8] {
    try OpenSSL.run(
      ["pkeyutl", "-sign", "-inkey", "/dev/fd/3", "-pkeyopt", "digest:sha256"],
      input: digest.bytes, descriptors: [3: own])
  }

  /// The answer to a request, which is noted; nil without one.
  func answer(_ request: AuthorityRequest) -> [UInt8]? {
    requested.withLock { $0.append(request) }
    return try? answer(to: request)
  }

  func owns(_ request: AuthorityRequest) -> Bool {
    request.address?.hasPrefix("http://\(host)/") == true
  }

  private func answer(to request: AuthorityRequest) throws -> [UInt8] {
    switch request {
    case .get("http://\(host)/ca"):
      return try OpenSSL.run(["x509", "-outform", "DER"], input: issuer)
    case .get("http://\(host)/crl"): return try list()
    case .post("http://\(host)/ocsp", let body): return try response(to: body)
    case .timeStamp, .get, .post: throw OpenSSL.Failure(errors: "no such address")
    }
  }

  /// The lines of OpenSSL's database: the holder's certificate, and that of the time stamps.
  private func database(
    isRevoked: Bool = false, for reason: String? = nil, beside others: Int = 0
  ) throws -> [UInt8] {
    guard fault != .unknown else { return [] }
    let more = (0..<others).map {
      "R\t21260101000000Z\t260101000000Z\t\(String(0x1000_0000 + $0, radix: 16).uppercased())\tunknown\t/CN=\($0)\n"
    }.joined()
    let serial = certificate.serial.uppercased()
    let line =
      isRevoked || fault == .revoked
      ? "R\t21260101000000Z\t260101000000Z\(reason.map { ",\($0)" } ?? "")\t\(serial)\tunknown\t/CN=holder"
      : "V\t21260101000000Z\t\t\(serial)\tunknown\t/CN=holder"
    return [UInt8]((line + "\n" + more).utf8)
  }

  private func response(to request: [UInt8]) throws -> [UInt8] {
    switch fault {
    case .away: throw OpenSSL.Failure(errors: "away")
    case .huge: return [UInt8](repeating: 0x30, count: 4 << 20)
    case nil, .replayed, .foreign, .otherCertificate, .late, .unknown, .revoked: break
    }
    let folder = try TemporaryDirectory()
    let signer = try folder.write("signer.pem", fault == .foreign ? stranger : issuer)
    let ca = try folder.write("ca.pem", issuer)
    var request = request
    if fault == .replayed || fault == .otherCertificate {
      let subject =
        fault == .replayed
        ? ["-cert", try folder.write("own.pem", own)] : ["-serial", "0x1234"]
      _ = try OpenSSL.run(
        ["ocsp", "-issuer", ca] + subject + ["-reqout", folder.path("other")])
      request = try Repository.read(folder.path("other"))
    }
    var serials: [UInt8] = try database()
    if fault == nil || fault == .late || fault == .foreign { serials += try others(request) }
    _ = try OpenSSL.run(
      [
        "ocsp", "-index", try folder.write("index.txt", serials), "-CA", ca, "-rsigner", signer,
        "-reqin", try folder.write("request", request), "-respout", folder.path("response"),
      ] + (fault == .late ? ["-nmin", "1"] : ["-ndays", "7"]))
    return try Repository.read(folder.path("response"))
  }

  /// The line of the certificate in a request, if it is not the holder's.
  private func others(_ request: [UInt8]) throws -> [UInt8] {
    let text = String(
      decoding: try OpenSSL.run(
        ["ocsp", "-reqin", "/dev/stdin", "-req_text", "-noverify"], input: request),
      as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.contains("Serial Number:") }
    let serial = line?.split(separator: " ").last.map(String.init) ?? ""
    guard serial.uppercased() != certificate.serial.uppercased() else { return [] }
    return [UInt8]("V\t21260101000000Z\t\t\(serial)\tunknown\t/CN=other\n".utf8)
  }

  /// - Parameters:
  ///   - isRevoked: true to say so whatever the fault is.
  ///   - reason: a CRLReason; nil for none.
  ///   - others: number of other certificates that are revoked.
  ///   - extensions: lines of the configuration.
  func list(
    isRevoked: Bool = false, for reason: String? = nil, beside others: Int = 0,
    _ extensions: [String] = []
  ) throws -> [UInt8] {
    switch fault {
    case .away: throw OpenSSL.Failure(errors: "away")
    case .huge: return [UInt8](repeating: 0x30, count: 4 << 20)
    // A CRL names no certificate that it is not about, and has no nonce.
    case .replayed, .otherCertificate, .unknown: throw OpenSSL.Failure(errors: "none")
    case nil, .foreign, .late, .revoked: break
    }
    let folder = try TemporaryDirectory()
    let signer = try folder.write("signer.pem", fault == .foreign ? stranger : issuer)
    let configuration = """
      [ca]
      default_ca = own
      [own]
      database = \(try folder.write("index.txt", try database(isRevoked: isRevoked, for: reason, beside: others)))
      certificate = \(signer)
      private_key = \(signer)
      default_md = sha256
      \(extensions.isEmpty ? "" : "crl_extensions = extensions")
      [extensions]
      \(extensions.joined(separator: "\n"))
      """
    let list = try OpenSSL.run(
      [
        "ca", "-gencrl", "-config", try folder.write("ca.cnf", [UInt8](configuration.utf8)),
      ] + (fault == .late ? ["-crlsec", "60"] : ["-crldays", "7"]))
    return try OpenSSL.run(["crl", "-outform", "DER"], input: list)
  }
}
