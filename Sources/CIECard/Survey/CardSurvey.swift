internal import System

/// What is asked and what came.
package struct CardObservation: Sendable, Equatable {
  /// The number of the question: D for a deviation from the documents that was reported of some card, I and E for an
  /// open point of the IAS side and of the travel document.
  package let number: String
  /// What is asked, as one word.
  package let subject: String
  /// What came: a status word with the number of bytes before it (`9000+231`), `bare` before a word that came without
  /// secure messaging, bytes in hexadecimal digits, or a word of its own; `failed` and a reason where the experiment
  /// did not come to its question.
  package let answer: String
}

/// Asks a card how it behaves where the documents leave it open, contradict each other, or where real cards are known to
/// do otherwise: each question is an experiment of its own, which may fail without harm to the next.
///
/// No answer holds anything of the holder: status words, lengths, tags, and the contents of files that are alike on every
/// card of a batch. Nothing is asked that costs a try of a code; with the PIN it is shown once.
struct CardSurvey<Channel: CardChannel & ~Copyable> {
  /// In the order of the questions.
  private(set) var observations: [CardObservation] = []

  /// EF.SN, where the card gives it.
  var serialNumber: [UInt8]?

  private let owner: LentChannel<Channel>.Owner
  private let begin: (String) -> Void

  /// The way to the card during one experiment.
  typealias Line = PlainChannel<LentChannel<Channel>>

  init(over channel: consuming Channel, beginning begin: @escaping (String) -> Void) {
    owner = LentChannel.Owner(channel)
    self.begin = begin
  }

  var traits: ChannelTraits { owner.traits }

  /// Asks one question. A card that answers otherwise than expected gives an answer all the same; only a card that does
  /// not answer any more ends the survey.
  ///
  /// - Parameter experiment: has the card in whatever state the last one left it in.
  /// - Returns: whether the experiment came to its question.
  @discardableResult
  mutating func ask(
    _ number: String, _ subject: String,
    _ experiment: (consuming Line) throws(CardError) -> String
  ) throws(CardError) -> Bool {
    begin("\(number) \(subject)")
    do throws(CardError) {
      note(number, subject, try experiment(line()))
      return true
    } catch {
      guard error.leavesCard else { throw error }
      note(number, subject, "failed \(error.step.rawValue) \(error.reason.surveyWord)")
      return false
    }
  }

  /// Adds what came of a question.
  mutating func note(_ number: String, _ subject: String, _ answer: String) {
    observations.append(CardObservation(number: number, subject: subject, answer: answer))
  }

  /// A card of its own for an experiment, in short commands.
  func card() -> IdentityCard<LentChannel<Channel>> {
    IdentityCard(over: owner.lend(), lengths: .short)
  }

  fileprivate func line() -> Line { Line(owner.lend(), cardTakesExtended: false) }
}

extension IdentityCard where Channel: ~Copyable {
  /// Asks the card all there is to ask.
  ///
  /// - Parameters:
  ///   - can: the number on its front, for the questions about the open travel document.
  ///   - pin: for the questions behind the PIN, with the judgement of the chip that goes before it.
  ///   - begin: told of each question before it is asked.
  /// - Returns: what came, and why no more was asked where the card, or the PIN, did not go along.
  package consuming func survey(
    with can: borrowing Secret?, _ pin: consuming PIN?, checking check: GenuineCheck,
    random: inout some RandomSource, beginning begin: @escaping (String) -> Void
  ) -> (observations: [CardObservation], end: CardError?) {
    var survey = CardSurvey(over: close(), beginning: begin)
    do throws(CardError) {
      try survey.run(with: can, pin, checking: check, random: &random)
      return (survey.observations, nil)
    } catch { return (survey.observations, error) }
  }
}

extension CardSurvey where Channel: ~Copyable {
  /// What a chip may hide after the CIE application was used comes before it; the PIN comes last.
  fileprivate mutating func run(
    with can: borrowing Secret?, _ pin: consuming PIN?, checking check: GenuineCheck,
    random: inout some RandomSource
  ) throws(CardError) {
    try askAfterReset()
    try askDocument()
    switch can {
    case .some(let digits): try askOpened(with: digits, random: &random)
    case .none: break
    }
    try askRoot()
    try askApplication()
    var line = line()
    try Self.selectCIE(&line)
    let keys = try SurveyKeys(through: &line, family: ChipFamily(atr: traits.atr))
    try askSecureMessaging(keys, random: &random)
    try askTerminalCertificate(keys, random: &random)
    try askProvenChannel(keys, random: &random)
    try askHiddenRoot()
    // Nobody should spend three tries to find out.
    note("D13", "last-wrong-try", "not-asked")
    if let pin { try askHolder(keys, pin, checking: check, random: &random) }
  }
}

extension ResponseAPDU {
  /// The status word, and the number of bytes before it where there are any.
  var surveyWord: String { status.description + (data.isEmpty ? "" : "+\(data.count)") }

  /// The same with the bytes themselves.
  var surveyBytes: String { status.description + (data.isEmpty ? "" : " " + data.hexadecimal) }
}

extension CardError {
  /// Whether the card can be asked further questions.
  fileprivate var leavesCard: Bool {
    switch reason {
    case .channel(.lengthNotCarried), .channel(.truncatedResponse): true
    case .channel: false
    default: true
    }
  }
}

extension CardError.Reason {
  /// The case with its status word where it has one.
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
  /// Sends bytes as they are and fetches what the card announces.
  mutating func answer(to bytes: [UInt8]) throws(CardError) -> ResponseAPDU {
    do throws(CommandError) { return try exchange(bytes) } catch {
      throw CardError(.probeApplications, cause: error)
    }
  }

  /// Sends bytes as they are and leaves it at what comes at once.
  mutating func firstAnswer(to bytes: [UInt8]) throws(CardError) -> ResponseAPDU {
    do throws(CommandError) { return try transmit(bytes) } catch {
      throw CardError(.probeApplications, cause: error)
    }
  }

  /// The word for a command, with 61xx and 6Cxx looked after.
  mutating func word(for command: CommandAPDU) throws(CardError) -> String {
    try send(command, at: .probeApplications).surveyWord
  }
}

extension SecureChannel where Channel: ~Copyable {
  /// The word for a command under secure messaging; `bare` before one that came without.
  mutating func word(for command: CommandAPDU) throws(CardError) -> String {
    do throws(CommandError) { return try send(command).surveyWord } catch .channelEnded(let word) {
      return "bare \(word)"
    } catch {
      throw CardError(.probeApplications, cause: error)
    }
  }
}
