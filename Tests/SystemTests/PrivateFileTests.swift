import Glibc
import Primitives
import TestSupport
import Testing

/// The rights of files with a secret: tokens, PINs, keys, and credentials of systemd.
@Suite struct PrivateFileTests {
  private struct Rights: Sendable {
    let mode: Int
    /// An entry for setfacl(1), which changes the bits of the group.
    var entry: String?
    let isPrivate: Bool
  }

  private static let rights = [
    Rights(mode: 0o600, isPrivate: true), Rights(mode: 0o400, isPrivate: true),
    Rights(mode: 0o640, isPrivate: false), Rights(mode: 0o620, isPrivate: false),
    Rights(mode: 0o604, isPrivate: false), Rights(mode: 0o602, isPrivate: false),
    Rights(mode: 0o400, entry: "user:\(geteuid()):r", isPrivate: true),
    Rights(mode: 0o400, entry: "user:0:r", isPrivate: true),
    Rights(mode: 0o400, entry: "user:4711:r", isPrivate: false),
    Rights(mode: 0o400, entry: "group:4711:r", isPrivate: false),
    Rights(mode: 0o440, entry: "user:\(geteuid()):r", isPrivate: false),
  ]

  private func isTaken(_ path: String) throws -> Bool {
    do throws(PlainFile.Failure) {
      _ = try PlainFile.read(path, limit: 16, others: .none)
      return true
    } catch {
      #expect(error == .exposed)
      return false
    }
  }

  @Test(arguments: rights.indices)
  func `what others may read or write is refused`(_ index: Int) throws {
    let rights = Self.rights[index]
    let folder = try TemporaryDirectory()
    let path = try folder.write("secret", [1], permissions: rights.mode)
    if let entry = rights.entry {
      let result = try BuiltBinary(path: "/usr/bin/setfacl").run(["--modify", entry, path])
      try #require(result.exitStatus == 0, "\(result.errors)")
    }
    #expect(try isTaken(path) == rights.isPrivate, "\(rights)")
  }

  @Test(
    .enabled(
      if: geteuid() == 0 || getenv("CI") != nil, "only root gives files away"))
  func `a file of another user is refused`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("secret", [1])
    try #require(chown(path, 4711, 4711) == 0)
    #expect(try !isTaken(path))
  }
}
