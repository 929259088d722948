import CIECard
import DocumentSigning
import Primitives
import Synchronization
import TestSupport
import Testing

/// A certificate shaped like the holder's on a card, with its issuer, by OpenSSL; keys exist only
/// while the tests run.
struct TestSigner: Sendable {
  let certificate: Certificate
  let certificatePEM: [UInt8]
  let issuerPEM: [UInt8]
  let trust: TrustStore
  private let key: [UInt8]

  /// Two signers, because two signatures of one key could be mistaken for one.
  static func named(_ name: Name) throws -> TestSigner { try made[name].unwrapped().get() }

  enum Name: String, CaseIterable {
    case mario, anna
    /// With a key that can be computed from the certificate (ROCA), or with an issuer that has such a key.
    case recoverable, issuedByRecoverable
  }

  private static let made: [Name: Result<TestSigner, any Error>] = Dictionary(
    uniqueKeysWithValues: Name.allCases.map { name in (name, Result { try TestSigner(name) }) })

  private init(_ name: Name) throws {
    let identifiers = ["subjectKeyIdentifier=hash", "authorityKeyIdentifier=keyid"]
    let issuer = try OpenSSL.certificate(
      "/C=IT/CN=Test CA of \(name.rawValue)",
      key: name == .issuedByRecoverable ? Self.recoverableKey() : OpenSSL.key(of: "CA of \(name)"),
      identifiers + ["basicConstraints=critical,CA:TRUE", "keyUsage=keyCertSign"])
    let own = try OpenSSL.certificate(
      "/C=IT/CN=XXXXXX80A01H501X/GN=\(name.rawValue)/SN=Prova",
      key: name == .recoverable ? Self.recoverableKey() : OpenSSL.key(of: "\(name)"),
      identifiers + [
        "basicConstraints=CA:FALSE", "keyUsage=critical,digitalSignature",
        "extendedKeyUsage=clientAuth",
      ], by: issuer)
    let der = try OpenSSL.run(["x509", "-outform", "DER"], input: own)
    certificate = try Certificate(der: der)
    certificatePEM = own
    issuerPEM = issuer
    trust = try TrustStore([
      Certificate(der: OpenSSL.run(["x509", "-outform", "DER"], input: issuer))
    ])
    key = own
  }

  /// The published key with the fingerprint of ROCA, as PEM.
  private static func recoverableKey() throws -> [UInt8] {
    struct Vector: Decodable {
      let key: Key
      struct Key: Decodable { let privateKey: HexBytes }
    }
    let encoded = try Vectors.decode("roca", as: Vector.self).key.privateKey.bytes
    return try OpenSSL.run(["rsa", "-inform", "DER"], input: encoded)
  }

  /// The card's part: one signature of a digest.
  func sign(_ digest: Digest) throws -> [UInt8] {
    try OpenSSL.run(
      ["pkeyutl", "-sign", "-inkey", "/dev/fd/3", "-pkeyopt", "digest:sha256"],
      input: digest.bytes, descriptors: [3: key])
  }

  /// The private key as text, for programs that sign by themselves.
  var keyPEM: [UInt8] { key }

  /// Time of all signatures in these tests: a second after the newest certificate begins, because a busy machine takes
  /// minutes to make them all.
  static let time = UTCTime(
    seconds: 1
      + (made.values.compactMap { try? $0.get().certificate.notBefore.seconds }.max() ?? 0))
}

extension Optional {
  struct Absent: Error {}

  func unwrapped() throws -> Wrapped {
    guard let self else { throw Absent() }
    return self
  }
}

/// Independent programs.
enum OpenSSL {
  struct Failure: Error { let errors: String }

  static func run(
    _ arguments: [String], input: [UInt8] = [], descriptors: [CInt: [UInt8]] = [:]
  ) throws -> [UInt8] {
    let result = try BuiltBinary(path: "/usr/bin/openssl")
      .run(arguments, input: input, descriptors: descriptors)
    guard result.exitStatus == 0 else { throw Failure(errors: result.errors) }
    return result.standardOutput
  }

  private static let keys = Mutex<[String: [UInt8]]>([:])

  /// The RSA key of an owner, as PEM; made once, because that takes longer than most tests.
  static func key(of owner: String) throws -> [UInt8] {
    try keys.withLock { keys in
      let key = try keys[owner] ?? run(["genpkey", "-algorithm", "RSA"])
      keys[owner] = key
      return key
    }
  }

  /// A certificate with its key, as PEM.
  ///
  /// - Parameters:
  ///   - subject: as openssl writes it.
  ///   - extensions: lines of a configuration.
  ///   - issuer: certificate and key; nil for a self-signed one.
  static func certificate(
    _ subject: String, key: [UInt8], _ extensions: [String], by issuer: [UInt8]? = nil
  ) throws -> [UInt8] {
    let lines = ["[req]", "distinguished_name=dn", "x509_extensions=v3", "[dn]", "[v3]"]
    var descriptors: [CInt: [UInt8]] = [
      5: [UInt8]((lines + extensions + [""]).joined(separator: "\n").utf8), 6: key,
    ]
    var arguments = [
      "req", "-x509", "-days", "36500", "-config", "/dev/fd/5", "-key", "/dev/fd/6", "-subj",
      subject,
    ]
    if let issuer {
      descriptors.merge([3: issuer, 4: issuer]) { $1 }
      arguments += ["-CA", "/dev/fd/3", "-CAkey", "/dev/fd/4"]
    }
    return try key + run(arguments, descriptors: descriptors)
  }
}

/// Signed files.
enum Signed {
  static let text = [UInt8]("Contratto di prova\n".utf8)

  /// A CMS signature of contents.
  static func cms(
    _ content: [UInt8] = text, isAttached: Bool, by name: TestSigner.Name = .mario
  ) throws -> [UInt8] {
    let signer = try TestSigner.named(name)
    let form: UnsignedDocument.Form = isAttached ? .attached : .detached
    return try finish(prepared(content, form, signer.certificate), signer.sign)
  }

  /// A document that waits for the card.
  static func prepared(
    _ content: [UInt8], _ form: UnsignedDocument.Form, _ certificate: Certificate
  ) throws -> PreparedDocument {
    try UnsignedDocument(ByteSource(content), as: form)
      // The certificate of a test's own issuer may be newer.
      .prepared(for: certificate, at: max(TestSigner.time, certificate.notBefore))
  }

  static func finish(
    _ prepared: PreparedDocument, _ sign: (Digest) throws -> [UInt8]
  ) throws -> [UInt8] {
    try file(prepared.finish(signature: sign(prepared.digest)))
  }

  /// A PDF with one more signature.
  static func pdf(
    _ document: [UInt8], by name: TestSigner.Name = .mario,
    _ particulars: PDFParticulars = .init()
  ) throws -> [UInt8] {
    let signer = try TestSigner.named(name)
    return try finish(prepared(document, .pdf(particulars), signer.certificate), signer.sign)
  }

  /// Judgement with the issuers of all test signers.
  static func judge(
    _ file: [UInt8], content: [UInt8]? = nil, password: [UInt8] = [],
    at time: UTCTime = TestSigner.time
  ) throws -> DocumentReport {
    let trust = try TestSigner.Name.allCases.dropFirst().reduce(TestSigner.named(.mario).trust) {
      try $0.merged(with: TestSigner.named($1).trust)
    }
    return try DocumentJudge(trust: trust, at: time)
      .judge(ByteSource(file), content: content.map { ByteSource($0) }, password: password)
  }

  /// True if a judgement says that everything is proved.
  static func isProved(_ file: [UInt8], content: [UInt8]? = nil) -> Bool {
    (try? judge(file, content: content))?.outcome == .proved
  }
}
