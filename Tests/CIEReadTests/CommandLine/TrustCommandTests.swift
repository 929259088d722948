import Foundation
import TestSupport
import Testing
import VirtualCIE

/// The trusted certificates: built in, imported, given.
@Suite struct TrustCommandTests {
  private static let list = Repository.path("Tests/Vectors/DE_ML_2026-05-28.ml")

  private func anchors(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> [[String: Any]] {
    let (object, result) = try Program.json(
      ["trust", "list"] + arguments, environment: environment)
    #expect(result.exitStatus == 0)
    #expect(object["command"] as? String == "trust list")
    return try #require(object["anchors"] as? [[String: Any]])
  }

  @Test func `the Italian anchors are built in`() throws {
    let anchors = try anchors([])
    #expect(anchors.count == 9)
    #expect(anchors.allSatisfy { $0["source"] as? String == "built-in" })
    #expect(anchors.allSatisfy { $0["country"] as? String == "IT" })
    let plain = try Program.run(["trust", "list", "--country", "it"])
    #expect(plain.output.count { $0 == "\n" } == 9)
    #expect(plain.output.contains("(built in)"))
    #expect(try self.anchors(["--country", "FR"]).isEmpty)
  }

  /// In the words of the program, with advice that holds for an argument and for an option.
  @Test(
    arguments: [
      ["trust", "import"], ["trust", "list", "--trust"], ["nis", "--virtual", "--trust"],
    ])
  func `a file of anchors that does not exist is named`(_ arguments: [String]) throws {
    let result = try Program.run(arguments + ["/proc/nonexistent"])
    #expect(result.exitStatus == 64 && result.output == "")
    let words = result.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words
        == "cie-read: /proc/nonexistent does not exist. Trust anchors are CSCA certificates, in "
        + "PEM or DER: a file, a folder or a master list. [trust-not-found; exit 64]")
  }

  @Test func `an imported list is trusted`() throws {
    let data = try TemporaryDirectory()
    let environment = ["XDG_DATA_HOME": data.url.path]
    let (object, result) = try Program.json(
      ["trust", "import", Self.list], environment: environment)
    #expect(result.exitStatus == 0)
    #expect(object["certificates"] as? Int == 588 && object["italian"] as? Int == 9)
    #expect(object["unreadable"] as? Int == 0 && object["country"] as? String == "DE")
    let out = try #require(object["out"] as? String)
    #expect(out == data.path("cie-read/trust/master-list-DE.pem"))
    // A second import replaces the first, if allowed, and leaves no other file behind.
    let again = ["trust", "import", Self.list]
    #expect(try Program.run(again, environment: environment).exitStatus == 64)
    #expect(try Program.run(again + ["--force"], environment: environment).exitStatus == 0)
    let folder = data.url.appendingPathComponent("cie-read/trust").path
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder) == ["master-list-DE.pem"])

    let believed = try anchors([], environment: environment)
    #expect(believed.count == 588)
    #expect(believed.count { $0["source"] as? String == "built-in" } == 9)
    #expect(believed.count { $0["source"] as? String == folder } == 579)
    let only = try anchors(["--trust-only", out], environment: environment)
    #expect(only.count == 588 && only.allSatisfy { $0["source"] as? String == out })
  }

  /// Imported anchors count in `verify` without being named.
  @Test func `imported anchors prove a card`() throws {
    let data = try TemporaryDirectory()
    try data.makeFolder("cie-read/trust")
    try data.write("cie-read/trust/test.der", Persona.gemalto.csca)
    let environment = ["XDG_DATA_HOME": data.url.path]
    // A replayed card, because a software card's own CSCA is trusted anyway.
    let verify = [
      "verify", "--replay", Repository.url("CardTraces/virtual/gemalto-authenticity.trace").path,
    ]
    #expect(try Program.run(verify).exitStatus == 13)
    let proved = try Program.run(verify, environment: environment)
    #expect(proved.exitStatus == 0)
    #expect(proved.output.contains("proved  the signer was authorized by a trusted CSCA\n"))
    // The home folder, if the variable is not set; a relative path in it is ignored.
    try data.makeFolder(".local/share/cie-read/trust")
    try data.write(".local/share/cie-read/trust/test.der", Persona.gemalto.csca)
    for ignored in ["", "relative"] {
      let home = ["XDG_DATA_HOME": ignored, "HOME": data.url.path]
      #expect(try Program.run(verify, environment: home).exitStatus == 0)
    }
  }

  @Test func `--trust adds anchors and --trust-only replaces them`() throws {
    let directory = try TemporaryDirectory()
    let own = try Persona.gemalto.writeAnchor(in: directory)
    let other = try Persona.nxp.writeAnchor(in: directory)
    #expect(try anchors(["--trust", own]).count == 10)
    #expect(try anchors(["--trust", own, "--trust", other]).count == 11)
    #expect(try anchors(["--trust-only", own]).count == 1)
    #expect(try anchors(["--trust-only", own, "--trust", other]).count == 2)
    let verify = ["verify", "--virtual"]
    #expect(try Program.run(verify + ["--trust-only", own]).exitStatus == 0)
    #expect(try Program.run(verify + ["--trust", other, "--trust", own]).exitStatus == 0)
    #expect(try Program.run(verify + ["--trust-only", other]).exitStatus == 13)
  }

  @Test func `a master list may be given directly`() throws {
    #expect(try anchors(["--trust", Self.list]).count == 588)
    #expect(try anchors(["--trust-only", Self.list, "--country", "DE"]).count > 5)
  }

  @Test func `a list may be imported into another folder`() throws {
    let directory = try TemporaryDirectory()
    let folder = directory.path("anchors/of/mine")
    let result = try Program.run(["trust", "import", Self.list, "--to", folder])
    #expect(result.exitStatus == 0)
    #expect(result.output.contains("588 certificates, 9 of them Italian"))
    #expect(try anchors(["--trust", folder]).count == 588)
  }

  @Test func `a list without its anchor is refused`() throws {
    let directory = try TemporaryDirectory()
    let anchor = try Persona.gemalto.writeAnchor(in: directory)
    let (object, result) = try Program.json(
      [
        "trust", "import", Self.list, "--signed-by", anchor, "--to", directory.path("out"),
      ])
    #expect(result.exitStatus == 13)
    #expect(try ReportedError(object).name == "trust-master-list-signer-unknown")
    #expect(try directory.fileNames() == ["gemalto.der"])
  }

  @Test(arguments: [200, 450_000, 902_300])
  func `an altered list is refused`(offset: Int) throws {
    let directory = try TemporaryDirectory()
    var bytes = try Repository.read(Self.list)
    bytes[offset] ^= 1
    let list = try directory.write("altered.ml", bytes)
    for arguments in [
      ["trust", "import", list, "--to", directory.path("out")], ["trust", "list", "--trust", list],
      ["nis", "--virtual", "--trust", list],
    ] {
      let (object, result) = try Program.json(arguments)
      #expect(result.exitStatus == 10)
      #expect(try ReportedError(object).name == "trust-master-list-false")
    }
    #expect(try directory.fileNames() == ["altered.ml"])
  }

  @Test func `without any folder import asks for one`() throws {
    let environment = ["XDG_DATA_HOME": "", "HOME": ""]
    let (object, result) = try Program.json(
      ["trust", "import", Self.list], environment: environment)
    #expect(result.exitStatus == 64)
    #expect(try ReportedError(object).name == "no-trust-folder")
    #expect(try anchors([], environment: environment).count == 9)
  }

  /// Anchors only add: what cannot be read or believed is left out with a warning, and the card is read.
  @Test(arguments: ["bad.pem", "loop", "writable", "long"])
  func `an unusable folder of imports is a warning`(_ kind: String) throws {
    let data = try TemporaryDirectory()
    var home = data.url.path
    var name = "trust-unreadable"
    switch kind {
    case "bad.pem":
      try data.makeFolder("cie-read/trust")
      try data.write("cie-read/trust/bad.pem", [1, 2, 3])
      name = "trust-not-a-certificate"
    case "writable":
      try data.makeFolder("cie-read/trust")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o777], ofItemAtPath: data.path("cie-read/trust"))
      name = "trust-writable-by-others"
    // Neither of them can be read, not even by root.
    case "loop":
      try FileManager.default.createSymbolicLink(
        atPath: data.path("home"), withDestinationPath: data.path("home"))
      home = data.path("home")
    default: home = "/" + String(repeating: "x", count: 300)
    }
    let environment = ["XDG_DATA_HOME": home]
    for command in ["nis", "verify", "doctor"] {
      let result = try Program.run([command, "--virtual"], environment: environment)
      #expect(result.exitStatus == 0)
      #expect(result.errors.contains("cie-read: Warning: "))
      #expect(result.errors.count { $0 == "\n" } <= 4, "once")
      let (object, _) = try Program.json([command, "--virtual"], environment: environment)
      let warnings = try #require(object["warnings"] as? [[String: Any]])
      #expect(warnings.map { $0["name"] as? String } == [name])
      #expect((warnings[0]["do"] as? String)?.contains("left out") == true)
    }
    // A certificate that was asked for is another thing.
    let trust = kind == "bad.pem" ? data.path("cie-read/trust") : home
    #expect(try Program.run(["nis", "--virtual", "--trust", trust]).exitStatus == 64)
  }
}
