import Primitives
import Glibc
import TestSupport
import Testing

@testable import SignIn

@Suite struct LocalLockTests: ~Copyable {
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

  // MARK: create and repeat

  @Test func aCodeIsSetWhenItIsTypedTwice() throws {
    #expect(try lock.word() == "not set")
    #expect(access(machine.folder, F_OK) != 0, "who only asks makes no folder")
    try lock.set("271828")
    #expect(try lock.word() == "unlocked 300")
    #expect(throws: LocalLock.Failure.alreadySet) { try lock.set("314159") }
    #expect(machine.hasSession)
  }

  @Test func threeWrongRepetitionsEndItAndNothingIsKept() throws {
    var step = try lock.choosing().choose(code("271828"))
    for _ in 0..<2 {
      switch try step.repeat(typed("271829")) {
      case .kept:
        Issue.record("kept")
        return
      case .differs(let again): step = again
      }
    }
    let wrong = typed("271829")
    do throws(LocalLock.Failure) {
      _ = try step.repeat(wrong)
      Issue.record("a third one")
    } catch { #expect(error == .entriesDiffer) }
    #expect(try lock.word() == "not set")
  }

  @Test func theRepetitionMayBeRightAtTheThirdTry() throws {
    let step = try lock.choosing().choose(code("271828"))
    guard case .differs(let second) = try step.repeat(typed("1234567")) else {
      return #expect(Bool(false))
    }
    guard case .differs(let third) = try second.repeat(typed("271827")) else {
      return #expect(Bool(false))
    }
    guard case .kept(.unlocked) = try third.repeat(typed("271828")) else {
      return #expect(Bool(false))
    }
  }

  @Test(arguments: ["111111", "123456", "987654", "0000", "4321"])
  func aCodeThatIsEasyToGuessIsRefused(digits: String) throws {
    let reason: CodeWeakness =
      digits.hasPrefix("11") || digits == "0000" ? .sameDigits : .consecutiveDigits
    #expect(throws: LocalLock.Failure.weak(reason)) { try lock.set(digits) }
    #expect(try lock.word() == "not set")
  }

  @Test(arguments: ["", "123", "1234567890123", "12a456", "12 456", "１２３４"])
  func aCodeHasFourToTwelveDigits(text: String) throws {
    let isLong = (4...12).contains(text.utf8.count)
    do {
      _ = try code(text)
      Issue.record("taken")
    } catch let error as LocalCode.FormatError {
      #expect(error == (isLong ? .notDigits : .length))
    }
  }

  @Test func ofTwoWhoSetACodeAtOnceTheFirstOneIsKept() throws {
    let (one, other) = (try lock.choosing(), try lock.choosing())
    _ = try one.choose(code("271828")).repeat(typed("271828"))
    #expect(throws: LocalLock.Failure.alreadySet) {
      _ = try other.choose(code("314159")).repeat(typed("314159"))
    }
    try lock.enter("271828")
  }

  // MARK: enter

  @Test func theFileTellsNothingOfTheCode() throws {
    try lock.set("271828")
    #expect(try !text().contains("271828"))
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o7777 == 0o600)
    let first = try #require(try JSONValue([UInt8](text().utf8))["hash"]?.text)
    try lock.forget()
    try lock.set("271828")
    let second = try #require(try JSONValue([UInt8](text().utf8))["hash"]?.text)
    #expect(first != second, "another salt")
  }

  @Test func theThirdWrongCodeEndsTheSession() throws {
    try lock.set("271828")
    machine.set(2000)
    #expect(try lock.word() == "locked 3 3")
    #expect(throws: LocalLock.Failure.wrong(triesLeft: 2)) { try lock.enter("271829") }
    #expect(throws: LocalLock.Failure.wrong(triesLeft: 1)) { try lock.enter("271829") }
    #expect(machine.hasSession)
    #expect(throws: LocalLock.Failure.exhausted) { try lock.enter("271829") }
    #expect(!machine.hasSession)
    #expect(try lock.word() == "exhausted")
    #expect(try !text().contains("hash"))
    #expect(throws: LocalLock.Failure.exhausted) { try lock.enter("271828") }
    machine.signIn()
    try lock.admit()
    #expect(machine.hasSession, "a new login is not undone")
    try lock.set("314159")
    #expect(try lock.word() == "unlocked 300" && machine.hasSession)
  }

  @Test func theRightCodeGivesTheTriesBack() throws {
    try lock.set("271828")
    machine.set(2000)
    #expect(throws: LocalLock.Failure.wrong(triesLeft: 2)) { try lock.enter("271829") }
    #expect(throws: LocalLock.Failure.wrong(triesLeft: 2)) {
      try lock.change("271829", to: "314159")
    }
    #expect(try lock.word() == "locked 2 2")
    try lock.enter("271828")
    machine.set(3000)
    #expect(try lock.word() == "locked 3 3")
  }

  @Test func aCodeOfAnotherLengthCostsNoTry() throws {
    try lock.set("2718")
    #expect(throws: LocalLock.Failure.length(4)) { try lock.enter("27182") }
    machine.set(2000)
    #expect(try lock.word() == "locked 3 3")
  }

  @Test func aWrongCodeLocks() throws {
    try lock.set("271828")
    #expect(throws: LocalLock.Failure.wrong(triesLeft: 2)) { try lock.enter("271829") }
    #expect(try lock.word() == "locked 2 3")
  }

  @Test func withoutACodeThereIsNothingToEnter() throws {
    try lock.set("271828")
    let step = try lock.entering()
    try lock.forget()
    #expect(throws: LocalLock.Failure.notSet) { _ = try step.enter(code("271828")) }
    rmdir(machine.folder)
    #expect(throws: LocalLock.Failure.notSet) { _ = try step.enter(code("271828")) }
  }

  @Test func ofManyAtOnceNoneGetsATryForNothing() async throws {
    try lock.set("271828")
    let step = try lock.entering()
    let ends = await withTaskGroup(of: LocalLock.Failure?.self) { group in
      for _ in 0..<6 {
        group.addTask {
          do { _ = try step.enter(code("271829")) } catch { return error as? LocalLock.Failure }
          return nil
        }
      }
      return await group.reduce(into: [LocalLock.Failure?]()) { $0.append($1) }
    }
    #expect(ends.count { $0 == .wrong(triesLeft: 2) } == 1)
    #expect(ends.count { $0 == .wrong(triesLeft: 1) } == 1)
    #expect(ends.count { $0 == .exhausted } == 4)
  }

  // MARK: change and forget

  @Test func aChangeWantsTheOldCodeAndAnotherNewOne() throws {
    try lock.set("271828")
    #expect(throws: LocalLock.Failure.unchanged) { try lock.change("271828", to: "271828") }
    #expect(throws: LocalLock.Failure.length(6)) { try lock.change("271828", to: "31415") }
    #expect(throws: LocalLock.Failure.weak(.sameDigits)) { try lock.change("271828", to: "777777") }
    machine.set(2000)
    try lock.change("271828", to: "314159")
    #expect(try lock.word() == "unlocked 300")
    #expect(throws: LocalLock.Failure.wrong(triesLeft: 2)) { try lock.enter("271828") }
    try lock.enter("314159")
  }

  @Test func theThirdWrongOldCodeEndsTheSession() throws {
    try lock.set("271828")
    for left in [2, 1] {
      #expect(throws: LocalLock.Failure.wrong(triesLeft: left)) {
        try lock.change("271829", to: "314159")
      }
    }
    #expect(try lock.word() == "locked 3 1", "the tries of each flow are counted apart")
    #expect(throws: LocalLock.Failure.exhausted) { try lock.change("271829", to: "314159") }
    #expect(try !machine.hasSession && lock.word() == "exhausted")
  }

  @Test func aCodeThatSomebodyElseHasChangedMeanwhileIsNotOverwritten() throws {
    try lock.set("271828")
    let slow = try lock.entering().change(from: code("271828"))
    try lock.change("271828", to: "314159")
    #expect(throws: LocalLock.Failure.entriesDiffer) {
      _ = try slow.choose(code("161803")).repeat(typed("161803"))
    }
    try lock.enter("314159")
  }

  @Test func whoHasForgottenItLosesTheSessionToo() throws {
    try lock.set("271828")
    try lock.forget()
    #expect(try !machine.hasSession && lock.word() == "not set")
    try lock.forget()
  }
}
