import CIECard
import Primitives
import Synchronization
import TestSupport

@testable import DocumentSigning

/// A time stamp authority by OpenSSL's command, with faults.
final class StampServer: Sendable {
  enum Fault: CaseIterable, Sendable {
    case away, replayed, otherImprint, refusal, cut, lengthened, huge, empty, altered, foreign,
      signer
  }

  /// Time of judging: later than the beginning of certificates that were made just now.
  static var time: UTCTime { UTCTime(seconds: UTCTime.now.seconds + 3600) }

  let trust: TrustStore
  private let fault: Fault?
  private let own: Certificates
  /// Further certificates in the tokens, as PEM.
  private let others: [UInt8]
  private let state = Mutex<(requests: Int, last: (query: [UInt8], answer: [UInt8])?)>((0, nil))

  var requests: Int { state.withLock { $0.requests } }

  /// Certificate and key, as PEM.
  private struct Certificates {
    let issuer: [UInt8]
    let own: [UInt8]

    init(issuer: [UInt8], own: [UInt8]) { (self.issuer, self.own) = (issuer, own) }

    /// - Parameters:
    ///   - usage: extendedKeyUsage.
    ///   - issuer: nil for a new one.
    init(
      _ name: String, usage: String = "critical,timeStamping", by other: Certificates? = nil
    ) throws {
      issuer =
        try other?.issuer
        ?? OpenSSL.certificate(
          "/C=IT/CN=CA of \(name)", key: OpenSSL.key(of: "CA of \(name)"),
          ["basicConstraints=critical,CA:TRUE", "keyUsage=keyCertSign"])
      own = try OpenSSL.certificate(
        "/C=IT/CN=\(name)", key: OpenSSL.key(of: name + usage),
        ["keyUsage=critical,digitalSignature", "extendedKeyUsage=\(usage)"], by: issuer)
    }
  }

  /// - Parameters:
  ///   - issuer: of the authority's certificate; nil for one without services.
  ///   - others: number of further certificates in the tokens.
  init(_ fault: Fault? = nil, issuedBy issuer: TestIssuer? = nil, others: Int = 0) throws {
    self.fault = fault
    guard let issuer else {
      let own = try Certificates("Stamps")
      self.own = own
      self.others = try (0..<others).flatMap { try Certificates("Other \($0)", by: own).own }
      let trusted = fault == .foreign ? try Certificates("Others").issuer : own.issuer
      trust = try TrustStore([
        Certificate(der: OpenSSL.run(["x509", "-outform", "DER"], input: trusted))
      ])
      return
    }
    (own, self.others) = (Certificates(issuer: [], own: try issuer.stamper()), [])
    trust = issuer.trust
  }

  var authority: TimeStampAuthority { TimeStampAuthority(trust: trust, at: Self.time) }

  /// A time stamp of bytes.
  func token(for bytes: [UInt8]) throws -> [UInt8] {
    try Authorities(stamps: self).serve { (authorities) throws(DocumentError) in
      try authorities.token(for: bytes, by: authority)
    }
  }

  /// A time stamp by a hash.
  func token(imprint: [UInt8]) throws -> [UInt8] {
    try Authorities(stamps: self).serve { (authorities) throws(DocumentError) in
      try authorities.token(imprint: imprint, by: authority)
    }
  }

  func answer(to query: [UInt8]) throws -> [UInt8] {
    let answer: [UInt8]
    switch fault {
    case .away: throw OpenSSL.Failure(errors: "away")
    case .empty: return []
    case .huge: return [UInt8](repeating: 0x30, count: 4 << 20)
    // PKIStatusInfo with rejection, without a token (RFC 3161 §2.4.2).
    case .refusal: return [0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x02]
    case .replayed: answer = try reply(to: Self.query(nonce: 0x41, imprint: Self.imprint(query)))
    case .otherImprint:
      answer = try reply(
        to: Self.query(of: query, imprint: [UInt8](repeating: 7, count: 32)))
    case .cut: return try reply(to: query).dropLast()
    case .lengthened: return try reply(to: query) + [0]
    case .altered:
      var bytes = try reply(to: query)
      bytes[bytes.count - 1] ^= 1
      return bytes
    case .signer: return try otherSigner(of: reply(to: query))
    case .foreign, nil: answer = try reply(to: query)
    }
    state.withLock { $0 = ($0.requests + 1, (query, answer)) }
    return answer
  }

  /// The 32 bytes of the hash in a request.
  private static func imprint(_ query: [UInt8]) -> [UInt8] {
    let start = query.place(of: [0x04, 0x20]) ?? 0
    return [UInt8](query[start + 2..<start + 34])
  }

  /// A request with another hash.
  private static func query(of query: [UInt8], imprint: [UInt8]) -> [UInt8] {
    let start = query.place(of: [0x04, 0x20]) ?? 0
    return query.prefix(start + 2) + imprint + query.dropFirst(start + 34)
  }

  /// A request with a nonce of eight equal bytes.
  private static func query(nonce: UInt8, imprint: [UInt8]) -> [UInt8] {
    let sha256: [UInt8] = [0x30, 0x0B, 0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]
    let message = [0x30, UInt8(sha256.count + 34)] + sha256 + [0x04, 0x20] + imprint
    let body = [2, 1, 1] + message + [2, 8] + [UInt8](repeating: nonce, count: 8) + [1, 1, 0xFF]
    return [0x30, UInt8(body.count)] + body
  }

  private func reply(to query: [UInt8]) throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let configuration = """
      [tsa]
      serial = \(folder.path("serial"))
      signer_cert = \(try folder.write("own.pem", own.own))
      signer_key = \(folder.path("own.pem"))
      \(others.isEmpty ? "" : "certs = \(try folder.write("others.pem", others))")
      signer_digest = sha256
      default_policy = 1.2.3.4.1
      digests = sha256
      ess_cert_id_alg = sha256
      """
    try folder.write("serial", [UInt8]("01\n".utf8))
    return try OpenSSL.run([
      "ts", "-reply", "-queryfile", try folder.write("query", query), "-section", "tsa",
      "-config", try folder.write("tsa.cnf", [UInt8](configuration.utf8)),
    ])
  }

  /// The answer with its TSTInfo signed by a key that is not for time stamps alone.
  private func otherSigner(of answer: [UInt8]) throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let token = try OpenSSL.run([
      "ts", "-reply", "-in", try folder.write("answer", answer), "-token_out",
    ])
    let info = try OpenSSL.run(
      ["cms", "-verify", "-noverify", "-inform", "DER", "-in", try folder.write("token", token)])
    let other = try Certificates("Stamps", usage: "critical,timeStamping,clientAuth", by: own)
    let signed = try OpenSSL.run([
      "cms", "-sign", "-binary", "-nodetach", "-cades", "-outform", "DER",
      "-econtent_type", "1.2.840.113549.1.9.16.1.4", "-in", try folder.write("info", info),
      "-signer", try folder.write("own.pem", other.own),
    ])
    let status: [UInt8] = [0x30, 3, 2, 1, 0]
    let length = status.count + signed.count
    return [0x30, 0x82, UInt8(length >> 8), UInt8(length & 0xFF)] + status + signed
  }

  /// OpenSSL's verdict on the last answer.
  func verifiesLastAnswer() throws -> Bool {
    guard let last = state.withLock({ $0.last }) else { return false }
    let folder = try TemporaryDirectory()
    return try String(
      decoding: OpenSSL.run([
        "ts", "-verify", "-queryfile", try folder.write("query", last.query),
        "-in", try folder.write("answer", last.answer),
        "-CAfile", try folder.write("ca.pem", own.issuer),
      ]), as: UTF8.self
    ).contains("Verification: OK")
  }
}
