import Primitives
import Glibc
import TestSupport
import Testing

@testable import SignIn

@Suite struct SessionStoreTests: ~Copyable {
  private let directory: TemporaryDirectory
  private let folder: String
  private let store: SessionStore
  private let session = [UInt8]("token-of-somebody".utf8)

  init() throws {
    directory = try TemporaryDirectory()
    folder = directory.path("state")
    store = SessionStore(folder: folder)
  }

  deinit { try? store.remove() }

  private var file: String { folder + "/session" }

  private func contents() throws -> [UInt8] { try PlainFile.read(file, limit: 1 << 20) }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  private func write(_ bytes: [UInt8]) throws {
    _ = mkdir(folder, 0o700)
    unlink(file)
    let number = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(number >= 0)
    defer { close(number) }
    try FileDescriptor(number).writeAll(bytes)
  }

  private var key: KeyringKey { KeyringKey(description: "cie-read:\(file)") }

  private func hasKey() -> Bool {
    switch key.value() {
    case nil: false
    case .some: true
    }
  }

  @Test func whatIsStoredIsFoundAgainByAnotherRun() throws {
    #expect(try store.load() == nil)
    try store.store([1])
    try store.store(session)
    #expect(try SessionStore(folder: folder).load() == session)
    #expect(mode(file) == 0o600 && mode(folder) == 0o700)
    try store.remove()
    #expect(try store.load() == nil)
    try store.remove()
  }

  @Test func whatProtectsItIsTold() throws {
    let protection = try store.store(session)
    let isReadable = try contents().contains(session)
    // The expected protection depends on this machine's kernel.
    #expect((protection == .keyring) == hasKey())
    #expect(isReadable == (protection == .fileMode))
  }

  @Test func withoutAKeyringItIsTheMode() throws {
    let plain = SessionStore(folder: folder, nil)
    #expect(try plain.store(session) == .fileMode)
    #expect(try contents().contains(session))
    #expect(try plain.load() == session && store.load() == session)
  }

  @Test func withoutTheKeyNobodyIsSignedIn() throws {
    if try store.store(session) == .keyring {
      try key.remove()
    } else {
      try write([UInt8]("cie-read session 1 keyring\n".utf8) + [UInt8](repeating: 7, count: 50))
    }
    #expect(cause { try store.load() } == .store(.keyLost))
    try store.store([1])
    #expect(try store.load() == [1])
  }

  @Test func theKeyGoesWithTheSession() throws {
    try store.store(session)
    try store.remove()
    #expect(!hasKey())
  }

  @Test(arguments: [0, 20, 30, 60]) func aChangedBitIsNoSession(position: Int) throws {
    var bytes = [UInt8]("cie-read session 1 keyring\n".utf8)
    if try store.store(session) == .keyring { bytes = try contents() }
    bytes[min(position, bytes.count - 1)] ^= 1
    try write(bytes)
    #expect(cause { try store.load() } == .store(.keyLost))
  }

  @Test func aFileThatIsCutOffIsNoSession() throws {
    try store.store(session)
    let first = [UInt8](try contents().prefix { $0 != 0x0A })
    for rest in [first, []] {
      try write(rest)
      #expect(cause { try store.load() } == .store(.keyLost))
    }
  }

  @Test func moreThanTheLimitIsNeitherStoredNorRead() throws {
    let most = [UInt8](repeating: 5, count: SessionStore.limit)
    try store.store(most)
    #expect(try store.load() == most)
    #expect(cause { try store.store(most + [5]) } == .store(.tooLarge))
    #expect(try store.load() == most)
    try write([UInt8](repeating: 5, count: SessionStore.limit + 200))
    #expect(cause { try store.load() } == .store(.tooLarge))
  }

  @Test func aSymbolicLinkIsNotFollowed() throws {
    try store.store(session)
    try #require(rename(file, folder + "/elsewhere") == 0)
    try #require(symlink("elsewhere", file) == 0)
    #expect(cause { try store.load() } == .store(.folder(.notPlain)))
    // The link is replaced; its target is not changed.
    try store.store([1])
    #expect(try store.load() == [1])
    #expect(mode(folder + "/elsewhere") == 0o600)
  }

  @Test func aFolderThatIsALinkIsNone() throws {
    try #require(mkdir(directory.path("real"), 0o700) == 0)
    try #require(symlink("real", folder) == 0)
    #expect(cause { try store.store(session) } == .store(.folder(.notPlain)))
    #expect(cause { try store.load() } == .store(.folder(.notPlain)))
  }

  @Test func whatOthersMayReadOrExchangeIsNotUsed() throws {
    try store.store(session)
    try #require(chmod(file, 0o640) == 0)
    #expect(cause { try store.load() } == .store(.folder(.exposed)))
    try #require(chmod(file, 0o600) == 0 && chmod(folder, 0o770) == 0)
    #expect(cause { try store.load() } == .store(.folder(.exposed)))
    #expect(cause { try store.store(session) } == .store(.folder(.exposed)))
    try #require(chmod(folder, 0o700) == 0)
  }

  @Test func whatBelongsToSomebodyElseIsNotUsed() throws {
    guard geteuid() == 0 else {
      // Owned by root.
      #expect(cause { try SessionStore(folder: "/usr").load() } == .store(.folder(.foreignOwner)))
      return
    }
    try store.store(session)
    try #require(chown(file, 65534, 65534) == 0)
    #expect(cause { try store.load() } == .store(.folder(.foreignOwner)))
  }

  @Test func aPipeIsNotWaitedFor() throws {
    try #require(mkdir(folder, 0o700) == 0 && mkfifo(file, 0o600) == 0)
    #expect(cause { try store.load() } == .store(.folder(.notPlain)))
  }

  @Test func whatAKilledProcessLeftIsInNobodysWay() throws {
    try store.store(session)
    try #require(link(file, file + ".new") == 0)
    try store.store([1])
    #expect(try store.load() == [1])
    #expect(access(file + ".new", F_OK) != 0)
  }

  @Test func ofManyWritersOneIsTheLast() async throws {
    let store = store
    await withTaskGroup { group in
      for writer in 1...8 {
        group.addTask {
          for _ in 0..<10 {
            _ = try? store.store([UInt8](repeating: UInt8(writer), count: 9000 + writer))
          }
        }
      }
    }
    let last = try #require(try store.load())
    #expect(last.count == 9000 + Int(last[0]) && Set(last).count == 1)
  }

  @Test func whoHoldsTheLockTooLongIsNotWaitedForForever() throws {
    try store.store([1])
    let place = try PrivateFolder(folder, isMade: false)
    let lock = try place.lock("session")
    #expect(cause { try store.store([2]) } == .store(.folder(.busy)))
    lock.release()
    try store.store([3])
    #expect(try store.load() == [3])
  }

  @Test func theUsualFolderIsThatOfState() {
    func folder(_ variables: [String: String]) -> String? {
      SessionStore.usualFolder { variables[$0] }
    }
    #expect(folder(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/cie-read")
    #expect(folder(["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/cie-read")
    #expect(folder(["XDG_STATE_HOME": ""]) == nil && folder(["HOME": "h"]) == nil)
  }
}
