import Foundation
import TestSupport
import Testing
import VirtualCIE

/// `sign --format cades|pades` with software cards, judged by OpenSSL, Poppler and qpdf.
@Suite struct SignDocumentTests {
  private let openssl = BuiltBinary(path: "/usr/bin/openssl")
  let pin = Persona.gemalto.pin

  /// A PDF of one page.
  static let pdf: [UInt8] = {
    var file = "%PDF-1.7\n"
    var offsets: [Int] = []
    for (index, object) in [
      "<</Type /Catalog /Pages 2 0 R>>", "<</Type /Pages /Kids [3 0 R] /Count 1>>",
      "<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]>>",
    ].enumerated() {
      offsets.append(file.utf8.count)
      file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = file.utf8.count
    file += "xref\n0 4\n0000000000 65535 f \n"
    for offset in offsets { file += String(format: "%010d 00000 n \n", offset) }
    return [UInt8]((file + "trailer\n<</Size 4 /Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n").utf8)
  }()

  func sign(
    _ arguments: [String], persona: Persona = .gemalto
  ) throws -> (documents: [[String: Any]], result: ProcessResult, object: [String: Any]) {
    let (object, result) = try Program.json(
      ["sign", "--virtual", persona.identifier] + arguments, input: persona.pin)
    return (object["documents"] as? [[String: Any]] ?? [], result, object)
  }

  func signatures(in path: String) throws -> Int {
    let (object, _) = try Program.json(["check", path])
    let files = try #require(object["files"] as? [[String: Any]])
    let signatures = try #require(files.first?["signatures"] as? [[String: Any]])
    for signature in signatures {
      let points = try #require(signature["points"] as? [[String: Any]])
      let judged = points.filter { !["chain", "validity"].contains($0["point"] as? String) }
      #expect(judged.allSatisfy { $0["verdict"] as? String == "proved" })
    }
    return signatures.count
  }

  /// Poppler's count of valid signatures.
  func valid(_ path: String, in folder: borrowing TemporaryDirectory) throws -> Int {
    let database = "sql:\(folder.path("nss"))"
    if try !folder.fileNames().contains("nss") {
      try folder.makeFolder("nss")
      let made = try BuiltBinary(path: "/usr/bin/certutil")
        .run(["-N", "-d", database, "--empty-password"])
      #expect(made.exitStatus == 0)
    }
    let sound = try BuiltBinary(path: "/usr/bin/qpdf").run(["--check", path])
    #expect(sound.exitStatus == 0, "\(sound.output)\(sound.errors)")
    let judged = try BuiltBinary(path: "/usr/bin/pdfsig")
      .run(["-nssdir", folder.path("nss"), path])
    #expect(judged.output.contains("Total document signed"))
    return judged.output.split(separator: "\n").count { $0.contains("Signature is Valid.") }
  }

  @Test(arguments: [false, true]) func `OpenSSL takes a CAdES file`(_ isDetached: Bool) throws {
    let folder = try TemporaryDirectory()
    let text = [UInt8]("Caro ufficio\n".utf8)
    let letter = try folder.write("letter.txt", text)
    let signed = letter + (isDetached ? ".p7s" : ".p7m")
    // The format by its name, or by the name of the output.
    for arguments in [
      ["--format", "cades"] + (isDetached ? ["--detached"] : []), ["--out", signed, "--force"],
    ] {
      let (documents, result, _) = try sign([letter] + arguments)
      #expect(result.exitStatus == 0)
      #expect(documents.first?["out"] as? String == signed)
      let judged = try openssl.run(
        ["cms", "-verify", "-noverify", "-binary", "-inform", "DER", "-in", signed]
          + (isDetached ? ["-content", letter] : []))
      #expect(judged.standardOutput == text, "\(judged.errors)")
    }
    try folder.write("letter.txt", text + text)
    let altered = try openssl.run(
      ["cms", "-verify", "-noverify", "-binary", "-inform", "DER", "-in", signed]
        + (isDetached ? ["-content", letter] : []))
    #expect((altered.exitStatus != 0) == isDetached)
  }

  @Test(arguments: [".p7m", ".p7s"]) func `a second card adds its signature`(
    _ ending: String
  ) throws {
    let folder = try TemporaryDirectory()
    let letter = try folder.write("letter.txt", [UInt8]("Caro ufficio\n".utf8))
    #expect(try sign([letter, "--out", letter + ending]).result.exitStatus == 0)
    let (documents, result, _) = try sign(
      [letter + ending, "--format", "cades"], persona: .nxp)
    #expect(result.exitStatus == 0)
    #expect(documents.first?["earlierSignatures"] as? Int == 1)
    let signed = folder.path("letter-signed.txt\(ending)")
    #expect(documents.first?["out"] as? String == signed)
    // The contents of a detached signature are found by its name.
    if ending == ".p7s" {
      try folder.write("letter-signed.txt", [UInt8]("Caro ufficio\n".utf8))
    }
    #expect(try signatures(in: signed) == 2)
    let judged = try openssl.run(
      ["cms", "-verify", "-noverify", "-binary", "-inform", "DER", "-in", signed]
        + (ending == ".p7s" ? ["-content", letter] : []))
    #expect(judged.exitStatus == 0, "\(judged.errors)")
  }

  @Test func `signatures of two cards hold in one PDF`() throws {
    let folder = try TemporaryDirectory()
    let first = try folder.write("contract.pdf", Self.pdf)
    let stated = ["--reason", "Per accettazione", "--location", "Forlì", "--field", "Inquilino"]
    #expect(try sign([first, "--format", "pades"] + stated).result.exitStatus == 0)
    let second = folder.path("contract-signed.pdf")
    #expect(try valid(second, in: folder) == 1)
    let both = folder.path("both.pdf")
    let (documents, result, _) = try sign([second, "--out", both], persona: .nxp)
    #expect(result.exitStatus == 0)
    #expect(documents.first?["pages"] as? Int == 1)
    #expect(documents.first?["earlierSignatures"] as? Int == 1)
    #expect(try valid(both, in: folder) == 2)
    #expect(try signatures(in: both) == 2)
    #expect(try folder.read("both.pdf").starts(with: folder.read("contract-signed.pdf")))
  }

  /// In place only with --force; otherwise the file stays as it is.
  @Test func `a PDF is signed in place only if this is asked`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("contract.pdf", Self.pdf)
    let (_, refused, object) = try sign([path, "--out", path])
    #expect(refused.exitStatus == 64)
    #expect(try ReportedError(object).name == "output-exists")
    #expect(try folder.read("contract.pdf") == Self.pdf)
    #expect(try sign([path, "--out", path, "--force"]).result.exitStatus == 0)
    #expect(try valid(path, in: folder) == 1)
  }

  @Test func `a folder is signed with one VERIFY, and a bad file named`() throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("in")
    for number in 1...20 { try folder.write("in/\(number).pdf", Self.pdf) }
    try folder.write("in/7.pdf", [UInt8]("no PDF".utf8))
    try folder.write("in/notes.txt", [UInt8]("left out".utf8))
    let diary = folder.path("diary")
    let (documents, result, object) = try sign([
      folder.path("in"), "--format", "pades", "--out-dir", folder.path("out/new"),
      "--record", diary,
    ])
    #expect(result.exitStatus == 64)
    #expect(try ReportedError(object).name == "pdf-refused")
    #expect(documents.count == 20)
    let bad = documents.filter { $0["out"] is NSNull }
    #expect(bad.map { $0["in"] as? String } == [folder.path("in/7.pdf")])
    #expect(try signatures(in: folder.path("out/new/20.pdf")) == 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out/new"))
    #expect(names.count == 19)
    let commands = try String(decoding: folder.read("diary"), as: UTF8.self)
      .split(separator: "\n").filter { $0.hasPrefix("> ") }
    #expect(commands.count { $0.dropFirst(4).hasPrefix("20") } == 1)
    // One proves the chip.
    #expect(commands.count { $0.dropFirst(4).hasPrefix("88") } == 1 + 19)
  }

  /// The entries of the file manager, in the package.
  @Test func `each file is signed in the format of its name`() throws {
    let folder = try TemporaryDirectory()
    let inputs = [
      try folder.write("a.PDF", Self.pdf), try folder.write("b.txt", [UInt8]("b".utf8)),
    ]
    let (documents, result, _) = try sign(inputs + ["--format", "auto"])
    #expect(result.exitStatus == 0)
    #expect(
      documents.map { $0["out"] as? String }
        == [folder.path("a-signed.PDF"), folder.path("b.txt.p7m")])
    #expect(try valid(folder.path("a-signed.PDF"), in: folder) == 1)
    let entries = ["sign", "check"].map {
      Repository.path("tools/packaging/debian/cie-read-\($0).desktop")
    }
    let validator = try BuiltBinary(path: "/usr/bin/desktop-file-validate").run(entries)
    #expect(validator.exitStatus == 0 && validator.output == "", "\(validator.output)")
    // Every option in them is one of the command.
    for entry in try entries.map({ try String(contentsOfFile: $0, encoding: .utf8) }) {
      let line = try #require(entry.split(separator: "\n").first { $0.hasPrefix("Exec=") })
      let words = line.dropFirst(5).split(separator: " ").map(String.init)
      let ended = try Program.run(
        words.dropFirst().prefix { $0 != "--" } + ["--"] + inputs,
        environment: ["DISPLAY": "", "WAYLAND_DISPLAY": "", "XDG_RUNTIME_DIR": folder.path("")])
      #expect(ended.errors.contains("[no-display;"), "\(ended.errors)")
    }
  }

  @Test(arguments: 2...5) func `a card that is lost leaves whole files`(_ moment: Int) throws {
    let folder = try TemporaryDirectory()
    let inputs = try (1...4).map { try folder.write("\($0).pdf", Self.pdf) }
    let (documents, result, object) = try sign(
      inputs + ["--format", "pades", "--out-dir", folder.path("out")]
        + ["--fault", "card-removed@88:\(moment)"])
    #expect(result.exitStatus == 9)
    #expect(try ReportedError(object).name == "card-removed")
    #expect(documents.count { $0["error"] is NSNull } == moment - 2)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
    #expect(names.sorted() == (1..<moment - 1).map { "\($0).pdf" })
    for name in names { #expect(try signatures(in: folder.path("out/\(name)")) == 1) }
  }

  /// Refused without the card: with a wrong PIN the error is still that of the file.
  @Test(arguments: ["no PDF", "%PDF-1.7\n", ""])
  func `an unfit file spends no PIN`(_ text: String) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("x.pdf", [UInt8](text.utf8))
    let (object, result) = try Program.json(
      ["sign", "--virtual", path, "--format", "pades"], input: "00000000")
    #expect(result.exitStatus == 64)
    #expect(try ReportedError(object).name == (text.isEmpty ? "empty-file" : "pdf-refused"))
    #expect(object["genuine"] == nil)
    #expect(try folder.fileNames() == ["x.pdf"])
  }

  @Test func `a wrong PIN leaves nothing behind`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("x.pdf", Self.pdf)
    let (_, result) = try Program.json(
      ["sign", "--virtual", path, "--format", "pades"], input: "00000000")
    #expect(result.exitStatus == 7)
    #expect(try folder.fileNames() == ["x.pdf"])
  }

  /// Worth, file and hash are shown before the PIN, the name once the card has returned the certificate.
  @Test func `the statement comes before the PIN`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("x.pdf", Self.pdf)
    let digest = try openssl.run(["dgst", "-sha256", "-r", path]).output.prefix(16).uppercased()
    let session = try TerminalTests().play(
      ["expect=art. 61", "expect=SHA-256 \(digest)", "expect=PIN (8 digits", "type=\(pin)"],
      ["sign", "--virtual", path, "--format", "pades"])
    #expect(session.status == 0 && session.stepsLeft.isEmpty)
    #expect(session.shown.contains("Signed by GELSOMINA PROVA"))
  }
}
