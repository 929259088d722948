import Foundation
import TestSupport
import Testing

@testable import CardWork
@testable import cie_read

/// `cie-read browser`: the registrations that it writes, and that it removes exactly those.
@Suite struct BrowserCommandTests {
  /// A user with a Firefox profile and nothing else; the module is a file that no program loads.
  private struct User: ~Copyable {
    let home: TemporaryDirectory
    let module: String
    static let profile = ".mozilla/firefox/abc.default/pkcs11.txt"

    init() throws {
      let home = try TemporaryDirectory()
      try home.makeFolder(".mozilla/firefox/abc.default")
      try home.write(
        ".mozilla/firefox/profiles.ini",
        "[Install4F]\nDefault=abc.default\n\n[Profile0]\nName=default\nPath=abc.default\n".utf8)
      module = try home.write("module.so", [UInt8].module())
      self.home = home
    }

    borrowing func run(_ arguments: String...) throws -> (object: [String: Any], exit: CInt?) {
      let (object, result) = try Program.json(
        ["browser"] + arguments,
        environment: home.homeVariables)
      return (object, result.exitStatus)
    }

    /// The files of an answer: of which program, in which state, changed or not.
    static func rows(_ object: [String: Any]) throws -> [String] {
      try #require(object["registrations"] as? [[String: Any]]).map {
        "\($0["program"] ?? "") \($0["state"] ?? "") \($0["changed"] as? Bool == true)"
      }
    }
  }

  private static let others = """
    library=
    name=NSS Internal PKCS #11 Module
    parameters=configdir='sql:x'\u{20}
    NSS=Flags=internal,critical

    library=/usr/lib/other.so
    name=Other


    """

  @Test func `installing twice changes nothing the second time, and removing restores the file`()
    throws
  {
    let user = try User()
    try user.home.write(User.profile, Self.others.utf8, permissions: 0o640)
    let first = try user.run("install", "firefox", "--module", user.module)
    #expect(first.exit == 0)
    #expect(try User.rows(first.object) == ["firefox registered true"])
    let text = String(decoding: try user.home.read(User.profile), as: UTF8.self)
    #expect(text == Self.others + "library=\(user.module)\nname=cie-read\n\n")
    let second = try user.run("install", "firefox", "--module", user.module)
    #expect(try User.rows(second.object) == ["firefox registered false"])
    #expect(String(decoding: try user.home.read(User.profile), as: UTF8.self) == text)
    let attributes = try FileManager.default.attributesOfItem(atPath: user.home.path(User.profile))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try User.rows(try user.run("remove", "firefox").object) == ["firefox absent true"])
    #expect(String(decoding: try user.home.read(User.profile), as: UTF8.self) == Self.others)
  }

  @Test func `a list that ends in CR does not count as one with our module`() {
    let list = NSSModuleList([UInt8]("library=a\r".utf8))
    let added = list.adding("/module.so")
    #expect(list.library == nil && added.library == "/module.so")
    #expect(added.bytes == [UInt8]("library=/module.so\nname=cie-read\n\nlibrary=a\r".utf8))
  }

  @Test func `a moved module is registered again, once`() throws {
    let user = try User()
    let moved = try user.home.write("moved.so", [UInt8].module())
    _ = try user.run("install", "firefox", "--module", user.module)
    let answer = try user.run("install", "firefox", "--module", moved)
    #expect(try User.rows(answer.object) == ["firefox registered true"])
    let text = String(decoding: try user.home.read(User.profile), as: UTF8.self)
    #expect(NSSModuleList([UInt8](text.utf8)).library == moved)
    #expect(text.components(separatedBy: "name=cie-read").count == 2)
  }

  @Test(arguments: ["chromium", "openssh", "openssl"])
  func `created files and folders are removed again`(program: String) throws {
    let user = try User()
    let answer = try user.run("install", program, "--module", user.module)
    #expect(try User.rows(answer.object) == ["\(program) registered true"])
    let status = try user.run("status")
    #expect(try User.rows(status.object).contains("\(program) registered false"))
    let rows = try #require(answer.object["registrations"] as? [[String: Any]])
    let path = try #require(rows.first?["path"] as? String)
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try User.rows(try user.run("remove", program).object) == ["\(program) absent true"])
    #expect(try user.home.fileNames() == [".mozilla", "module.so"])
  }

  @Test func `without a program Chromium is registered only where it was started`() throws {
    let user = try User()
    let first = try user.run("install", "--module", user.module)
    #expect(try !User.rows(first.object).contains { $0.hasPrefix("chromium") })
    #expect(try !user.home.fileNames().contains(".pki"))
    try user.home.makeFolder(".config/chromium")
    let second = try user.run("install", "--module", user.module)
    #expect(try User.rows(second.object).contains("chromium registered true"))
  }

  /// A new database in the old place would hide the certificates in the other.
  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func `Chromium is registered in the database that it reads`(isOldThere: Bool, isNewThere: Bool)
    throws
  {
    let user = try User()
    if isOldThere { try user.home.makeFolder(".pki/nssdb") }
    if isNewThere { try user.home.makeFolder(".local/share/pki/nssdb") }
    _ = try user.run("install", "chromium", "--module", user.module)
    let isNew = isNewThere && !isOldThere
    for (file, isWanted) in [
      (".local/share/pki/nssdb/pkcs11.txt", isNew), (".pki/nssdb/pkcs11.txt", !isNew),
    ] {
      #expect(FileManager.default.fileExists(atPath: user.home.path(file)) == isWanted)
    }
  }

  /// Adding and removing the module leaves a list unchanged, byte for byte.
  @Test(arguments: [
    "", "\n", "\n\n\n", others, String(others.dropLast()), String(others.dropLast(2)),
    "\n\n" + others + "\n\nname=x", "library=/x\r\nname=y\r\n\r\n", "# a\n\n# b",
  ])
  func `a list is restored byte for byte`(_ text: String) {
    let variants: [[UInt8]] = [Array(text.utf8), [0xFF, 0xE9] + text.utf8, text.utf8 + [0xC3]]
    for bytes in variants {
      let list = NSSModuleList(bytes)
      let added = list.adding("/lib/a.so")
      #expect(list.library == nil && added.library == "/lib/a.so")
      #expect(added.adding("/lib/b.so").library == "/lib/b.so")
      #expect(added.adding("/lib/b.so").removing() == list)
    }
  }

  @Test func `another program's file is left alone`() throws {
    let user = try User()
    try user.home.makeFolder(".config/cie-read")
    try user.home.write(".config/cie-read/openssl.cnf", "openssl_conf = mine\n".utf8)
    for command in [["install", "openssl", "--module", user.module], ["remove", "openssl"]] {
      let (object, result) = try Program.json(
        ["browser"] + command, environment: ["HOME": user.home.url.path, "XDG_CONFIG_HOME": ""])
      #expect(result.exitStatus == 0)
      #expect(try User.rows(object) == ["openssl foreign false"])
    }
    #expect(
      try user.home.read(".config/cie-read/openssl.cnf") == Array("openssl_conf = mine\n".utf8))
  }

  @Test func `a missing module and an unknown program are errors`() throws {
    let user = try User()
    for (arguments, name) in [
      (["--module", user.home.path("absent.so")], "input-unreadable"), (["lynx"], "bad-value"),
      (["--module", try user.home.write("my module.so", [UInt8].module())], "input-unreadable"),
      (["--module", try user.home.write("text.so", "C_GetFunctionList\0".utf8)], "not-a-module"),
      (["--module", try user.home.write("none.so", [UInt8].module().prefix(30))], "not-a-module"),
    ] {
      let (object, result) = try Program.json(
        ["browser", "install"] + arguments, environment: ["HOME": user.home.url.path])
      #expect(result.exitStatus == 64)
      #expect(try ReportedError(object).name == name)
    }
    let nobody = try Program.json(["browser", "status"], environment: ["HOME": ""])
    #expect(try ReportedError(nobody.object).name == "no-home")
  }

  /// A profile with a list that cannot be written: a folder has its name.
  @Test func `one profile that fails stops no other, and each is named with its outcome`() throws {
    let user = try User()
    try user.home.makeFolder(User.profile)
    try user.home.makeFolder(".mozilla/firefox/second")
    try user.home.write(
      ".mozilla/firefox/profiles.ini",
      "[Profile0]\nPath=abc.default\n[Profile1]\nPath=second\n[Profile2]\nPath=gone\n".utf8)
    for (command, state) in [
      (["install", "firefox", "--module", user.module], "registered true"),
      (["status"], "registered false"), (["remove", "firefox"], "absent true"),
    ] {
      let (object, result) = try Program.json(
        ["browser"] + command, environment: user.home.homeVariables)
      #expect(result.exitStatus == 64 && object["ok"] as? Bool == false)
      #expect(try ReportedError(object).name == "input-not-a-file")
      let rows = try User.rows(object).filter { $0.hasPrefix("firefox ") }
      #expect(rows == ["firefox failed false", "firefox \(state)"])
      let first = try #require((object["registrations"] as? [[String: Any]])?.first)
      #expect((first["error"] as? [String: Any])?["name"] as? String == "input-not-a-file")
    }
    let lines = try Program.run(
      ["browser", "install", "firefox", "--module", user.module],
      environment: user.home.homeVariables)
    #expect(lines.output.contains("firefox: not done. \(user.home.path(User.profile)) is not a"))
    #expect(lines.output.contains("firefox: now registered (\(user.home.path(".mozilla"))"))
  }

  /// NSS itself reads the written list, and keeps the module when it writes.
  @Test func `NSS finds the module in the list`() throws {
    let user = try User()
    // NSS drops a module that it cannot load.
    let module = try URL(fileURLWithPath: BuiltBinary("cie-read").path)
      .deletingLastPathComponent().appendingPathComponent("libcie-pkcs11.so").path
    _ = try user.run("install", "chromium", "--module", module)
    let database = "sql:" + user.home.path(".pki/nssdb")
    let modutil = try BuiltBinary(path: "/usr/bin/modutil").run(
      ["-dbdir", database, "-force", "-enable", "cie-read"])
    #expect(modutil.exitStatus == 0)
    let listed = try BuiltBinary(path: "/usr/bin/modutil").run(["-dbdir", database, "-rawlist"])
    #expect(listed.output.contains("name=\"cie-read\""))
    #expect(
      listed.output.contains("library=\"\(module)\"") || listed.output.contains("library=\(module)")
    )
    #expect(try User.rows(try user.run("remove", "chromium").object) == ["chromium absent true"])
    let after = try BuiltBinary(path: "/usr/bin/modutil").run(["-dbdir", database, "-rawlist"])
    #expect(!after.output.contains("name=\"cie-read\"") && after.output.contains("NSS Internal"))
  }
}
