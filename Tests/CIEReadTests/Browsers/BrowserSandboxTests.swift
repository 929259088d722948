import Foundation
import Messages
import Primitives
import TestSupport
import Testing

@testable import CardWork
@testable import cie_read

/// Browsers of snap and Flatpak: the copy of the module, its registration, and the way to the reader.
@Suite struct BrowserSandboxTests {
  /// A user of the browsers of Ubuntu and of Flatpak, with folders as those lay them out.
  private struct User: ~Copyable {
    let home: TemporaryDirectory
    let module: String
    static let profiles = [
      "snap/firefox/common/.mozilla/firefox/abc.default",
      ".var/app/org.mozilla.firefox/config/mozilla/firefox/abc.default",
    ]
    static let databases = [
      "snap/chromium/current/.local/share/pki/nssdb", ".var/app/com.google.Chrome/.pki/nssdb",
    ]
    static let copies = [
      "snap/firefox/common/cie-read", "snap/chromium/common/cie-read",
      ".var/app/org.mozilla.firefox/data/cie-read", ".var/app/com.google.Chrome/data/cie-read",
    ]

    init() throws {
      let home = try TemporaryDirectory()
      for profile in Self.profiles {
        try home.makeFolder(profile)
        try home.write(
          profile.replacing("abc.default", with: "profiles.ini"),
          "[Profile0]\nName=default\nPath=abc.default\n".utf8)
      }
      try home.makeFolder("snap/chromium/3210")
      try home.makeFolder("snap/chromium/common")
      try FileManager.default.createSymbolicLink(
        atPath: home.path("snap/chromium/current"), withDestinationPath: "3210")
      for name in ["org.mozilla.firefox", "com.google.Chrome"] {
        try home.makeFolder(".var/app/\(name)/data")
      }
      for database in Self.databases {
        try home.makeFolder(database)
        for file in ["cert9.db", "pkcs11.txt"] { try home.write(database + "/" + file, []) }
      }
      try home.makeFolder("lib")
      module = try home.write("lib/libcie-pkcs11.so", [UInt8].module(3))
      self.home = home
    }

    /// Those rows of the answer that are in sandboxes.
    borrowing func rows(_ arguments: String...) throws -> [[String: Any]] {
      let (object, result) = try Program.json(
        ["browser"] + arguments,
        environment: home.homeVariables)
      #expect(result.exitStatus == 0, "\(object)")
      return try #require(object["registrations"] as? [[String: Any]])
        .filter { $0["outdated"] != nil }
    }

    /// All files, links and folders in a folder.
    borrowing func files(in folder: String = "") throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: home.path(folder)).sorted()
    }

    borrowing func search(_ state: String) throws -> RegistrationSearch {
      let path = home.url.path
      return try #require(RegistrationSearch(state: state) { $0 == "HOME" ? path : nil })
    }
  }

  @Test func `each browser gets a copy of module and client, registered once, and fully removed`()
    throws
  {
    let user = try User()
    let before = try user.files()
    let installed = try user.rows("install", "--module", user.module)
    #expect(installed.count == 4)
    for copy in User.copies {
      #expect(try user.home.read(copy + "/libcie-pkcs11.so") == .module(3))
      // The client of the service itself, not one that only leads to it.
      let client = try user.home.read(copy + "/libpcsclite.so.1")
      #expect(client.count > 30_000 && client.starts(with: [0x7F] + "ELF".utf8))
    }
    for (list, copy) in zip(
      [User.profiles[0], User.databases[0], User.profiles[1], User.databases[1]], User.copies)
    {
      let text = try user.home.read(list + "/pkcs11.txt")
      #expect(
        NSSModuleList(text).library == user.home.path(copy) + "/libcie-pkcs11.so", "\(list)")
    }
    let again = try user.rows("install", "--module", user.module)
    #expect(again.allSatisfy { $0["changed"] as? Bool == false })
    #expect(try user.rows("remove").allSatisfy { $0["changed"] as? Bool == true })
    #expect(try user.files() == before)
  }

  @Test func `an old copy is seen, and renewed by installing`() throws {
    let user = try User()
    // The program's own module is another than this one.
    _ = try user.rows("install", "--module", user.module)
    #expect(try user.rows("status").allSatisfy { $0["outdated"] as? Bool == true })
    let (object, _) = try Program.json(
      ["doctor", "--virtual"],
      environment: user.home.homeVariables)
    let repairs = try #require(object["findings"] as? [[String: Any]]).compactMap {
      $0["repair"] as? String
    }
    #expect(
      repairs.filter { $0 != "trusted-lists" } == ["firefox", "firefox", "chromium", "chromium"])
    let renewed = try user.rows("install")
    #expect(renewed.count == 4 && renewed.allSatisfy { $0["changed"] as? Bool == true })
    #expect(try user.rows("status").allSatisfy { $0["outdated"] as? Bool == false })
    try user.home.write(User.copies[0] + "/libpcsclite.so.1", [0])
    #expect(try user.rows("status").count { $0["outdated"] as? Bool == true } == 1)
  }

  /// The browser in a sandbox may write there, and so could have another program load its copy.
  @Test func `nothing outside of the sandbox is touched for it`() throws {
    let user = try User()
    try user.home.makeFolder(".mozilla/firefox/victim")
    try user.home.makeFolder("victim")
    try user.home.write(
      "snap/firefox/common/.mozilla/firefox/profiles.ini",
      ("[Profile0]\nPath=../../../../../.mozilla/firefox/victim\n"
        + "[Profile1]\nPath=\(user.home.path("victim"))\n"
        + "[Profile2]\nPath=abc.default\n").utf8)
    try FileManager.default.createSymbolicLink(
      atPath: user.home.path(User.profiles[0] + "/pkcs11.txt"),
      withDestinationPath: user.home.path("victim/pkcs11.txt"))
    try user.home.makeFolder("snap/chromium/3210/.pki")
    try FileManager.default.createSymbolicLink(
      atPath: user.home.path("snap/chromium/3210/.pki/nssdb"),
      withDestinationPath: user.home.path("victim"))
    let (object, result) = try Program.json(
      ["browser", "install", "--module", user.module], environment: user.home.homeVariables)
    #expect(result.exitStatus == 64)
    let rows = try #require(object["registrations"] as? [[String: Any]])
      .filter { $0["outdated"] != nil }
    // Each is named, with the reason.
    let failed = rows.filter { $0["state"] as? String == "failed" }
    #expect(
      failed.map { ($0["error"] as? [String: Any])?["name"] as? String }
        == [String](repeating: "outside-sandbox", count: 4))
    #expect(failed.allSatisfy { ($0["path"] as? String)?.contains("/.var/app/") == false })
    #expect(rows.count { $0["state"] as? String == "registered" } == 2)
    #expect(try user.files(in: "victim") == [])
    #expect(try user.files(in: ".mozilla/firefox/victim") == [])
  }

  @Test func `a link in the place of the copy is not followed`() throws {
    let user = try User()
    try user.home.makeFolder("victim")
    try FileManager.default.createSymbolicLink(
      atPath: user.home.path(User.copies[0]), withDestinationPath: user.home.path("victim"))
    let (object, result) = try Program.json(
      ["browser", "install", "firefox", "--module", user.module],
      environment: user.home.homeVariables)
    #expect(result.exitStatus != 0)
    #expect(try ReportedError(object).name == "output-unwritable")
    #expect(try user.files(in: "victim") == [])
  }

  /// The browser could exchange its folders between the look at them and the write.
  @Test func `a folder that has become a link is not opened, nor a file that has`() throws {
    let user = try User()
    let sandbox = try #require(try user.search("none").sandboxes.first { $0.name == "firefox" })
    let profile = user.home.path(User.profiles[0])
    let folder = try sandbox.open(profile)
    defer { close(folder) }
    try user.home.makeFolder("victim")
    try user.home.write("victim/secret", [7])
    let place = "/proc/self/fd/\(folder)/pkcs11.txt"
    try FileManager.default.createSymbolicLink(
      atPath: profile + "/pkcs11.txt", withDestinationPath: user.home.path("victim/secret"))
    let file = SharedFile(place, mayBeLink: false)
    #expect(throws: PlainFile.Failure.self) { try file.read(limit: 10) }
    #expect(throws: SystemError.self) { try file.replace(with: [1], mode: 0o600) }
    // The open folder stays the one that was looked at.
    try FileManager.default.moveItem(atPath: profile, toPath: profile + ".old")
    try FileManager.default.createSymbolicLink(
      atPath: profile, withDestinationPath: user.home.path("victim"))
    try SharedFile("/proc/self/fd/\(folder)/new", mayBeLink: false).replace(with: [1], mode: 0o600)
    #expect(try user.files(in: "victim") == ["secret"])
    #expect(throws: Failure.self) { try sandbox.open(profile) }
    let below = String(profile.dropFirst(sandbox.folder.count))
    #expect(throws: SystemError.self) { try FolderPath.open(below, below: sandbox.folder) }
  }

  @Test func `a module is read once, however many registrations have it`() throws {
    let user = try User()
    var (copies, others) = (ModuleCopies(), ModuleCopies())
    try copies.check(user.module)
    try user.home.write("lib/libcie-pkcs11.so", [1])
    try copies.check(user.module)
    for _ in 0..<2 { #expect(throws: Failure.self) { try others.check(user.module) } }
  }

  /// Profiles as snapd writes them: with the line for the socket, and without.
  @Test func `a snap is closed until its interface is connected`() throws {
    let user = try User()
    let state = user.home.path("state")
    #expect(try user.search(state).closedSandboxes == [])
    let profile = "state/snapd/apparmor/profiles/snap.firefox.firefox"
    try user.home.makeFolder("state/snapd/apparmor/profiles")
    try user.home.write(profile, "  /run/uuidd/request rw,\n".utf8)
    #expect(try user.search(state).closedSandboxes.map(\.name) == ["firefox"])
    let finding = try #require(
      RegistrationCheck(search: try user.search(state)).findings.first { $0.command != nil })
    #expect(finding.command == "sudo snap connect firefox:pcscd" && finding.grade == .warning)
    #expect(finding.what(.english).contains("Firefox (snap)"))
    try user.home.write(profile, "{/var/,}run/pcscd/pcscd.comm rw,\n".utf8)
    #expect(try user.search(state).closedSandboxes == [])
  }

  @Test(arguments: [
    ("x11;pcsc;", [], false), ("x11;wayland;", [], true), ("x11;", ["user"], false),
    ("x11;", ["system"], false), ("pcsc;", ["!system"], true),
    ("x11;", ["!system", "user"], false),
    ("x11;", ["system", "!user"], true), ("x11;", ["global"], false),
  ])
  func `a Flatpak is closed unless it has the socket`(
    sockets: String, overrides: [String], isClosed: Bool
  ) throws {
    let user = try User()
    let (name, state) = ("org.mozilla.firefox", user.home.path("state"))
    let metadata = "state/flatpak/app/\(name)/current/active"
    try user.home.makeFolder(metadata)
    try user.home.write(
      metadata + "/metadata", "[Application]\nname=\(name)\n\n[Context]\nsockets=\(sockets)\n".utf8)
    for override in overrides {
      let (isTaken, who) = (override.hasPrefix("!"), override.replacing("!", with: ""))
      let folder =
        (who == "user" ? ".local/share/flatpak" : "state/flatpak") + "/overrides"
      try user.home.makeFolder(folder)
      try user.home.write(
        folder + (who == "global" ? "/global" : "/" + name),
        "[Context]\nsockets=\(isTaken ? "!" : "")pcsc;\n".utf8)
    }
    let closed = try user.search(state).closedSandboxes
    #expect(closed.map(\.name) == (isClosed ? [name] : []))
    #expect(
      closed.allSatisfy { $0.opening == "flatpak override --user --socket=pcsc \(name)" })
  }
}
