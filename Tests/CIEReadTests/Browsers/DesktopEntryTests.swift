import Foundation
import TestSupport
import Testing

@testable import cie_read

/// Links for the app open this program: what the desktop is told, and that exactly that is taken back.
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
        environment: ["HOME": home.url.path, "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""])
      #expect(result.exitStatus == 0)
      return try #require(object["registrations"] as? [[String: Any]]).filter {
        $0["program"] as? String == "desktop"
      }
    }

    borrowing func text(_ path: String) throws -> String {
      String(decoding: try home.read(path), as: UTF8.self)
    }
  }

  @Test func `installing tells the desktop, twice changes nothing, removing leaves nothing`() throws
  {
    let user = try User()
    #expect(try user.run("install").map { $0["state"] as? String } == ["registered", "registered"])
    // The entry names the program itself, also where it was started by a link to it.
    let built = URL(fileURLWithPath: try BuiltBinary("cie-read").path)
    let program = built.resolvingSymlinksInPath().path
    let entry = try user.text(Self.entry)
    #expect(entry.contains("\nExec=\"\(program)\" login --open --stay -- %u\nTerminal=true\n"))
    #expect(try user.text(Self.list).contains("\nx-scheme-handler/cieid=cie-read.desktop\n"))
    #expect(try user.run("install").allSatisfy { $0["changed"] as? Bool == false })
    #expect(try user.run("status").first?["opener"] as? String == program)
    #expect(try user.run("remove").map { $0["changed"] as? Bool } == [true, true])
    for path in [".local/share/applications", Self.list] {
      #expect(!FileManager.default.fileExists(atPath: user.home.path(path)))
    }
  }

  @Test(arguments: [
    "[Default Applications]\ntext/html=a.desktop\n", "[Default Applications]", "\n\n",
    "[Added Associations]\nx-scheme-handler/cieid=a.desktop;\n",
    "# a comment\n[X]\n[Default Applications]\n\n[Y]",
  ])
  func `a list of others is as before afterwards`(_ text: String) throws {
    let list = LinkHandlerList(text)
    let added = LinkHandlerList(list.adding().text)
    #expect(list.handler == nil && added.handler == "cie-read.desktop")
    #expect(added.adding() == added)
    #expect(added.removing().text == text)
  }

  @Test func `what others add to our group stays`() {
    let text = LinkHandlerList("").adding().text + "text/html=a.desktop\n"
    #expect(
      LinkHandlerList(text).removing().text == "[Default Applications]\ntext/html=a.desktop\n")
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

  /// The judges are those of freedesktop.org: the validator, and what finds the program for a link.
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
    "/a b/cie-read", "/a\"b", "/a$(id)`id`\\", "/100%u", "/%%F", "/a\\\\b", "/a;b|c&d'e",
  ])
  func `any path is one word of the command, and is read back`(_ path: String) throws {
    let entry = DesktopEntry(program: path)
    #expect(DesktopEntry(entry.text) == entry)
    let home = try TemporaryDirectory()
    let file = try home.write("cie-read.desktop", entry.text.utf8)
    let validator = try BuiltBinary(path: "/usr/bin/desktop-file-validate").run([file])
    #expect(validator.exitStatus == 0, "\(validator.output)")
  }

  @Test func `an entry that was altered is somebody else's`() {
    let text = DesktopEntry(program: "/usr/bin/cie-read").text
    #expect(DesktopEntry(text + "X-Other=1\n") == nil)
    #expect(DesktopEntry(text.replacing("--open", with: "--copy")) == nil)
  }

  /// A link as the desktop hands it over is data, whatever it is.
  @Test(arguments: [
    "CIEID://--help", "--help", "-", "CIEID://https://evil.example/OpenApp?nextUrl=x", "$(id)",
  ])
  func `a hostile link is judged as a link`(_ link: String) throws {
    let result = try Program.run(
      ["login", "--virtual", "--json", "--stay", "--", link], input: "12345678\n",
      environment: ["PATH": "/nonexistent"])
    #expect(result.exitStatus == 15)
    #expect(result.output.contains(#""error":{"name":"link-"#), "\(result.output)")
  }
}
