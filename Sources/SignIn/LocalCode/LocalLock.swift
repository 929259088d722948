internal import CIECard
internal import Glibc
internal import System

/// The lock before the session on this machine. All that it knows is in one file, so a crash and a second process find it
/// as it was left.
package struct LocalLock: Sendable {
  /// After so many seconds without use it locks by itself.
  package static let openSeconds = 300
  private static let file = "local-code.json"

  private let folder: String
  let clock: LockClock
  /// Takes the session away; whether it is gone.
  private let endSession: @Sendable () -> Bool

  /// The lock in a folder, that of the session.
  ///
  /// - Parameter endSession: takes the session away for good, and tells whether it is gone; none is no failure.
  package init(
    folder: String, clock: LockClock = .system, endSession: @escaping @Sendable () -> Bool
  ) {
    self.folder = folder
    self.clock = clock
    self.endSession = endSession
  }

  /// How it stands.
  package func state() throws(LocalLockError) -> LocalLockState {
    guard try hasFolder() else { return state(of: nil) }
    return try exclusively { (_, record) throws(LocalLockError) in state(of: record) }
  }

  /// Lets a command at the session, and counts as its use: from now on it stays open for `openSeconds`.
  ///
  /// After `exhausted` whatever is there comes from a new login, and no code protects it.
  ///
  /// - Throws: `locked`.
  package func admit() throws(LocalLockError) {
    guard try hasFolder() else { return }
    try exclusively { (folder, record) throws(LocalLockError) in
      switch state(of: record) {
      case .notSet, .exhausted: return
      case .locked: throw .locked
      case .unlocked:
        guard case .code(var code)? = record else { return }
        code.lastUse = clock.now()
        try write(.code(code), folder)
      }
    }
  }

  /// Takes the session away, and then the code: for who has forgotten it, and after `exhausted`. Also a file that cannot
  /// be used is taken away.
  package func forget() throws(LocalLockError) {
    guard endSession() else { throw .sessionNotEnded }
    guard try hasFolder() else { return }
    let path = folder
    try Self.inFolder { () throws(PrivateFolder.Failure) in
      let place = try PrivateFolder(path, isMade: false)
      let lock = try place.lock(Self.file)
      try place.remove(Self.file)
      lock.release()
    }
  }

  private func state(of record: LocalCodeRecord?) -> LocalLockState {
    switch record {
    case nil: return .notSet(ChoosingCode(lock: self, old: nil))
    case .exhausted: return .exhausted(ChoosingCode(lock: self, old: nil))
    case .code(let code):
      let step = EnteringCode(lock: self, code: code)
      guard let age = code.lastUse?.age(at: clock.now()), age < Self.openSeconds else {
        return .locked(step)
      }
      return .unlocked(step, secondsLeft: Self.openSeconds - age)
    }
  }

  /// Spends a try on a code: it is counted, and on the disk, before the code is looked at.
  ///
  /// - Returns: what is kept after the right one.
  func spendTry(
    on entered: borrowing LocalCode, _ flow: LocalCodeFlow
  ) throws(LocalLockError) -> StoredCode {
    guard try hasFolder() else { throw .notSet }
    return try exclusively { (folder, record) throws(LocalLockError) in
      guard let record else { throw .notSet }
      guard case .code(var code) = record else { throw .exhausted }
      guard entered.length == code.length else { throw .length(code.length) }
      code.takeTry(flow)
      try write(.code(code), folder)
      guard try inCryptography({ () throws(CryptoError) in try code.matches(entered) }) else {
        guard code.isSpent else { throw .wrong(triesLeft: code.triesLeft(flow)) }
        try exhaust(folder)
        throw .exhausted
      }
      code.restoreTries(at: clock.now())
      try write(.code(code), folder)
      return code
    }
  }

  /// Keeps a new code.
  ///
  /// - Parameter old: the one in whose place it comes; `nil` where there must be none.
  /// - Throws: `entriesDiffer` when meanwhile it is another one.
  func keep(
    _ new: borrowing LocalCode, for old: StoredCode?
  ) throws(LocalLockError) -> LocalLockState {
    try exclusively { (folder, record) throws(LocalLockError) in
      switch (record, old) {
      case (nil, nil), (.exhausted, nil): break
      case (.code(let code), let old?) where code.isSameCode(as: old): break
      case (.code, nil): throw .alreadySet
      case (_, _?): throw .entriesDiffer
      }
      let code = try inCryptography { () throws(CryptoError) in
        try StoredCode(new, at: clock.now())
      }
      try write(.code(code), folder)
      return state(of: .code(code))
    }
  }

  /// Whether a code is the one that is kept; for who has entered it already.
  func isSame(_ code: borrowing LocalCode, as kept: StoredCode) throws(LocalLockError) -> Bool {
    try inCryptography { () throws(CryptoError) in try kept.matches(code) }
  }

  private func inCryptography<Result>(
    _ body: () throws(CryptoError) -> Result
  ) throws(LocalLockError) -> Result {
    do { return try body() } catch { throw .crypto(error) }
  }
}

// MARK: - The file

extension LocalLock {
  /// Whether anything was ever kept here: who only asks makes no folder.
  private func hasFolder() throws(LocalLockError) -> Bool {
    do throws(PrivateFolder.Failure) {
      _ = try PrivateFolder(folder, isMade: false)
      return true
    } catch {
      if error == .system(SystemError(ENOENT)) { return false }
      throw .folder(error)
    }
  }

  /// Does something while no other process does. What a process left that was ended between the last wrong code and the
  /// session's end is done first.
  private func exclusively<Result>(
    _ body: (borrowing PrivateFolder, LocalCodeRecord?) throws(LocalLockError) -> Result
  ) throws(LocalLockError) -> Result {
    let path = folder
    let place = try Self.inFolder { () throws(PrivateFolder.Failure) in
      try PrivateFolder(path, isMade: true)
    }
    let lock = try Self.inFolder { () throws(PrivateFolder.Failure) in try place.lock(Self.file) }
    var record = try read(place)
    if case .code(let code)? = record, code.isSpent {
      try exhaust(place)
      record = .exhausted
    }
    let result = try body(place, record)
    lock.release()
    return result
  }

  private func read(_ place: borrowing PrivateFolder) throws(LocalLockError) -> LocalCodeRecord? {
    let text = try Self.inFolder { () throws(PrivateFolder.Failure) in
      try place.read(Self.file, limit: LocalCodeRecord.limit)
    }
    guard let text else { return nil }
    guard let record = LocalCodeRecord(text) else { throw .malformed }
    return record
  }

  private func write(
    _ record: LocalCodeRecord, _ place: borrowing PrivateFolder
  ) throws(LocalLockError) {
    try Self.inFolder { () throws(PrivateFolder.Failure) in
      try place.replace(Self.file, with: record.text)
    }
  }

  /// The session first: until it is gone, the file says that no try is left.
  private func exhaust(_ place: borrowing PrivateFolder) throws(LocalLockError) {
    guard endSession() else { throw .sessionNotEnded }
    try write(.exhausted, place)
  }

  private static func inFolder<Result: ~Copyable>(
    _ body: () throws(PrivateFolder.Failure) -> Result
  ) throws(LocalLockError) -> Result {
    do { return try body() } catch { throw .folder(error) }
  }
}
