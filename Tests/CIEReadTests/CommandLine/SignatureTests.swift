import TestSupport
import Testing
import VirtualCIE

/// Signatures as judged by another program: OpenSSL's command, with the certificate from `cert`.
@Suite struct SignatureTests {
  private let openssl = BuiltBinary(path: "/usr/bin/openssl")

  @Test(arguments: Persona.all.map(\.identifier), ["sha256", "sha384", "sha512"])
  func `OpenSSL accepts the signatures`(_ identifier: String, _ digest: String) throws {
    let persona = try #require(Persona.named(identifier))
    let directory = try TemporaryDirectory()
    let key = try publicKey(of: persona, in: directory)
    let text = try directory.write("text", [UInt8]("to be signed\n".utf8))
    let signing = try Program.run(
      ["sign", "--virtual", identifier, "--digest", digest, "--in", text], input: persona.pin)
    #expect(signing.exitStatus == 0)
    #expect(try directory.read("text.sig").count == 256)
    let judged = try openssl.run(
      ["dgst", "-\(digest)", "-verify", key, "-signature", text + ".sig", text])
    #expect(judged.output == "Verified OK\n")
    let altered = try directory.write("altered", [UInt8]("to be Signed\n".utf8))
    let refused = try openssl.run(
      ["dgst", "-\(digest)", "-verify", key, "-signature", text + ".sig", altered])
    #expect(refused.exitStatus != 0)
  }

  @Test func `several files and standard input are signed in one session`() throws {
    let persona = Persona.gemalto
    let directory = try TemporaryDirectory()
    let key = try publicKey(of: persona, in: directory)
    let pin = try directory.write("pin", [UInt8](persona.pin.utf8))
    let first = try directory.write("first", [UInt8](repeating: 0x41, count: 300_000))
    let second = try directory.write("second", [])
    let outs = [directory.path("1.sig"), directory.path("2.sig")]
    let result = try Program.run(
      ["sign", "--virtual", "--pin-file", pin, "--in", first, "--in", second]
        + ["--out", outs[0], "--out", outs[1]])
    #expect(result.exitStatus == 0)
    for (file, signature) in zip([first, second], outs) {
      let judged = try openssl.run(
        ["dgst", "-sha256", "-verify", key, "-signature", signature, file])
      #expect(judged.output == "Verified OK\n")
    }
    let piped = try Program.run(
      ["sign", "--virtual", "--pin-file", pin, "--in", "-"],
      input: String(repeating: "A", count: 300_000))
    #expect(try piped.standardOutput == directory.read("1.sig"))
  }

  @Test func `with --json no signature file is written`() throws {
    let directory = try TemporaryDirectory()
    let text = try directory.write("text", [1, 2, 3])
    let object = try Program.json(
      ["sign", "--virtual", "--in", text], input: Persona.gemalto.pin
    ).object
    let signatures = try #require(object["signatures"] as? [[String: Any]])
    #expect((signatures.first?["signature"] as? String)?.count == 512)
    #expect(throws: (any Error).self) { try directory.read("text.sig") }
  }

  /// A file that cannot be made is reported before a PIN is asked for; a wrong PIN leaves the old file alone.
  @Test func `output files are complete or untouched`() throws {
    let directory = try TemporaryDirectory()
    let text = try directory.write("text", [1, 2, 3])
    let old = try directory.write("old.sig", [9, 9, 9])
    let missing = try Program.run(
      ["sign", "--virtual", "--in", text, "--out", directory.path("no/such/folder")])
    #expect(missing.exitStatus == 1)
    #expect(missing.errors.contains("output-unwritable"))
    let wrong = try Program.run(
      ["sign", "--virtual", "--in", text, "--out", old, "--force"], input: "00000001")
    #expect(wrong.exitStatus == 7)
    #expect(try directory.read("old.sig") == [9, 9, 9])
    #expect(try directory.fileNames() == ["old.sig", "text"])
  }

  private func publicKey(
    of persona: Persona, in directory: borrowing TemporaryDirectory
  ) throws -> String {
    let certificate = directory.path("certificate.pem")
    let result = try Program.run(
      ["cert", "--virtual", persona.identifier, "--out", certificate], input: persona.pin)
    #expect(result.exitStatus == 0)
    #expect(result.output.hasSuffix("Certificate saved in \(certificate).\n"))
    let key = try openssl.run(["x509", "-in", certificate, "-noout", "-pubkey"])
    #expect(key.exitStatus == 0)
    return try directory.write("key.pem", key.standardOutput)
  }
}
