import CIECard
import CardWork
import Messages
import Primitives

/// The result of a command, for people and scripts; perhaps with a failure beside it, as when a report is false.
struct CommandOutcome: Sendable {
  /// For people, on standard output.
  var lines: [String] = []
  /// The outputs beside lines and members.
  var form = ResultForm()
  /// For scripts, with --json.
  var members: [JSON.Member] = []
  /// The reason why it is not good, although there may be something to show.
  var failure: Failure?
}

extension CommandOutcome {
  mutating func set(_ member: JSON.Member) {
    guard let index = members.firstIndex(where: { $0.name == member.name }) else {
      return members.append(member)
    }
    members[index] = member
  }

  /// The outcome of a body; its failure is one with nothing to show.
  init(_ body: () throws(Failure) -> CommandOutcome) {
    do throws(Failure) { self = try body() } catch { self.init(failure: error) }
  }
}

/// Puts outcomes and failures on the standard streams.
struct Presenter {
  /// The name of the command; nil when the command line was not understood.
  let command: String?
  let isJSON: Bool
  let context: RunContext
  /// The program whose additions to messages help, such as the names of its options: those of `serve` are the members of
  /// a request. `nil` for a window, where no options and commands are typed.
  var speaker: String? = "cie-read"

  /// Presents it.
  ///
  /// - Returns: the exit status.
  func present(_ outcome: CommandOutcome) -> ExitStatus {
    let diagnosis = outcome.failure.map {
      Diagnosis($0).pointing(from: command, hasMetCard: context.interruption.hasMetCard)
    }
    do throws(Failure) {
      if isJSON {
        let text = object(outcome.members, diagnosis).text + "\n"
        try Stream.output.write([UInt8](text.utf8), context.interruption)
      } else {
        try Stream.output.write(text(of: outcome), context.interruption)
        if let diagnosis, outcome.failure?.isBrokenPipe != true {
          explain(diagnosis, isBrief: outcome.form.isFailureShown)
        }
      }
      return diagnosis.map(exit) ?? .ok
    } catch {
      // The failure of the command itself matters more than that of its output.
      let second = Diagnosis(error)
      if !error.isBrokenPipe { explain(second) }
      return exit(diagnosis ?? second)
    }
  }

  func exit(_ diagnosis: Diagnosis) -> ExitStatus {
    ExitStatus(diagnosis.kind, signal: context.interruption.signal)
  }

  private func text(of outcome: CommandOutcome) -> [UInt8] {
    // A script gets every line complete, however narrow the terminal is.
    let isShown = Stream.output.isTerminal
    let lines = outcome.lines.flatMap {
      isShown ? Stream.output.fitted($0, indent: 4) : [$0.printable]
    }
    return outcome.form.bytes ?? outcome.form.picture
      + [UInt8](lines.map { $0 + "\n" }.joined().utf8)
  }

  func object(_ members: [JSON.Member], _ diagnosis: Diagnosis?) -> JSON {
    .object([.init("schema", "cie-read/1")] + self.members(members, diagnosis))
  }

  /// The members about the command's end, all but the schema.
  func members(_ found: [JSON.Member], _ diagnosis: Diagnosis?) -> [JSON.Member] {
    let error = diagnosis.map {
      let signal = context.interruption.signal
      return [JSON.Member("error", $0.json(context.language, by: speaker, signal: signal))]
    }
    return [.init("ok", diagnosis == nil), .init("command", command)] + found
      + context.notices.elements + (error ?? [])
  }

  /// - Parameter isBrief: true for its name and exit status alone.
  private func explain(_ diagnosis: Diagnosis, isBrief: Bool = false) {
    let details =
      [diagnosis.name, diagnosis.step?.rawValue, diagnosis.statusWord?.description]
      .compactMap { $0 }.joined(separator: ", ")
    let margin = String(repeating: " ", count: 10)
    let end = "[\(details); exit \(exit(diagnosis).rawValue)]"
    let lines =
      isBrief
      ? ["cie-read: " + end]
      : [
        "cie-read: " + diagnosis.what.asTold(context.language),
        margin + diagnosis.advice.asTold(context.language), margin + end,
      ]
    Stream.error.write(lines: lines, indent: margin.count)
  }
}

extension Diagnosis {
  /// If the reader, the service or the connection to the card may be the cause, the advice continues with the command
  /// that looks for it. Without a card there was no release.
  fileprivate func pointing(from command: String?, hasMetCard: Bool) -> Diagnosis {
    var diagnosis = self
    if kind.consequences.mayBeReader {
      let isOfPicture = kind == .notCarried && step == nil && name != "length-not-carried"
      guard command != "doctor", !isOfPicture else { return self }
      diagnosis.advice = Message("look-for-the-cause.do", ["advice": advice])
    } else if kind == .interrupted, name == Diagnosis.interrupted.name, !hasMetCard {
      diagnosis.advice = Message("start-again.do")
    }
    return diagnosis
  }

  /// The JSON, with all keys always present.
  ///
  /// - Parameters:
  ///   - speaker: the program whose additions the words have.
  ///   - signal: the signal that ended the program, if any.
  func json(
    _ language: Language, by speaker: String? = "cie-read", signal: Int32? = nil
  ) -> JSON {
    ErrorFacts(diagnosis: self, speaker: speaker, signal: signal).json(language)
  }
}

/// An error, as it stands in every answer.
struct ErrorFacts: DescribedObject {
  let diagnosis: Diagnosis
  var speaker: String? = "cie-read"
  var signal: Int32?

  static let definition: String? = Diagnosis.definition

  static let members: [Member<ErrorFacts>] =
    Member.facts(of: \.diagnosis)
    .replacing(
      "exit",
      with: [
        Member("exit") { Int(ExitStatus($0.diagnosis.kind, signal: $0.signal).rawValue) }.of {
          .number(1...143).noted("The exit status.")
        }
      ]) + [
      Member("what", { $0.told($0.diagnosis.what) }, note: "For people, in their language."),
      Member("do", { $0.told($0.diagnosis.advice) }, note: "What to do, for people."),
    ]

  /// The words with the additions of the program that speaks.
  private func told(_ message: Message) -> Message {
    speaker.map { message.asTold(by: $0) } ?? message
  }
}

extension Message {
  /// The text with the names of this program's options and commands, if they help.
  fileprivate func asTold(_ language: Language) -> String { asTold(by: "cie-read")(language) }
}

extension CommandOutcome {
  init(_ result: some FunctionResult, _ language: Language) {
    self.init(
      lines: result.lines(language), form: result.form, members: result.members(language),
      failure: result.failure)
  }
}

extension CardFunction {
  func outcome(of card: Conversation, in context: RunContext) throws(Failure) -> CommandOutcome {
    CommandOutcome(try run(on: card, in: context), context.language)
  }
}

extension Message {
  /// A line with this label, and a value in the column that such lines share.
  func row(_ value: String, _ language: Language) -> String {
    let label = self(language)
    return label + String(repeating: " ", count: max(1, 16 - label.count)) + value
  }
}

extension RunContext {
  /// The failure of certificates that cannot be trusted; a clock that is wrong, where it is the cause.
  func failure(for error: TrustStore.LoadingError) -> Failure {
    guard case .masterList(_, .notValid(let signer)) = error,
      let problem = present.problem(issued: [signer.notBefore])
    else { return .trustStore(error) }
    return .found(problem)
  }
}

extension CommandOutcome {
  /// The same, with a clock that is wrong in place of the certificate of a server that is not valid yet by it.
  func heeding(_ present: PresentTime) -> CommandOutcome {
    guard let failure, Self.earlyCertificates.contains(Diagnosis(failure).name),
      let problem = present.problem()
    else { return self }
    var outcome = self
    outcome.failure = .found(problem)
    return outcome
  }

  private static let earlyCertificates = [
    "server-certificate-not-yet-valid", "proxy-certificate-not-yet-valid",
  ]
}
