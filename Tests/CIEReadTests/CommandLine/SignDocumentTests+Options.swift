import Foundation
import TestSupport
import Testing
import VirtualCIE

/// Options of `sign` that contradict each other.
extension SignDocumentTests {
  @Test(arguments: [
    (["--format", "raw", "--reason", "x"], "unfit-sign-option"),
    (["--format", "cades", "--field", "x"], "unfit-sign-option"),
    (["--format", "pades", "--detached"], "unfit-sign-option"),
    (["--format", "cades", "--digest", "sha512"], "unfit-sign-option"),
    (["--out-dir", "x"], "unfit-sign-option"),
    (["--format", "pades", "--out-dir", "x", "--out", "y"], "several-outputs"),
    (["--format", "pades", "--room", "-1"], "bad-room"),
    (["b", "--out", "a.pdf", "--out", "b.p7m"], "several-formats"),
    (["b", "--format", "cades", "--out", "a", "--out", "a"], "same-output"),
    (["--format", "cades", "--out", "a", "--out", "b"], "out-count"),
  ])
  func `options that do not go together are refused`(_ more: [String], _ name: String) throws {
    let (object, result) = try Program.json(
      ["sign", "a", "--virtual"] + more, input: Persona.gemalto.pin)
    #expect(result.exitStatus == 64)
    #expect(try ReportedError(object).name == name)
  }

  /// A pipe would have the signed file before it is judged.
  @Test func `a pipe gets no signed document`() throws {
    let folder = try TemporaryDirectory()
    let letter = try folder.write("letter", [1, 2, 3])
    let (documents, result, object) = try sign([letter, "--format", "cades", "--out", "/dev/null"])
    #expect(result.exitStatus == 64)
    #expect(try ReportedError(object).name == "input-not-a-file")
    #expect(documents.first?["out"] is NSNull && object["genuine"] == nil)
  }

  @Test(arguments: [
    (0, "empty-file", "is empty: there is nothing in it."),
    (200, "pdf-refused", "cannot be signed as a PDF: it is damaged, incomplete or no PDF at all."),
  ])
  func `an empty and a cut PDF are called so`(
    _ length: Int, _ name: String, _ words: String
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("file.pdf", [UInt8](Self.pdf.prefix(length)))
    let error = try #require(
      try sign([path, "--format", "pades"]).documents.first?["error"] as? [String: Any])
    #expect(error["name"] as? String == name && error["what"] as? String == "\(path) \(words)")
  }

  @Test func `an encrypted PDF is signed and judged with its password`() throws {
    let folder = try TemporaryDirectory()
    let encrypted = folder.path("encrypted.pdf")
    let made = try BuiltBinary(path: "/usr/bin/qpdf").run([
      "--encrypt", "apriti", "o", "256", "--", try folder.write("plain.pdf", Self.pdf), encrypted,
    ])
    #expect(made.exitStatus == 0)
    let right = try folder.write("right", [UInt8]("apriti\n".utf8))
    let wrong = try folder.write("wrong", [UInt8]("apriti!\n".utf8))
    let out = folder.path("signed.pdf")
    for (file, error) in [
      ([], "pdf-needs-password"), (["--password-file", wrong], "pdf-wrong-password"),
    ] {
      let (documents, _, _) = try sign([encrypted, "--out", out] + file)
      let found = documents.first?["error"] as? [String: Any]
      #expect(found?["name"] as? String == error, "\(documents)")
    }
    let signed = try sign([encrypted, "--out", out, "--password-file", right, "--mark"])
    #expect(signed.result.exitStatus == 0, "\(signed.result.errors)")
    let (judged, _) = try Program.json(["check", out, "--password-file", right])
    let file = try #require((judged["files"] as? [[String: Any]])?.first)
    #expect((file["signatures"] as? [Any])?.count == 1)
    let read = try Program.run(
      ["check", out, "--password-fd", "3", "--json"], descriptors: [3: [UInt8]("apriti\n".utf8)])
    #expect(read.output.contains(#""signatures":[{"#))
    let (unread, _) = try Program.json(["check", out])
    let unreadable = try #require((unread["files"] as? [[String: Any]])?.first)
    #expect((unreadable["signatures"] as? [Any])?.isEmpty == true)
  }

  @Test func `the visible mark shows the name, where it is wanted`() throws {
    let folder = try TemporaryDirectory()
    let contract = try folder.write("contract.pdf", Self.pdf)
    let out = folder.path("signed.pdf")
    let image = Repository.path("Tests/CIEReadTests/SignedFiles/mark.png")
    let signed = try sign([
      contract, "--out", out, "--mark", "--mark-image", image, "--page", "1", "--at", "36,700",
      "--reason", "Accettazione",
    ])
    #expect(signed.result.exitStatus == 0, "\(signed.result.errors)")
    #expect(try valid(out, in: folder) == 1)
    let text = try BuiltBinary(path: "/usr/bin/pdftotext").run([out, "-"])
    #expect(text.output.contains("Accettazione"))
    for (arguments, error) in [
      (["--at", "top-left"], "without-mark"), (["--page", "first"], "without-mark"),
      (["--mark-image", contract], "bad-mark-image"), (["--mark", "--page", "0"], "bad-value"),
      (["--mark", "--at", "1,"], "bad-value"), (["--mark", "--at", "nan,1"], "bad-value"),
    ] {
      let (object, result) = try Program.json(
        ["sign", "--virtual", "gemalto", contract, "--out", out, "--force"] + arguments,
        input: Persona.gemalto.pin)
      let found = object["error"] as? [String: Any]
      #expect(result.exitStatus == 64 && found?["name"] as? String == error, "\(object)")
    }
    let cades = try Program.json(
      ["sign", "--virtual", "gemalto", contract, "--format", "cades", "--mark"],
      input: Persona.gemalto.pin)
    #expect((cades.0["error"] as? [String: Any])?["name"] as? String == "unfit-sign-option")
  }
}
