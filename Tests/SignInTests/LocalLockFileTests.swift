import Primitives
import Glibc
import TestSupport
import Testing

@testable import SignIn

/// Effects of time, crashes and foreign files on a lock.
@Suite struct LocalLockFileTests: ~Copyable {
  private let directory: TemporaryDirectory
  private let machine: LockedMachine
  private var lock: LocalLock { machine.lock }
  private var file: String { machine.folder + "/local-code.json" }

  init() throws {
    directory = try TemporaryDirectory()
    machine = LockedMachine(directory.path("state"))
  }

  private func text() throws -> String {
    String(decoding: try PlainFile.read(file, limit: 1 << 16), as: UTF8.self)
  }

  private func write(_ text: String) throws {
    _ = mkdir(machine.folder, 0o700)
    try directory.write("state/local-code.json", text.utf8)
  }

  // MARK: time

  @Test func itLocksByItselfAfterFiveMinutesWithoutUse() throws {
    try lock.set("271828")
    machine.set(1299)
    #expect(try lock.word() == "unlocked 1")
    try lock.admit()
    #expect(try lock.word() == "unlocked 300")
    machine.set(1299 + 300)
    #expect(try lock.word() == "locked 3 3")
    #expect(throws: LocalLock.Failure.locked) { try lock.admit() }
  }

  @Test func aClockThatIsSetBackLocks() throws {
    try lock.set("271828")
    machine.set(999)
    #expect(try lock.word() == "locked 3 3")
  }

  @Test func anotherStartOfTheMachineLocks() throws {
    try lock.set("271828")
    machine.set(1001, start: "second")
    #expect(try lock.word() == "locked 3 3")
  }

  @Test func theClockOfTheSystemGoesOnFromTheStartOfTheMachine() {
    let (one, other) = (LockClock.system.now(), LockClock.system.now())
    #expect(one.start == other.start && one.age(at: other) != nil)
  }

  @Test func withoutACodeEverybodyIsLetIn() throws { try lock.admit() }

  // MARK: crashes and hostile files

  @Test func aTryThatWasTakenStaysTakenWhateverCameAfterIt() throws {
    try lock.set("271828")
    // State left by a process that was killed before it compared the third code.
    try write(text().replacing(#""enter":3"#, with: #""enter":0"#))
    try lock.admit()
    #expect(try !machine.hasSession && lock.word() == "exhausted")
  }

  @Test func aSessionThatCannotBeTakenAwayIsTriedAgain() throws {
    try lock.set("271828")
    machine.hold(true)
    for _ in 0..<2 { try? lock.enter("271829") }
    #expect(throws: LocalLock.Failure.sessionNotEnded) { try lock.enter("271829") }
    #expect(throws: LocalLock.Failure.sessionNotEnded) { try lock.enter("271828") }
    #expect(throws: LocalLock.Failure.sessionNotEnded) { try lock.forget() }
    machine.hold(false)
    #expect(try lock.word() == "exhausted" && !machine.hasSession)
  }

  @Test(arguments: [
    "", "{}", #"{"version":2,"exhausted":true}"#, #"{"version":1,"exhausted":false}"#, "[",
  ])
  func aFileThatIsNoneOfOursLetsNobodyIn(text: String) throws {
    try write(text)
    #expect(throws: LocalLock.Failure.malformed) { try lock.state() }
    #expect(throws: LocalLock.Failure.malformed) { try lock.admit() }
    try lock.forget()
    #expect(try lock.word() == "not set")
  }

  @Test(arguments: [
    (#""N":32768"#, #""N":1024"#), (#""N":32768"#, #""N":32767"#),
    (#""N":32768"#, #""N":268435456"#),
    (#""r":8"#, #""r":1"#), (#""p":1"#, #""p":0"#), (#""p":1"#, #""p":1000"#),
    (#""length":6"#, #""length":3"#),
    (#""enter":3"#, #""enter":4"#), (#""enter":3"#, #""enter":-1"#),
    (#""change":3"#, #""chance":3"#),
    (#""salt":""#, #""salt":"00"#), (#""hash":""#, #""hash":"G"#),
  ])
  func aRecordThatIsWeakerOrOddLetsNobodyIn(before: String, after: String) throws {
    try lock.set("271828")
    let changed = try text().replacing(before, with: after)
    try #require(try changed != text())
    try write(changed)
    #expect(throws: LocalLock.Failure.malformed) { try lock.admit() }
  }

  @Test func aSymbolicLinkInItsPlaceIsNotFollowed() throws {
    try lock.set("271828")
    try #require(rename(file, file + ".old") == 0 && symlink("local-code.json.old", file) == 0)
    #expect(throws: LocalLock.Failure.folder(.init(failure: .notPlain))) { try lock.admit() }
    try lock.forget()
    #expect(access(file + ".old", F_OK) == 0)
  }

  @Test func aFileThatOthersMayReadIsNotBelieved() throws {
    try lock.set("271828")
    try #require(chmod(file, 0o644) == 0)
    #expect(throws: LocalLock.Failure.folder(.init(failure: .exposed))) { try lock.admit() }
    try lock.forget()
    #expect(try lock.word() == "not set")
  }

  @Test func aFolderInItsPlaceIsNoFile() throws {
    try #require(mkdir(machine.folder, 0o700) == 0 && mkdir(file, 0o700) == 0)
    #expect(throws: LocalLock.Failure.folder(.init(failure: .notPlain))) { try lock.state() }
  }

  @Test func whatIsTooLongIsNotRead() throws {
    try write(String(repeating: " ", count: 5000))
    #expect(throws: LocalLock.Failure.folder(.init(failure: .tooLarge))) { try lock.state() }
  }
}
