package import CIECard
import Glibc
package import Messages
import Synchronization
package import Primitives

/// The surroundings of every command: its streams, its options and its interruption.
package struct RunContext: Sendable {
  package let language: Language
  package private(set) var interruption: Interruption
  package private(set) var progress: Progress
  /// The tries that cards have reported since the program started.
  package let tries: KnownTries
  /// The answers to reset of cards that have ended a channel over a command in extended form since the program started.
  let shortCards: SharedList<[UInt8]>
  /// The readers of which the program used a card, and whether it fell silent.
  private let silences: SharedList<(reader: String, isSilent: Bool)>
  /// Called with the progress of a card and with its place, beside the line on the terminal.
  package var onProgress: @Sendable (CardProgress, _ place: String) -> Void = { _, _ in }
  /// The clock that gives the time of a run, and of those that begin later.
  let clock: @Sendable () -> UTCTime
  /// The time at which certificates are judged, and its source.
  package var present: PresentTime
  /// The place of the card, so that the question for a PIN identifies it.
  package var place = ""
  /// The newest document of several that one run signs, and their number.
  package let item = SharedList<(number: Int, of: Int)>()
  /// The purpose of a code, for the window that asks for it.
  package let purpose = SharedList<String>()
  var stage = Stage.reader
  /// The person's permissions in this run: after a restart it does not ask again.
  let consents = SharedList<AuthenticityReport.Obstacle>()
  /// True if existing files may be overwritten.
  package var mayOverwrite = false
  /// True if only errors and questions go to standard error.
  package var isQuiet = false { didSet { progress = Progress(language, isWanted: !isQuiet) } }
  /// True if the result is one JSON object.
  package var isJSON = false
  /// The members found early that belong into that object.
  package let notices = SharedList<JSON.Member>()
  /// True if codes are asked for in a window of the desktop.
  package var usesPinentry = false
  /// Asks the person for a PIN in another way than at a terminal or with pinentry.
  package var askPIN: (@Sendable (RunContext) throws(Failure) -> Secret)?
  /// True if standard input holds the data to sign, and therefore no PIN.
  package var standardInputIsData = false

  /// - Parameter clock: gives the present time.
  package init(
    _ language: Language, _ interruption: Interruption,
    clock: @escaping @Sendable () -> UTCTime = { .now }
  ) {
    self.init(language, interruption, KnownTries(), SharedList(), SharedList(), clock)
  }

  /// A context of another run of this program, which knows what its cards have reported.
  package func ofAnotherRun(_ language: Language) -> RunContext {
    RunContext(language, interruption, tries, shortCards, silences, clock)
  }

  private init(
    _ language: Language, _ interruption: Interruption, _ tries: KnownTries,
    _ shortCards: SharedList<[UInt8]>,
    _ silences: SharedList<(reader: String, isSilent: Bool)>,
    _ clock: @escaping @Sendable () -> UTCTime
  ) {
    self.language = language
    self.interruption = interruption
    self.tries = tries
    self.shortCards = shortCards
    self.silences = silences
    progress = Progress(language, isWanted: true)
    self.clock = clock
    present = .clock(clock())
  }
}

extension RunContext {
  /// True if the card in a reader fell silent, and the service may still wait for its answer: it is then in use by this
  /// program itself.
  func hasSilentCard(in reader: String) -> Bool {
    silences.elements.contains { $0.reader == reader && $0.isSilent }
  }

  /// Remembers whether the card in a reader fell silent.
  func remember(_ reader: String, isSilent: Bool) {
    silences.add((reader, isSilent)) { $0.reader == reader }
  }

  /// The time at which certificates are judged.
  package var time: UTCTime { present.time }

  /// True if the card is a software card of the program, so that a verdict on it is one of a test.
  var isTest: Bool {
    if case .software = stage { true } else { false }
  }

  /// The rule for extended-length APDUs with this card: one that ended a channel over them is not asked again.
  func lengths(
    _ rule: ChannelTraits.LengthPolicy, of atr: [UInt8]
  ) -> ChannelTraits.LengthPolicy {
    rule == .automatic && shortCards.elements.contains(atr) ? .needed : rule
  }

  /// Remembers a kind of card that ended the channel over a command in extended form.
  func rememberShort(_ atr: [UInt8]) { shortCards.add(atr) { $0 == atr } }

  var reporter: @Sendable (CardProgress) -> Void {
    { [progress, onProgress, place, item] event in
      var event = event
      event.item = item.elements.last
      progress.show(event.text)
      onProgress(event, place)
    }
  }

  /// The context of a part of the program that can end before the rest.
  package func endedBy(_ part: Interruption) -> RunContext {
    var context = self
    context.interruption = part
    return context
  }

  /// Runs a body with a limit of seconds.
  ///
  /// - Throws: `deadline` if the limit was too short; else the error of the body.
  package func ending<Result>(
    after seconds: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    interruption.expire(after: seconds)
    do throws(Failure) { return try body() } catch {
      guard error.isInterruption, interruption.hasExpired, interruption.signal == nil else {
        throw error
      }
      throw .deadline(seconds)
    }
  }

  /// Warns of a problem although the command continues: people in words, scripts by a member of the JSON object.
  ///
  /// Once for a problem.
  package func warn(_ problem: Diagnosis) {
    let others = notices.elements.compactMap { (member) -> [JSON]? in
      guard member.name == "warnings", case .array(let list) = member.value else { return nil }
      return list
    }.joined()
    let own = JSON.object([
      .init("name", problem.name), .init("what", problem.what(language)),
      .init("do", problem.advice(language)),
    ])
    guard !others.contains(own) else { return }
    notices.add(.init("warnings", .array(others + [own]))) { $0.name == "warnings" }
    warn(Message("warning.problem", ["what": problem.what, "do": problem.advice]))
  }

  /// Warns people although the command continues; scripts have a member of the JSON object for it.
  package func warn(_ text: Message) {
    guard !isJSON, !isQuiet else { return }
    progress.clear()
    let warning = Message("warning", ["text": text])
    Stream.error.write(lines: ["cie-read: " + warning(language)], indent: 10)
  }
}

/// A step of the card's work, or the part of its file that has been read.
package struct CardProgress: Sendable {
  package let step: CardError.Step
  /// Bytes of the file so far, and all; `nil` as the step begins.
  package var bytes: (read: Int, length: Int)?
  /// The document of several, and their number.
  package var item: (number: Int, of: Int)?

  /// A file for which a person waits.
  private static let longFile = 4000

  /// The step, with the kilobytes of a long file or the number of the document.
  var text: Message {
    if let item {
      let number = String(item.number)
      return Message(
        "progress.items", ["step": step.text, "item": number, "items": String(item.of)])
    }
    guard let bytes, bytes.length >= Self.longFile else { return step.text }
    let kilobytes = { String(($0 + 500) / 1000) }
    return Message(
      "progress.bytes",
      ["step": step.text, "read": kilobytes(bytes.read), "length": kilobytes(bytes.length)])
  }
}

/// A list that all copies of a run's context share.
package final class SharedList<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])
  package var elements: [Element] { list.withLock { $0 } }

  /// Adds an element in the place of those that it replaces.
  package func add(_ element: Element, replacing isReplaced: (Element) -> Bool = { _ in false }) {
    list.withLock { $0 = $0.filter { !isReplaced($0) } + [element] }
  }
}

/// The kind of card, which decides on the trust in it.
package enum Stage: Sendable {
  case reader
  /// A software card inside of the program, signed by its own test authority.
  case software(authority: TrustStore)
  case recording
}

/// The progress of the program, on one line of standard error that is overwritten; no output when that is no terminal.
package struct Progress: Sendable {
  private let isShown: Bool
  private let language: Language

  init(_ language: Language, isWanted: Bool) {
    isShown = isWanted && isatty(STDERR_FILENO) == 1
    self.language = language
  }

  /// Shows a text in place of the previous one.
  package func show(_ text: Message) {
    if isShown { Stream.error.write(raw: "\r\u{1B}[K\(text(language).printable)…") }
  }

  package func clear() {
    if isShown { Stream.error.write(raw: "\r\u{1B}[K") }
  }
}
