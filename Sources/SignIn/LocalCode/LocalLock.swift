internal import Primitives
internal import Glibc

/// Lock of the account on this machine: a local code, independent of the card's PIN. Its state is in one file, because
/// it must survive a crash and be visible to a second process; `AccountKeeper.lock` creates it.
///
/// With a keyring, the file's hash is stored beside the session's key: a file that was removed, restored or changed is
/// rejected, and the hash cannot be removed without the session's key.
///
/// ```swift
/// if case .locked(let entering) = try keeper.lock.state() {
///   _ = try entering.enter(LocalCode(digits: "271828"))
/// }
/// ```
public struct LocalLock: Sendable {
  /// Seconds without use after which it locks automatically.
  public static let openSeconds = 300
  private static let file = "local-code.json"

  private let folder: String
  /// Keyring entry for the file's hash; `nil` for none.
  private let seal: KeyringKey?
  let clock: LockClock
  /// Removes the session; true if it is gone.
  private let endSession: @Sendable () -> Bool

  /// Lock in the session's folder.
  ///
  /// - Parameter endSession: removes the session for good, and returns true if it is gone; a missing session is not a
  ///   failure.
  init(
    folder: String, clock: LockClock = .system, endSession: @escaping @Sendable () -> Bool
  ) {
    self.init(folder: folder, clock: clock, SessionStore.key(folder), endSession: endSession)
  }

  init(
    folder: String, clock: LockClock, _ seal: KeyringKey?,
    endSession: @escaping @Sendable () -> Bool
  ) {
    self.folder = folder
    self.seal = seal
    self.clock = clock
    self.endSession = endSession
  }

  /// Current state, with the steps that are legal next.
  ///
  /// - Throws: `.malformed`, `.folder`.
  public func state() throws(LocalLock.Failure) -> LocalLock.State {
    guard try hasFolder() else { return state(of: nil) }
    return try exclusively { (_, record) throws(LocalLock.Failure) in state(of: record) }
  }

  /// Asks for access to the account, and counts as its use: from now on it stays unlocked for `openSeconds`.
  ///
  /// After `exhausted` an account comes from a new login, and no code protects it.
  ///
  /// - Throws: `.locked` until the code is entered.
  public func admit() throws(LocalLock.Failure) {
    guard try hasFolder() else { return }
    try exclusively { (folder, record) throws(LocalLock.Failure) in
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

  /// Removes the account, and then the code, even one in a file that cannot be used: for a forgotten code.
  ///
  /// - Throws: `.sessionNotEnded`, `.folder`.
  public func forget() throws(LocalLock.Failure) {
    guard endSession() else { throw .sessionNotEnded }
    guard try hasFolder() else { return }
    let place = try Self.inFolder(try PrivateFolder(folder, isMade: false))
    let lock = try Self.inFolder(try place.lock(Self.file))
    try Self.inFolder(try place.remove(Self.file))
    seal?.clear()
    lock.release()
  }

  private func state(of record: LocalCodeRecord?) -> LocalLock.State {
    switch record {
    case nil: return .notSet(LocalLock.Choosing(lock: self, old: nil))
    case .exhausted: return .exhausted(LocalLock.Choosing(lock: self, old: nil))
    case .code(let code):
      let step = LocalLock.Entering(lock: self, code: code)
      guard let age = code.lastUse?.age(at: clock.now()), age < Self.openSeconds else {
        return .locked(step)
      }
      return .unlocked(step, secondsLeft: Self.openSeconds - age)
    }
  }

  /// Spends a try on a code: it is counted, on disk too, before the code is compared.
  ///
  /// - Returns: the stored code after the right one.
  func spendTry(
    on entered: borrowing LocalCode, _ flow: LocalLock.Flow
  ) throws(LocalLock.Failure) -> StoredCode {
    guard try hasFolder() else { throw .notSet }
    return try exclusively { (folder, record) throws(LocalLock.Failure) in
      guard let record else { throw .notSet }
      guard case .code(var code) = record else { throw .exhausted }
      guard entered.length == code.length else { throw .length(code.length) }
      code.takeTry(flow)
      try write(.code(code), folder)
      guard try inCryptography(try code.matches(entered)) else {
        guard code.isSpent else { throw .wrong(triesLeft: code.triesLeft(flow)) }
        try exhaust(folder)
        throw .exhausted
      }
      code.restoreTries(at: clock.now())
      try write(.code(code), folder)
      return code
    }
  }

  /// - Parameter old: the code that it replaces; `nil` if no code may exist.
  /// - Throws: `alreadySet` if a code is stored and `old` is `nil`; `entriesDiffer` if the stored code is not `old`.
  func keep(
    _ new: borrowing LocalCode, for old: StoredCode?
  ) throws(LocalLock.Failure) -> LocalLock.State {
    try exclusively { (folder, record) throws(LocalLock.Failure) in
      switch (record, old) {
      case (nil, nil), (.exhausted, nil): break
      case (.code(let code), let old?) where code.isSameCode(as: old): break
      case (.code, nil): throw .alreadySet
      case (_, _?): throw .entriesDiffer
      }
      let code = try inCryptography(try StoredCode(new, at: clock.now()))
      try write(.code(code), folder)
      return state(of: .code(code))
    }
  }

  /// True if a code is the stored one; for callers that have entered it already.
  func isSame(_ code: borrowing LocalCode, as kept: StoredCode) throws(LocalLock.Failure) -> Bool {
    try inCryptography(try kept.matches(code))
  }

  private func inCryptography<Result>(
    _ value: @autoclosure () throws(CryptoError) -> Result
  ) throws(LocalLock.Failure) -> Result {
    try mapError(try value()) { LocalLock.Failure.crypto($0) }
  }
}

// MARK: - The file

extension LocalLock {
  /// True if the folder exists; does not create it.
  private func hasFolder() throws(LocalLock.Failure) -> Bool {
    do throws(PrivateFolder.Failure) {
      _ = try PrivateFolder(folder, isMade: false)
      return true
    } catch {
      if error == .system(SystemError(ENOENT)) { return false }
      throw .folder(Folder(failure: error))
    }
  }

  /// Runs `body` under the file lock. First completes the session's removal if a process ended between the last wrong
  /// code and that.
  private func exclusively<Result>(
    _ body: (borrowing PrivateFolder, LocalCodeRecord?) throws(LocalLock.Failure) -> Result
  ) throws(LocalLock.Failure) -> Result {
    let place = try Self.inFolder(try PrivateFolder(folder, isMade: true))
    let lock = try Self.inFolder(try place.lock(Self.file))
    var record = try read(place)
    if case .code(let code)? = record, code.isSpent {
      try exhaust(place)
      record = .exhausted
    }
    let result = try body(place, record)
    lock.release()
    return result
  }

  private func read(_ place: borrowing PrivateFolder) throws(LocalLock.Failure) -> LocalCodeRecord?
  {
    let text = try Self.inFolder(try place.read(Self.file, limit: LocalCodeRecord.limit))
    if let mark = seal?.mark {
      guard let text, try hash(text) == mark else { throw .malformed }
    } else if let text {
      // The keyring has no mark yet, because it is new: set it.
      try setSeal(of: text, place)
    }
    guard let text else { return nil }
    guard let record = LocalCodeRecord(text) else { throw .malformed }
    return record
  }

  private func hash(_ text: [UInt8]) throws(LocalLock.Failure) -> [UInt8] {
    try inCryptography(try HashAlgorithm.sha256.hash(text))
  }

  /// Stores the hash of the file's next content in the keyring, under the session's lock.
  private func setSeal(
    of text: [UInt8], _ place: borrowing PrivateFolder
  ) throws(LocalLock.Failure) {
    guard let seal else { return }
    let mark = try hash(text)
    let lock = try Self.inFolder(try place.lock(SessionStore.name))
    try inCryptography(try seal.setMark(mark))
    lock.release()
  }

  private func write(
    _ record: LocalCodeRecord, _ place: borrowing PrivateFolder
  ) throws(LocalLock.Failure) {
    // A process that ends between the two calls leaves a file that is rejected, and no code with more tries.
    try setSeal(of: record.text, place)
    try Self.inFolder(try place.replace(Self.file, with: record.text))
  }

  /// Removes the session first: until that succeeds, the file has no try left.
  private func exhaust(_ place: borrowing PrivateFolder) throws(LocalLock.Failure) {
    guard endSession() else { throw .sessionNotEnded }
    try write(.exhausted, place)
  }

  private static func inFolder<Result: ~Copyable>(
    _ value: @autoclosure () throws(PrivateFolder.Failure) -> Result
  ) throws(LocalLock.Failure) -> Result {
    try mapError(try value()) { LocalLock.Failure.folder(Folder(failure: $0)) }
  }
}
