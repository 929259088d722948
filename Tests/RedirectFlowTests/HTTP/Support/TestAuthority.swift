import TestSupport

/// A throw-away certificate authority made by the openssl command, in a separate folder.
final class TestAuthority {
  /// A certificate with its key, as PEM files.
  struct Identity {
    let certificate: String
    let key: String
  }

  private let folder: TemporaryDirectory
  private let authority: Identity
  private var count = 0

  /// The authority's own certificate, a PEM file.
  var certificate: String { authority.certificate }

  init() throws {
    folder = try TemporaryDirectory()
    authority = Identity(certificate: folder.path("ca.pem"), key: folder.path("ca.key"))
    try Self.openssl(
      ["req", "-x509"] + Self.newKey(.elliptic, authority.key)
        + ["-subj", "/CN=Throw-away CA", "-days", "2", "-out", authority.certificate])
  }

  enum Kind { case elliptic, rsa }

  /// Issues a certificate.
  ///
  /// - Parameters:
  ///   - names: subject alternative names as openssl writes them.
  ///   - days: validity from now; negative for a certificate that has expired.
  func issue(
    _ kind: Kind = .elliptic, names: String = "IP:127.0.0.1,DNS:localhost", days: Int = 2
  ) throws -> Identity {
    count += 1
    let name = "\(count)"
    let identity = Identity(
      certificate: folder.path(name + ".pem"), key: folder.path(name + ".key"))
    let request = folder.path(name + ".csr")
    try Self.openssl(
      ["req"] + Self.newKey(kind, identity.key)
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=" + names, "-out", request])
    try Self.openssl([
      "x509", "-req", "-in", request, "-CA", authority.certificate, "-CAkey", authority.key,
      "-set_serial", name, "-copy_extensions", "copy", "-days", "\(days)",
      "-out", identity.certificate,
    ])
    return identity
  }

  /// A revocation list, a PEM file, with the certificate that was issued last.
  func revokeLast() throws -> String {
    let list = folder.path("revoked.pem")
    let database = try folder.write(
      "index.txt",
      Array("R\t300101000000Z\t200101000000Z\t0\(count)\tunknown\t/CN=localhost\n".utf8))
    let configuration = try folder.write(
      "ca.cnf",
      Array(
        """
        [ca]
        default_ca = it
        [it]
        database = \(database)
        default_md = sha256
        default_crl_days = 2

        """.utf8))
    try Self.openssl([
      "ca", "-gencrl", "-config", configuration, "-cert", authority.certificate,
      "-keyfile", authority.key, "-out", list,
    ])
    return list
  }

  /// Writes a DER certificate as a PEM file.
  func write(_ name: String, _ pem: String) throws -> String {
    try folder.write(name, Array(pem.utf8))
  }

  /// Parameters for Diffie-Hellman: a published group (RFC 7919 §A.1), a PEM file.
  func parameters() throws -> String {
    let file = folder.path("dh.pem")
    try Self.openssl([
      "genpkey", "-genparam", "-algorithm", "DH", "-pkeyopt", "group:ffdhe2048", "-out", file,
    ])
    return file
  }

  private static func newKey(_ kind: Kind, _ file: String) -> [String] {
    switch kind {
    case .elliptic:
      ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", file]
    case .rsa: ["-newkey", "rsa:2048", "-nodes", "-keyout", file]
    }
  }

  /// Runs openssl, which must succeed.
  @discardableResult
  static func openssl(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
    let result = try BuiltBinary(path: "/usr/bin/openssl").run(arguments, input: input)
    guard result.exitStatus == 0 else { throw OpenSSLFailure(errors: result.errors) }
    return result.standardOutput
  }

  struct OpenSSLFailure: Error { let errors: String }
}
