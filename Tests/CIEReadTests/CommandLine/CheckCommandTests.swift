import TestSupport
import Testing

/// `cie-read check` over signed files of every outcome, which the library has made.
@Suite struct CheckCommandTests {
  private static let folder = Repository.path("Tests/CIEReadTests/SignedFiles")
  private static let trust = ["--trust", "\(folder)/issuers.pem"]

  private func check(_ name: String, _ more: [String] = trust) throws -> ProcessResult {
    try Program.run(["check", "\(Self.folder)/\(name)"] + more)
  }

  @Test(
    arguments: [
      ("letter.txt.p7m", 0), ("letter.txt.p7s", 0), ("nested.p7m.p7m", 0), ("signed.pdf", 0),
      ("signed-twice.pdf", 0), ("altered.pdf", 10), ("drawn-later.pdf", 17), ("unsigned.pdf", 18),
      ("letter.txt", 64),
    ] as [(String, CInt)])
  func `each outcome has its exit status`(_ name: String, _ status: CInt) throws {
    #expect(try check(name).exitStatus == status)
    #expect(try check(name, []).exitStatus == (status == 0 || status == 17 ? 13 : status))
  }

  @Test func `the file of a detached signature is found by its name, or given`() throws {
    let signature = try Repository.read("Tests/CIEReadTests/SignedFiles/letter.txt.p7s")
    let folder = try TemporaryDirectory()
    let alone = try folder.write("letter.txt.p7s", signature)
    #expect(try Program.run(["check", alone] + Self.trust).exitStatus == 13)
    let given = ["--content", "\(Self.folder)/letter.txt"]
    #expect(try Program.run(["check", alone] + Self.trust + given).exitStatus == 0)
    try folder.write("letter.txt", [UInt8]("Another letter\n".utf8))
    #expect(try Program.run(["check", alone] + Self.trust).exitStatus == 10)
  }

  @Test func `a file says that its signature is in another of the files`() throws {
    let folder = try TemporaryDirectory()
    func write(_ name: String, as new: String? = nil) throws -> String {
      try folder.write(
        new ?? name, try Repository.read("Tests/CIEReadTests/SignedFiles/\(name)"))
    }
    let letter = try write("letter.txt")
    let signature = try write("letter.txt.p7s")
    let other = try write("unsigned.pdf")
    let others = try write("letter.txt.p7s", as: "unsigned.pdf.p7s")
    let paths = [letter, other, signature, others]
    let (object, _) = try Program.json(["check"] + paths + Self.trust)
    let files = try #require(object["files"] as? [[String: Any]])
    // The signature beside the PDF is of other bytes.
    #expect(files.map { $0["signedIn"] as? String } == [signature, nil, nil, nil])
    let text = try Program.run(["check"] + paths + Self.trust).output
    #expect(text.contains("The signature of \(letter) is in \(signature).\n"))
    #expect(!text.contains("neither"))
    // The signature answers for its file, which alone has none.
    #expect(try Program.run(["check", letter, signature] + Self.trust).exitStatus == 0)
    let (alone, status) = try Program.json(["check", letter] + Self.trust)
    let only = try #require((alone["files"] as? [[String: Any]])?.first)
    #expect(only["signedIn"] == nil && status.exitStatus == 64)
  }

  @Test(arguments: ["letter.txt.p7m", "nested.p7m.p7m"])
  func `contents come out of all signatures`(_ name: String) throws {
    let folder = try TemporaryDirectory()
    #expect(try check(name, Self.trust + ["--extract", folder.path("out")]).exitStatus == 0)
    let letter = try Repository.read("Tests/CIEReadTests/SignedFiles/letter.txt")
    #expect(try folder.read("out") == letter)
  }

  @Test func `the signed document comes out, and nothing of a false one`() throws {
    let folder = try TemporaryDirectory()
    let signed = try Repository.read("Tests/CIEReadTests/SignedFiles/signed.pdf")
    let later = try folder.write("later.pdf", signed + [UInt8]("later".utf8))
    let result = try Program.run(
      ["check", later, "--extract-signed", folder.path("out")] + Self.trust)
    // The end of the file is gone, so qpdf finds none.
    #expect([13, 17].contains(result.exitStatus))
    let twice = try check(
      "signed-twice.pdf", Self.trust + ["--extract-signed", folder.path("two")])
    #expect(twice.exitStatus == 0)
    let both = try Repository.read("Tests/CIEReadTests/SignedFiles/signed-twice.pdf")
    #expect(try folder.read("two") == both)
    let wrong = try check("altered.pdf", Self.trust + ["--extract-signed", folder.path("no")])
    #expect(wrong.exitStatus == 10)
    #expect(try folder.fileNames().filter { $0.hasPrefix("no") }.isEmpty)
  }

  @Test func `there is nothing to extract of another kind of file`() throws {
    let folder = try TemporaryDirectory()
    for (name, option) in [("signed.pdf", "--extract"), ("letter.txt.p7m", "--extract-signed")] {
      let result = try check(name, Self.trust + [option, folder.path("out")])
      #expect(result.exitStatus == 64)
      #expect(try folder.fileNames().isEmpty)
    }
  }

  /// No word of qpdf's, which are in English, stands in a sentence for people.
  @Test(arguments: [
    (0, "empty-file", "è vuoto: non contiene nulla."),
    (300, "pdf-damaged", "è danneggiato o incompleto."),
  ])
  func `an empty and a cut file are called so`(
    _ length: Int, _ name: String, _ words: String
  ) throws {
    let folder = try TemporaryDirectory()
    let whole = try Repository.read("Tests/CIEReadTests/SignedFiles/signed.pdf")
    let path = try folder.write("file.pdf", [UInt8](whole.prefix(length)))
    let (object, _) = try Program.json(["check", path], environment: ["LANG": "it_IT.UTF-8"])
    let error = try #require(object["error"] as? [String: Any])
    #expect(error["name"] as? String == name && error["what"] as? String == "\(path) \(words)")
  }

  @Test func `a bad file does not hinder the others`() throws {
    let names = ["absent", "altered.pdf", "signed.pdf"].map { "\(Self.folder)/\($0)" }
    let result = try Program.run(["check"] + names + Self.trust + ["--json"])
    #expect(result.exitStatus == 10)
    #expect(result.output.contains(#""outcome":"false""#))
    #expect(result.output.contains(#""outcome":"proved""#))
    #expect(result.output.contains(#""name":"input-unreadable""#))
  }
}
