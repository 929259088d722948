import CardWork
import Glibc
import Messages
import Primitives
import Synchronization
import Traces

/// The folder of `watch --record`: a log for each card, of which the newest are kept.
///
/// `card-000012-ok.log` is the log of a card without an error, `card-000013-wrong-can.log` that of one with the error of
/// this name; without a name it is one in progress, or one whose program was killed. The number only grows, because the
/// clock of a kiosk may be wrong. Other files of the folder stay untouched.
struct CardLogs: Sendable {
  /// Most logs of cards without an error, and most of the others: many good cards do not displace the one that failed.
  private static let most = 50
  /// Most files of a folder, so that a foreign one of any size costs no time.
  private static let mostNames = 10_000
  private static let success = "ok"

  private let folder: String

  /// Makes the folder, for this user alone, if it is missing.
  ///
  /// - Throws: before any card, if no log can be written there.
  init(_ folder: String) throws(Failure) {
    try OutputFile.makeFolder(folder, mode: 0o700)
    guard access(folder, W_OK | X_OK) == 0 else {
      throw .file(.unwritable(path: folder, errno: errno))
    }
    self.folder = folder
    _ = try kept()
  }

  /// Begins the log of the next card.
  func begin() throws(Failure) -> CardLog {
    let number = (try kept().map(\.number).max() ?? 0) + 1
    let digits = String(number)
    let padding = String(repeating: "0", count: max(0, 6 - digits.utf8.count))
    return try CardLog(folder + "/card-" + padding + digits)
  }

  /// Ends a log, and removes the oldest ones beyond the limit.
  ///
  /// - Parameter error: the name of the card's error; `nil` without one.
  /// - Returns: its path; `nil` if there was no conversation.
  func end(_ log: CardLog, _ error: String?) throws(Failure) -> String? {
    let path = try log.end(error ?? Self.success)
    let logs = try kept().sorted { $0.number > $1.number }
    for isGood in [true, false] {
      for old in logs.filter({ $0.isGood == isGood }).dropFirst(Self.most) {
        unlink(folder + "/" + old.name)
      }
    }
    return path
  }

  /// The logs of the folder.
  private func kept() throws(Failure) -> [(number: Int, isGood: Bool, name: String)] {
    guard let open = opendir(folder) else {
      throw .file(.unreadable(path: folder, errno: errno))
    }
    defer { closedir(open) }
    guard let names = FolderNames.read(open, atMost: Self.mostNames) else {
      throw .file(.unreadable(path: folder, errno: E2BIG))
    }
    return names.compactMap { name in
      guard name.hasPrefix("card-"), name.hasSuffix(".log") else { return nil }
      let parts = name.dropFirst(5).dropLast(4).split(
        separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = parts.first, first.utf8.count >= 6, let number = Int(first), number > 0
      else { return nil }
      return (number, parts.dropFirst().first.map { $0 == Self.success } ?? false, name)
    }
  }
}

/// The log of a card, written line by line.
final class CardLog: Sendable {
  /// Most bytes, up to the end of an exchange; the log of a whole document has a tenth of them.
  private static let largest = 1 << 20

  let diary = TraceRecorder()
  private let stem: String
  private let file: LogFile
  private let state = Mutex((size: 0, isFull: false))

  fileprivate init(_ stem: String) throws(Failure) {
    self.stem = stem
    file = try LogFile(stem + ".log", overwriting: false)
    diary.pass { [weak self] line in self?.append(line) }
  }

  private func append(_ line: String) {
    let isAnswer = line.hasPrefix("<") || line.hasPrefix("!")
    let isFull = state.withLock { state in
      if !isAnswer, state.size >= Self.largest { state.isFull = true }
      state.size += line.utf8.count
      return state.isFull
    }
    if !isFull { file.append(line) }
  }

  /// - Returns: the path; `nil` if there was no line.
  fileprivate func end(_ name: String) throws(Failure) -> String? {
    guard state.withLock({ $0.size > 0 }) else { return nil }
    try file.end()
    let path = stem + "-" + name + ".log"
    guard rename(stem + ".log", path) == 0 else {
      throw .file(.unwritable(path: path, errno: errno))
    }
    return path
  }
}
