import Foundation
import TestSupport
import Testing

@testable import CardWork
@testable import cie_read

/// Links for the app open this program: the desktop's registration, and its exact removal.
@Suite struct DesktopEntryTests {
  private static let entry = ".local/share/applications/cie-read.desktop"
  private static let list = ".config/mimeapps.list"

  /// A user of a desktop.
  private struct User: ~Copyable {
    let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    borrowing func run(_ command: String) throws -> [[String: Any]] {
      let (object, result) = try Program.json(
        ["browser", command] + (command == "status" ? [] : ["desktop"]),
        environment: home.homeVariables)
      #expect(result.exitStatus == 0)
      return try #require(object["registrations"] as? [[String: Any]]).filter {
        $0["program"] as? String == "desktop"
      }
    }

    borrowing func text(_ path: String) throws -> String {
      String(decoding: try home.read(path), as: UTF8.self)
    }
  }

  @Test func `installing registers the links, is idempotent, and is fully undone`() throws {
    let user = try User()
    #expect(try user.run("install").map { $0["state"] as? String } == ["registered", "registered"])
    // The entry names the program itself, even if it was started by a link to it.
    let built = URL(fileURLWithPath: try BuiltBinary("cie-read").path)
    let program = built.resolvingSymlinksInPath().path
    let entry = try user.text(Self.entry)
    #expect(entry.contains("\nExec=\"\(program)\" login --open --stay -- %u\nTerminal=true\n"))
    #expect(try user.text(Self.list).contains("\nx-scheme-handler/cieid=cie-read.desktop\n"))
    #expect(try user.run("install").allSatisfy { $0["changed"] as? Bool == false })
    #expect(try user.run("status").first?["opener"] as? String == program)
    #expect(try user.run("remove").map { $0["changed"] as? Bool } == [true, true])
    #expect(try user.home.fileNames() == [])
  }

  @Test(arguments: [
    "[Default Applications]\ntext/html=a.desktop\n", "[Default Applications]", "\n\n",
    "[Added Associations]\nx-scheme-handler/cieid=a.desktop;\n",
    "# a comment\n[X]\n[Default Applications]\n\n[Y]", "[Default Applications]\r\na=b;\r\n",
    "# a comment\n\n[X]\na=b\n", "# a comment",
  ])
  func `another program's list is restored`(_ text: String) throws {
    // Bytes that are not UTF-8, in a comment; and lines before the first group belong to no list.
    let comment: [UInt8] = [UInt8(ascii: "#"), 0xFF, UInt8(ascii: "\n")]
    let variants: [[UInt8]] = [Array(text.utf8), comment + text.utf8]
    for bytes in variants {
      let list = LinkHandlerList(bytes)
      let added = LinkHandlerList(list.adding().bytes)
      #expect(list.handler == nil && added.handler == "cie-read.desktop")
      #expect(added.adding() == added)
      #expect(added.removing().bytes == bytes)
    }
  }

  @Test func `others' additions to our group stay`() {
    let bytes = LinkHandlerList([]).adding().bytes + "text/html=a.desktop\n".utf8
    #expect(
      LinkHandlerList(bytes).removing().bytes
        == [UInt8]("[Default Applications]\ntext/html=a.desktop\n".utf8))
  }

  @Test func `another program for the links is left alone`() throws {
    let user = try User()
    let text = "[Default Applications]\nx-scheme-handler/cieid=other.desktop;\n"
    try user.home.makeFolder(".config")
    try user.home.makeFolder(".local/share/applications")
    try user.home.write(Self.list, text.utf8)
    try user.home.write(Self.entry, "[Desktop Entry]\n".utf8)
    for command in ["install", "remove"] {
      #expect(try user.run(command).map { $0["state"] as? String } == ["foreign", "foreign"])
    }
    #expect(try user.text(Self.list) == text)
    #expect(try user.text(Self.entry) == "[Desktop Entry]\n")
  }

  /// The judges are those of freedesktop.org: the validator, and the search for a link's program.
  @Test func `the desktop takes the entry and finds the program`() throws {
    let user = try User()
    _ = try user.run("install")
    let validator = try BuiltBinary(path: "/usr/bin/desktop-file-validate").run(
      [user.home.path(Self.entry)])
    #expect(validator.exitStatus == 0 && validator.output == "")
    let query = try BuiltBinary(path: "/usr/bin/xdg-mime").run(
      ["query", "default", "x-scheme-handler/cieid"],
      environment: [
        "HOME": user.home.url.path, "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": "",
        "XDG_DATA_HOME": "",
        "XDG_DATA_DIRS": user.home.path("none"), "XDG_CONFIG_DIRS": user.home.path("none"),
      ])
    #expect(query.output == "cie-read.desktop\n")
  }

  @Test(arguments: [
    "/a b/cie-read", "/a\"b", "/a\"\u{301}`\u{733}%\u{301}", "\u{733}/a", "/a$(id)`id`\\", "/100%u",
    "/%%F", "/a\\\\b", "/a;b|c&d'e",
  ])
  func `any path is one word of the command, and read back`(_ path: String) throws {
    let entry = DesktopEntry(program: path)
    #expect(DesktopEntry(entry.text) == entry)
    let home = try TemporaryDirectory()
    let file = try home.write("cie-read.desktop", entry.text.utf8)
    let validator = try BuiltBinary(path: "/usr/bin/desktop-file-validate").run([file])
    #expect(validator.exitStatus == 0, "\(validator.output)")
  }

  /// A line end in the path of the program would begin a line of the entry.
  @Test func `a path with a line end becomes no entry`() throws {
    let user = try User()
    let program = user.home.path("x\nExec=evil")
    try FileManager.default.copyItem(
      atPath: URL(fileURLWithPath: BuiltBinary("cie-read").path).resolvingSymlinksInPath().path,
      toPath: program)
    let result = try BuiltBinary(path: program).run(
      ["browser", "install", "desktop", "--json"],
      environment: user.home.homeVariables)
    #expect(result.exitStatus == 64 && result.output.contains(#""name":"input-unreadable""#))
    #expect(try user.home.fileNames() == ["x\nExec=evil"])
  }

  @Test func `an altered entry counts as another program's`() {
    let text = DesktopEntry(program: "/usr/bin/cie-read").text
    #expect(DesktopEntry(text + "X-Other=1\n") == nil)
    #expect(DesktopEntry(text.replacing("--open", with: "--copy")) == nil)
  }

  /// A link from the desktop is data, whatever its text.
  @Test(arguments: [
    "CIEID://--help", "--help", "-", "CIEID://https://evil.example/OpenApp?nextUrl=x", "$(id)",
  ])
  func `a hostile link is checked as a link`(_ link: String) throws {
    let result = try Program.run(
      ["login", "--virtual", "--json", "--stay", "--", link], input: "12345678\n",
      environment: ["PATH": "/proc/nonexistent"])
    #expect(result.exitStatus == 15)
    #expect(result.output.contains(#""error":{"name":"link-"#), "\(result.output)")
  }
}
