import CIECard
import Foundation
import Primitives

/// A key with its certificate, by OpenSSL's command.
struct ListAuthority: Sendable {
  struct Failure: Error { let text: String }

  let keyPEM: String
  let certificatePEM: String
  let certificate: Certificate

  /// Takes the key and the certificate of this name from a folder, or makes them.
  ///
  /// - Parameter extensions: lines of a configuration of OpenSSL.
  init(_ name: String, in folder: URL, extensions: [String]) throws {
    let word = name.lowercased().replacingOccurrences(of: " ", with: "-")
    let (key, file) = (
      folder.appendingPathComponent("\(word).key"), folder.appendingPathComponent("\(word).pem")
    )
    if !FileManager.default.fileExists(atPath: file.path) {
      let lines = ["[req]", "distinguished_name=dn", "x509_extensions=v3", "[dn]", "[v3]"]
      let configuration = folder.appendingPathComponent("\(word).cnf")
      let text = (lines + ["subjectKeyIdentifier=hash"] + extensions + [""]).joined(separator: "\n")
      try Data(text.utf8).write(to: configuration)
      defer { try? FileManager.default.removeItem(at: configuration) }
      try Self.openssl(["genpkey", "-algorithm", "RSA", "-out", key.path])
      let words = [
        "req", "-x509", "-days", "36500", "-config", configuration.path, "-key", key.path, "-subj",
        "/C=IT/O=Invented/CN=\(name)", "-out", file.path,
      ]
      try Self.openssl(words)
    }
    keyPEM = try String(contentsOf: key, encoding: .utf8)
    certificatePEM = try String(contentsOf: file, encoding: .utf8)
    let base64 = certificatePEM.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
    certificate = try Certificate(der: Base64.decode(Array(base64.utf8)) ?? [])
  }

  var base64: String { String(decoding: Base64.encode(certificate.der), as: UTF8.self) }

  /// RSASSA-PKCS1-v1_5 with SHA-256.
  func sign(_ message: String) throws -> [UInt8] {
    guard let key = SigningKey(pem: Array(keyPEM.utf8)) else { throw Failure(text: "no key") }
    return try key.sign(Array(message.utf8))
  }

  private static func openssl(_ words: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = words
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(text: words.joined(separator: " ")) }
  }
}
