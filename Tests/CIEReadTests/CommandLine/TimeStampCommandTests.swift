import Foundation
import TestSupport
import Testing
import VirtualCIE

/// `sign --level t` and `extend`, with a time stamp authority behind HTTP.
@Suite struct TimeStampCommandTests {
  private let pin = Persona.gemalto.pin

  /// A running authority.
  private final class Server {
    let folder: TemporaryDirectory
    let process: BackgroundProcess
    let url: String

    init(_ status: Int? = nil) throws {
      let folder = try TemporaryDirectory()
      process = try BackgroundProcess(
        "/usr/bin/python3",
        [
          "-B", Repository.path("Tests/CIEReadTests/Support/time-stamp-server.py"),
          folder.path("."),
        ] + (status.map { ["\($0)"] } ?? []))
      url = try #require(process.firstLine())
      self.folder = folder
    }

    var options: [String] { ["--tsa", url, "--tsa-trust", folder.path("ca.pem")] }
  }

  private func stampedTimes(
    _ path: String, _ server: Server
  ) throws -> [String] {
    let (object, _) = try Program.json(["check", path, "--tsa-trust", server.folder.path("ca.pem")])
    let files = try #require(object["files"] as? [[String: Any]])
    let signatures = try #require(files.first?["signatures"] as? [[String: Any]])
    // The signature's own, or that of the document behind it.
    let stamps = signatures.flatMap { $0["points"] as? [[String: Any]] ?? [] }
      .filter { $0["point"] as? String == "time-stamp" }
    #expect(stamps.count == 1 && stamps.first?["verdict"] as? String == "proved")
    return signatures.compactMap { $0["stampedTime"] as? String }
  }

  @Test(arguments: [("letter.txt", ".p7m"), ("letter.txt", ".p7s")])
  func `a signed letter gets its time with the signature, or later`(
    _ name: String, _ ending: String
  ) throws {
    let server = try Server()
    let folder = try TemporaryDirectory()
    let letter = try folder.write(name, [UInt8]("Caro ufficio\n".utf8))
    let (object, result) = try Program.json(
      ["sign", "--virtual", letter, "--out", letter + ending, "--level", "t"] + server.options,
      input: pin)
    #expect(result.exitStatus == 0)
    let documents = try #require(object["documents"] as? [[String: Any]])
    #expect(documents.first?["level"] as? String == "t")
    #expect(try stampedTimes(letter + ending, server).count == 1)

    try FileManager.default.removeItem(atPath: letter + ending)
    let plain = try Program.json(
      ["sign", "--virtual", letter, "--out", letter + ending], input: pin)
    let plainDocuments = try #require(plain.object["documents"] as? [[String: Any]])
    #expect(plainDocuments.first?["level"] as? String == "b")
    let output = folder.path("later" + ending)
    let extended = try Program.json(
      ["extend", letter + ending, "--out", output] + server.options)
    #expect(extended.result.exitStatus == 0)
    #expect((extended.object["stampedTimes"] as? [String])?.count == 1)
    if ending == ".p7s" { try folder.write("later", folder.read(name)) }
    #expect(try stampedTimes(output, server) == extended.object["stampedTimes"] as? [String])
    let again = try Program.json(["extend", output] + server.options)
    #expect(try ReportedError(again.object).name == "nothing-to-stamp")
    #expect(again.result.exitStatus == 64)
  }

  @Test func `a signed PDF gets its time with the signature, or later`() throws {
    let server = try Server()
    let folder = try TemporaryDirectory()
    let pdf = try folder.write(
      "contract.pdf", Repository.read("Tests/CIEReadTests/SignedFiles/unsigned.pdf"))
    let signing = ["sign", "--virtual", pdf, "--format", "pades"]
    let signed = try Program.run(signing + ["--level", "t"] + server.options, input: pin)
    #expect(signed.exitStatus == 0, "\(signed.errors)")
    #expect(try stampedTimes(folder.path("contract-signed.pdf"), server).count == 1)
    #expect(try Program.run(signing + ["--force"], input: pin).exitStatus == 0)
    let path = folder.path("contract-signed.pdf")
    #expect(try Program.run(["extend", path] + server.options).exitStatus == 0)
    let extended = folder.path("contract-signed-extended.pdf")
    #expect(try stampedTimes(extended, server).count == 1)
    let sound = try BuiltBinary(path: "/usr/bin/qpdf").run(["--check", extended])
    #expect(sound.exitStatus == 0)
  }

  /// Without an answer nothing is written, unless the time stamp is optional.
  @Test func `an authority that refuses leaves nothing`() throws {
    let server = try Server(503)
    let folder = try TemporaryDirectory()
    let letter = try folder.write("letter.txt", [UInt8]("Caro ufficio\n".utf8))
    let signing =
      ["sign", "--virtual", letter, "--format", "cades", "--level", "t"] + server.options
    let (object, result) = try Program.json(signing, input: pin)
    #expect(result.exitStatus == 11)
    #expect(try ReportedError(object).name == "authority-status")
    #expect(try folder.fileNames() == ["letter.txt"])
    let optional = try Program.json(signing + ["--tsa-optional"], input: pin)
    #expect(optional.result.exitStatus == 0)
    let documents = try #require(optional.object["documents"] as? [[String: Any]])
    #expect(documents.first?["level"] as? String == "b")
    #expect(try folder.fileNames().sorted() == ["letter.txt", "letter.txt.p7m"])
    let extended = try Program.json(["extend", letter + ".p7m"] + server.options)
    #expect(extended.result.exitStatus == 11)
    #expect(try folder.fileNames().count == 2)
  }

  /// The authority's own words are those that help.
  @Test(arguments: [
    ("refusal", "time-stamp-refused", "credit exhausted; timeNotAvailable"),
    ("page", "time-stamp-page", "a web page"),
  ])
  func `a refusal and a page are told as such`(
    _ fault: String, _ name: String, _ words: String
  ) throws {
    let server = try Server()
    let folder = try TemporaryDirectory()
    let letter = try folder.write("letter.txt", [UInt8]("Caro ufficio\n".utf8))
    try server.folder.write("fault", [UInt8]("\(fault) 0".utf8))
    let (object, result) = try Program.json(
      ["sign", "--virtual", letter, "--format", "cades", "--level", "t"] + server.options,
      input: pin)
    #expect(result.exitStatus == 11)
    #expect(try ReportedError(object).name == name)
    let error = try #require(object["error"] as? [String: Any])
    #expect((error["what"] as? String)?.contains(words) == true, "\(error)")
    #expect(try folder.fileNames() == ["letter.txt"])
  }

  /// Nothing is bought for a file whose signature is false.
  @Test(arguments: ["t", "lt", "lta"])
  func `a false signature gets no time stamp`(_ level: String) throws {
    let server = try Server()
    let path = server.folder.path("letter.txt.p7m")
    for place in [1, nil] {
      var bytes = try server.folder.read("letter.txt.p7m")
      let index = try #require(
        place.map { bytes.count - $0 }
          ?? bytes.indices.first { bytes[$0...].starts(with: "Caro".utf8) })
      bytes[index] ^= 1
      let altered = try server.folder.write("altered.p7m", bytes)
      let (object, result) = try Program.json(
        ["extend", altered, "--level", level, "--issuer", server.folder.path("ca.pem")].filter {
          level != "t" || $0 != "--issuer" && !$0.hasSuffix("ca.pem")
        } + server.options)
      #expect(result.exitStatus == 10, "\(object)")
      #expect(try !server.folder.fileNames().contains("exchanges"))
    }
    #expect(try Program.run(["extend", path] + server.options).exitStatus == 0)
    #expect(try server.folder.fileNames().contains("exchanges"))
  }

  @Test func `an authority that is away is the network's failure`() throws {
    let folder = try TemporaryDirectory()
    let letter = try folder.write("letter.txt", [UInt8]("Caro ufficio\n".utf8))
    let issuers = Repository.path("Tests/CIEReadTests/SignedFiles/issuers.pem")
    // The discard port, at which no program of this machine listens.
    let (_, result) = try Program.json(
      [
        "sign", "--virtual", letter, "--format", "cades", "--level", "t",
        "--tsa", "http://127.0.0.1:9/", "--tsa-trust", issuers,
      ], input: pin)
    #expect(result.exitStatus == 14)
    #expect(try folder.fileNames() == ["letter.txt"])
  }

  /// The points of the only signature of a file.
  private func points(_ path: String, _ options: [String]) throws -> [String: String] {
    let (object, _) = try Program.json(["check", path] + options)
    let files = try #require(object["files"] as? [[String: Any]])
    let signatures = try #require(files.first?["signatures"] as? [[String: Any]])
    let points = try #require(signatures.first?["points"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: points.compactMap { point in
        (point["point"] as? String).map { ($0, point["verdict"] as? String ?? "") }
      })
  }

  @Test func `evidence is added once the issuer answers, and asked for by check`() throws {
    let server = try Server()
    let letter = server.folder.path("letter.txt.p7m")
    let trust = ["--trust", server.folder.path("ca.pem")]
    #expect(try points(letter, trust)["revocation"] == nil)
    #expect(try points(letter, trust + ["--online"])["revocation"] == "proved")

    for level in ["lt", "lta"] {
      let output = server.folder.path(level)
      let extending = ["extend", letter, "--level", level, "--out", output] + server.options
      try server.folder.write("silent", [])
      let silent = try Program.json(extending)
      #expect(silent.result.exitStatus == 11)
      #expect(try ReportedError(silent.object).name == "authority-status")
      #expect(try !server.folder.fileNames().contains(level))
      try FileManager.default.removeItem(atPath: server.folder.path("silent"))
      let (object, result) = try Program.json(extending)
      #expect(result.exitStatus == 0 && object["level"] as? String == level)
      let proved = try points(output, trust + ["--tsa-trust", server.folder.path("ca.pem")])
      #expect(proved["revocation"] == "proved" && proved["time-stamp"] == "proved")
    }

    try server.folder.write("revoked", [])
    let revoked = try Program.json(["extend", letter, "--level", "lt"] + server.options)
    #expect(revoked.result.exitStatus == 10)
    #expect(try ReportedError(revoked.object).name == "certificate-revoked")
    #expect(try points(letter, trust + ["--online"])["revocation"] == "false")
    #expect(try points(server.folder.path("lta"), trust)["revocation"] == "proved")
  }

  /// The demo card's certificate names no service.
  @Test func `a level that cannot be reached is left out only if it is optional`() throws {
    let server = try Server()
    let folder = try TemporaryDirectory()
    let letter = try folder.write("letter.txt", [UInt8]("Caro ufficio\n".utf8))
    let signing =
      ["sign", "--virtual", letter, "--format", "cades", "--level", "lt"] + server.options
    let (_, result) = try Program.json(signing, input: pin)
    #expect(result.exitStatus != 0)
    #expect(try folder.fileNames() == ["letter.txt"])
    let optional = try Program.json(signing + ["--tsa-optional"], input: pin)
    #expect(optional.result.exitStatus == 0)
    let documents = try #require(optional.object["documents"] as? [[String: Any]])
    #expect(documents.first?["level"] as? String == "t")
    #expect(try stampedTimes(letter + ".p7m", server).count == 1)
  }

  @Test(arguments: [
    (["--level", "t"], "level-without-tsa"),
    (["--tsa", "http://127.0.0.1:9/"], "tsa-without-trust"),
    (["--tsa", "ftp:x", "--level", "t"], "bad-tsa"),
    (["--tsa", "http://127.0.0.1:9/", "--tsa-trust", "ISSUERS"], "level-without-tsa"),
    (
      [
        "--tsa", "http://127.0.0.1:9/", "--tsa-trust", "ISSUERS", "--level", "t", "--tsa-user", "x",
      ],
      "tsa-password-over-http"
    ),
    (
      [
        "--tsa", "http://127.0.0.1:9/", "--tsa-trust", "ISSUERS", "--level", "t",
        "--tsa-password-fd", "7",
      ], "tsa-password-without-user"
    ),
  ])
  func `options that do not go together are refused`(_ more: [String], _ name: String) throws {
    let issuers = Repository.path("Tests/CIEReadTests/SignedFiles/issuers.pem")
    let words = more.map { $0 == "ISSUERS" ? issuers : $0 }
    let (object, result) = try Program.json(
      ["sign", issuers, "--virtual", "--format", "cades"] + words, input: pin)
    #expect(result.exitStatus == 64)
    #expect(try ReportedError(object).name == name)
  }
}
