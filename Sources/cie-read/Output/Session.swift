import CIECard
import Glibc
import Messages
import Synchronization
import System

/// What every command has around it: whom it speaks to and how it can be stopped.
struct Session: Sendable {
  let language: Language
  private(set) var interruption: Interruption
  private(set) var progress: Progress
  /// Told of the card's steps and of where the card lies, beside the line on the terminal.
  var onStep: @Sendable (CardError.Step, _ place: String) -> Void = { _, _ in }
  /// When certificates are judged.
  var time: UTCTime
  /// Where the card lies, so that whoever is asked for a PIN sees which card it is for.
  var place = ""
  /// Whether files that exist may be overwritten.
  var mayOverwrite = false
  /// Whether nothing but errors and questions goes to standard error.
  var isQuiet = false { didSet { progress = Progress(language, isWanted: !isQuiet) } }
  /// Whether the result is one JSON object.
  var isJSON = false
  /// What is found on the way and belongs into that object.
  let notices = Notices()
  /// Whether codes are asked for in a window of the desktop.
  var usesPinentry = false
  /// Whether standard input holds what is to be signed, and therefore no PIN.
  var standardInputIsData = false

  init(_ language: Language, _ interruption: Interruption) {
    self.language = language
    self.interruption = interruption
    progress = Progress(language, isWanted: true)
    time = .now
  }
}

extension Session {
  /// What the card reports its steps to.
  var reporter: @Sendable (CardError.Step) -> Void {
    { [progress, onStep, place] step in
      progress.show(step.text)
      onStep(step, place)
    }
  }

  /// The same, for a part of the program that can end before the rest.
  func endedBy(_ part: Interruption) -> Session {
    var session = self
    session.interruption = part
    return session
  }

  /// Does what may take so many seconds and no more.
  ///
  /// - Throws: `deadline` where that time was too short; else what the body throws.
  func ending<Result>(
    after seconds: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    interruption.expire(after: .seconds(seconds))
    do throws(Failure) { return try body() } catch {
      guard error.isInterruption, interruption.hasExpired, interruption.signal == nil else {
        throw error
      }
      throw .deadline(seconds)
    }
  }

  /// Tells people what is amiss although the command goes on; scripts have a member of the JSON object for it.
  func warn(_ text: Message) {
    guard !isJSON, !isQuiet else { return }
    progress.clear()
    let warning = Message("warning", ["text": text])
    Stream.error.write(lines: ["cie-read: " + warning(language)], indent: 10)
  }
}

/// Members of the JSON object that are known before the command's end, whichever end it comes to.
final class Notices: Sendable {
  private let list = Mutex<[JSON.Member]>([])

  var members: [JSON.Member] { list.withLock { $0 } }

  /// Adds a member; what a run that was started over said before is replaced.
  func add(_ member: JSON.Member) {
    list.withLock { list in
      list.removeAll { $0.name == member.name }
      list.append(member)
    }
  }
}

/// What the program is doing, on one line of standard error that is written over; nothing when that is no terminal.
struct Progress: Sendable {
  private let isShown: Bool
  private let language: Language

  /// - Parameter isWanted: whether anybody wants to see it.
  init(_ language: Language, isWanted: Bool) {
    isShown = isWanted && isatty(STDERR_FILENO) == 1
    self.language = language
  }

  /// Shows a text in place of the one before.
  func show(_ text: Message) {
    if isShown { Stream.error.write(raw: "\r\u{1B}[K\(text(language).printable)…") }
  }

  /// Takes away what is shown.
  func clear() {
    if isShown { Stream.error.write(raw: "\r\u{1B}[K") }
  }

}
