import Primitives
import Glibc
import TestSupport
import Testing

@testable import SignIn

/// File of a code that was removed, restored or changed, while the kernel keeps its hash.
@Suite struct LocalLockSealTests: ~Copyable {
  private let directory: TemporaryDirectory
  private let key: KeyringKey
  private let machine: LockedMachine
  private var lock: LocalLock { machine.lock }
  private var file: String { machine.folder + "/local-code.json" }

  init() throws {
    directory = try TemporaryDirectory()
    key = SessionStore.key(directory.path("state"))
    machine = LockedMachine(directory.path("state"), seal: key)
  }

  deinit { key.clear() }

  private func text() throws -> [UInt8] { try PlainFile.read(file, limit: 1 << 16) }

  private func write(_ text: [UInt8]) throws { try directory.write("state/local-code.json", text) }

  /// Changes to the file of a code of which a try was spent.
  enum Passing: CaseIterable {
    case removed, rolledBack, triesRestored, openedAgain, otherCode

    func apply(_ test: borrowing LocalLockSealTests, before: [UInt8]) throws {
      let now = String(decoding: try test.text(), as: UTF8.self)
      switch self {
      case .removed: unlink(test.file)
      case .rolledBack: try test.write(before)
      case .triesRestored:
        try test.write([UInt8](now.replacing(#""enter":2"#, with: #""enter":3"#).utf8))
      case .openedAgain:
        let used = #""lastUse":{"start":"first","seconds":1000}"#
        try test.write([UInt8](now.replacing(#""lastUse":{}"#, with: used).utf8))
      case .otherCode:
        let other = LockedMachine(test.directory.path("other"))
        try other.lock.set("314159")
        try test.write(try PlainFile.read(other.folder + "/local-code.json", limit: 1 << 16))
      }
    }
  }

  @Test(arguments: Passing.allCases)
  func `a code is not passed by its file`(_ passing: Passing) throws {
    try lock.set("271828")
    let before = try text()
    #expect(throws: LocalLock.Failure.wrong(triesLeft: 2)) { try lock.enter("271829") }
    let spent = try text()
    try passing.apply(self, before: before)
    let isThere = access(file, F_OK) == 0
    let isSame = try isThere && text() == spent
    try #require(!isSame)
    guard key.mark != nil else {
      // Without a keyring: `help privacy` describes the remaining attacks.
      #expect(try lock.word() != "locked 2 3")
      return
    }
    #expect(throws: LocalLock.Failure.malformed) { try lock.state() }
    #expect(throws: LocalLock.Failure.malformed) { try lock.admit() }
    #expect(throws: LocalLock.Failure.malformed) { try lock.enter("314159") }
    #expect(machine.hasSession)
    // With the original file restored, the code works again.
    try write(spent)
    #expect(try lock.word() == "locked 2 3")
    unlink(file)
    try lock.forget()
    #expect(try !machine.hasSession && lock.word() == "not set" && key.mark == nil)
  }

  @Test func `the hash goes on with the code, the session's key does not`() throws {
    let store = SessionStore(folder: machine.folder)
    try lock.set("271828")
    let protection = try store.store([1, 2, 3])
    let before = try PlainFile.read(machine.folder + "/session", limit: 1 << 16)
    try store.remove()
    #expect((key.mark != nil) == (protection == .keyring))
    #expect(try lock.word() == "unlocked 300")
    if protection == .keyring {
      // The former session cannot be opened.
      try directory.write("state/session", before)
      #expect(cause { try store.load() } == .store(.keyLost))
      unlink(file)
      #expect(throws: LocalLock.Failure.malformed) { try lock.admit() }
    }
    try lock.forget()
    #expect(try lock.word() == "not set")
  }

  @Test
  func `after a new start of the machine a code is what its file says, and from then on no other`()
    throws
  {
    try lock.set("271828")
    key.clear()
    #expect(try lock.word() == "unlocked 300")
    guard key.mark != nil else { return }
    unlink(file)
    #expect(throws: LocalLock.Failure.malformed) { try lock.admit() }
  }
}
