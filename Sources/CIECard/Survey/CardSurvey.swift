/// A question with its answer.
package struct CardObservation: Sendable, Equatable {
  /// The number of the question: D for a deviation from the documents reported of some card, I and
  /// E for an open point of the IAS side and of the travel document.
  package let number: String
  /// The question, as one word.
  package let subject: String
  /// The answer: a status word with the number of bytes before it (`9000+231`), `bare` before a
  /// word that was not protected, bytes in hexadecimal digits, or another word; `failed` and a
  /// reason if the experiment did not reach its question.
  package let answer: String
}

/// Tests the behaviour of a card where the documents leave it open or contradict each other, or
/// where real cards are known to deviate: each question is a separate experiment, whose failure
/// does not affect the next.
///
/// No answer contains the holder's data: only status words, lengths, tags, and the contents of
/// files that are the same on every card of a batch. No question costs a try of a code; the PIN is
/// presented once, if there is one.
final class CardSurvey<Random: RandomSource> {
  /// In the order of the questions.
  private(set) var observations: [CardObservation] = []
  /// EF.SN, if the card returns it.
  var serialNumber: [UInt8]?
  var random: Random
  private let channel: AnyCardChannel
  private let begin: (String) -> Void

  /// The connection to the card during one experiment.
  typealias Line = PlainChannel<AnyCardChannel>
  typealias Secure = SecureChannel<AnyCardChannel>

  init(
    over channel: consuming some CardChannel & ~Copyable, random: Random,
    beginning begin: @escaping (String) -> Void
  ) {
    self.channel = AnyCardChannel(channel)
    self.random = random
    self.begin = begin
  }

  var traits: ChannelTraits { channel.traits }

  /// Asks one question. An unexpected response is an answer, too; the survey ends only if the card
  /// no longer responds.
  ///
  /// - Parameters:
  ///   - place: selected before; if there is none, the card is in the state that the previous
  ///     experiment left.
  /// - Returns: true if the experiment reached its question.
  @discardableResult
  func ask(
    _ number: String, _ subject: String, in place: SurveyPlace? = nil,
    _ experiment: (consuming Line) throws(CardError) -> String
  ) throws(CardError) -> Bool {
    begin("\(number) \(subject)")
    do throws(CardError) {
      var line = line()
      if let place { try line.select(place) }
      note(number, subject, try experiment(line))
      return true
    } catch {
      guard error.leavesCard else { throw error }
      note(number, subject, "failed \(error.step.rawValue) \(error.reason.surveyWord)")
      return false
    }
  }

  /// Asks for the word for one command.
  func ask(
    _ number: String, _ subject: String, _ command: CommandAPDU, in place: SurveyPlace? = nil
  ) throws(CardError) {
    try ask(number, subject, in: place) { (line: consuming Line) throws(CardError) in
      return try line.word(for: command)
    }
  }

  func note(_ number: String, _ subject: String, _ answer: String) {
    observations.append(CardObservation(number: number, subject: subject, answer: answer))
  }

  /// A card for one experiment, with short commands.
  func card() -> IdentityCard<AnyCardChannel> {
    IdentityCard(over: channel.lend(), lengths: .short)
  }

  func line() -> Line { Line(channel.lend(), cardTakesExtended: false) }
}

extension IdentityCard where Channel: ~Copyable {
  /// Asks all questions: those whose answers may change once the CIE application was used come
  /// before it; the PIN comes last.
  ///
  /// - Parameters:
  ///   - can: the number on its front, for the questions about the open travel document.
  ///   - pin: called when the PIN is needed, for the questions after it, including the genuineness
  ///     check before it.
  ///   - tries: the tries reported by cards.
  ///   - begin: called before each question.
  /// - Returns: the answers, and the error if the card or the PIN ended the survey early.
  package consuming func survey(
    with can: borrowing Secret?, _ pin: () -> PIN?, checking check: GenuineCheck,
    remembering tries: KnownTries, random: inout some RandomSource,
    beginning begin: @escaping (String) -> Void
  ) -> (observations: [CardObservation], end: CardError?) {
    let survey = CardSurvey(over: close(), random: random, beginning: begin)
    defer { random = survey.random }
    do throws(CardError) {
      try survey.askAfterReset()
      try survey.askDocument()
      switch can {
      case .some(let digits): try survey.askOpened(with: digits)
      case .none: break
      }
      try survey.askRoot()
      try survey.askApplication()
      let keys = try survey.readKeys()
      try survey.askSecureMessaging(keys)
      try survey.askTerminalCertificate(keys)
      try survey.askProvenChannel(keys)
      try survey.askHiddenRoot()
      // Not asked, because it would cost three tries.
      survey.note("D13", "last-wrong-try", "not-asked")
      if let pin = pin() {
        try survey.askHolder(keys, pin, checking: check, remembering: tries)
      }
      return (survey.observations, nil)
    } catch { return (survey.observations, error) }
  }
}

/// Applications that are selected before a question.
enum SurveyPlace {
  /// The root, by the first command that the card accepts.
  case root
  /// The root, without response data if the card knows that.
  case silentRoot
  /// The CIE application, through the root if the card has one.
  case cie
  case travelDocument
}

extension PlainChannel where Channel: ~Copyable {
  mutating func select(_ place: SurveyPlace) throws(CardError) {
    switch place {
    case .root:
      var last = StatusWord.fileNotFound
      for way in RootSelection.allCases {
        last = try send(way.command, at: .selectRoot).status
        if last == .success { return }
      }
      throw CardError(.selectRoot, .refused(last))
    case .silentRoot:
      let first = try send(.selectMasterFileSilently, at: .selectRoot)
      if first.status != .success { try select(.root) }
    case .cie:
      do throws(CardError) { try select(.root) } catch {
        guard case .refused = error.reason else { throw error }
      }
      try require(CardApplication.cie.selection, at: .selectCIE)
    case .travelDocument:
      try require(CardApplication.travelDocument.selection, at: .selectTravelDocument)
    }
  }
}

extension ResponseAPDU {
  /// The status word, and the number of bytes before it where there are any.
  var surveyWord: String { status.description + (data.isEmpty ? "" : "+\(data.count)") }

  /// The same with the bytes.
  var surveyBytes: String { status.description + (data.isEmpty ? "" : " " + data.hexadecimal) }
}

extension CardError {
  /// True if the card can be asked further questions.
  fileprivate var leavesCard: Bool {
    switch reason {
    case .channel(.lengthNotCarried), .channel(.truncatedResponse): true
    case .channel: false
    default: true
    }
  }
}

extension CardError.Reason {
  /// The case, with its status word if it has one.
  fileprivate var surveyWord: String {
    switch self {
    case .notACIE(let status), .refused(let status): status.description
    case .channelEnded(let status): "bare \(status)"
    case .channel(.lengthNotCarried): "length-not-carried"
    case .extendedLengthNeeded: "extended-length-needed"
    case .noAccessProtocol: "no-access-protocol"
    case .wrongAccessCode: "wrong-code"
    case .malformed(let malformation): "malformed-\(malformation.rawValue)"
    case .notBelieved: "not-believed"
    case .unsafeParameters(let parameter): "unsafe-\(parameter.rawValue)"
    case .chipNotAuthentic: "chip-not-authentic"
    default: "error"
    }
  }
}

extension PlainChannel where Channel: ~Copyable {
  /// Sends bytes unchanged and fetches the data that the card announces.
  mutating func answer(to bytes: [UInt8]) throws(CardError) -> ResponseAPDU {
    return try mapError(try exchange(bytes)) { CardError(.probeApplications, $0) }
  }

  /// Sends bytes unchanged and returns the immediate response.
  mutating func firstAnswer(to bytes: [UInt8]) throws(CardError) -> ResponseAPDU {
    return try mapError(try transmit(bytes)) { CardError(.probeApplications, $0) }
  }

  /// The word for a command, after handling 61xx and 6Cxx.
  mutating func word(for command: CommandAPDU) throws(CardError) -> String {
    try send(command, at: .probeApplications).surveyWord
  }
}

extension SecureChannel where Channel: ~Copyable {
  /// The word for a command under secure messaging; with `bare` if the response was not protected.
  mutating func word(for command: CommandAPDU) throws(CardError) -> String {
    do throws(CardError) { return try send(command, at: .probeApplications).surveyWord } catch {
      guard case .channelEnded(let word) = error.reason else { throw error }
      return "bare \(word)"
    }
  }
}
