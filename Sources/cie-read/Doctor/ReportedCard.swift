import CIECard
import CardWork
import Messages
import Primitives
import Traces
import VirtualCIE

/// The card in a report of `doctor --report`: its family and the answers of its survey.
struct ReportedCard: Sendable {
  /// The software card of the same family.
  let persona: Persona
  /// By subject.
  let answers: [String: String]
  /// In the order of the report.
  private let subjects: [String]

  init(_ path: String, in context: RunContext) throws(Failure) {
    let bytes = try InputFile.read(
      path, limit: ConversationFile.longestTrace, context.interruption)
    switch ConversationFile.Kind(firstLine: bytes.prefix { $0 != 0x0A }) {
    case .report: break
    case .log, .trace, nil: throw .usage("not-a-report", ["path": path])
    }
    var family = ""
    var section = ""
    var answers: [String: String] = [:]
    var subjects: [String] = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("[") { section = String(line) }
      if section.isEmpty, line.hasPrefix("family: ") { family = String(line.dropFirst(8)) }
      let words = line.split(separator: " ", maxSplits: 2)
      guard section == "[survey]", words.count == 3, words[1].last == ":",
        words[0].first?.isUppercase == true
      else { continue }
      let subject = String(words[1].dropLast())
      answers[subject] = String(words[2])
      subjects.append(subject)
    }
    guard !answers.isEmpty else {
      throw .usage("not-a-report", ["path": path], key: "report-without-survey")
    }
    self.answers = answers
    self.subjects = subjects
    persona = Persona.named(family == "stm" ? "st" : family) ?? .unknown
  }

  /// The options with which the software card answers alike, and the answers that none reproduces.
  func explained(
    in context: RunContext
  ) throws(Failure) -> (options: [String], left: [(subject: String, answer: String, ours: String)])
  {
    // The CAN and the PIN only where the report had them.
    let isOpened = answers["access"] != nil
    let isVerified = answers["read-1003-after-pin"].map { !$0.hasPrefix("failed") } ?? false
    func ours(_ options: [String]) throws(Failure) -> [String: String] {
      try Self.answers(
        of: SoftwareCard(persona, options), isOpened: isOpened, isVerified: isVerified, in: context)
    }
    let base = try ours([])
    var options: [String] = []
    for option in CardExplanation(card: answers, base: base).options where !options.contains(option)
    {
      options.append(option)
    }
    let again = try ours(options)
    let left = subjects.filter { answers[$0] != again[$0] && !Self.isOwn($0) }
    return (options, left.map { ($0, answers[$0] ?? "", again[$0] ?? "-") })
  }

  /// Asks a software card the same questions.
  static func answers(
    of card: SoftwareCard, isOpened: Bool, isVerified: Bool, in context: RunContext
  ) throws(Failure) -> [String: String] {
    let access = HolderAccess(
      allowsLastTry: false,
      vouching: .required(
        try card.persona.authority(), believesSoftwareCards: false, asksPerson: false))
    func code(_ role: CodeRole, _ digits: String) throws(Failure) -> HeldCode {
      HeldCode(try AwaitedCode(role, Secret([UInt8](digits.utf8))))
    }
    let survey = SurveyJob(
      can: isOpened ? try code(.can, card.persona.can) : nil,
      pin: isVerified ? try code(.pin, card.persona.pin) : nil, access: access,
      diary: TraceRecorder())
    let found = try survey.run(on: Conversation(source: .substitute(card)), in: context)
    return Dictionary(
      found.observations.map { ($0.subject, $0.answer) }, uniquingKeysWith: { $1 })
  }

  /// Answers with lengths or numbers of the single card.
  private static func isOwn(_ subject: String) -> Bool {
    let beginnings = [
      "fcp-100", "sod", "dg14", "dg11-tags", "dg12-tags", "parameters", "portrait", "puk-object",
      "pin-object",
    ]
    return subject == "certificate" || beginnings.contains { subject.hasPrefix($0) }
  }
}

extension SoftwareCard {
  /// A card with options that are known to be right.
  init(_ persona: Persona, _ options: [String]) throws(Failure) {
    self.init(persona: persona)
    self.options = try mapError(try CardOptions(parsing: options)) {
      (error: CardOptions.ParsingError) in Failure.found(Diagnosis(error))
    }
  }
}

/// The software card that answers like the one in a report, and the trace that follows a log.
struct RebuiltCard: FunctionResult {
  let persona: String
  let options: [String]
  let left: [(subject: String, answer: String, ours: String)]
  let rebuilt: FieldSession.Rebuilt?
  let out: String?

  func lines(_ language: Language) -> [String] {
    let words = ["--virtual \(persona)"] + options.map { "--option \($0)" }
    let unexplained = left.map {
      Message(
        "trace.from-report.left",
        ["subject": $0.subject, "answer": $0.answer, "ours": $0.ours])(language)
    }
    guard let rebuilt, let out else { return [words.joined(separator: " ")] + unexplained }
    let written = Message(
      "trace.from-report.written",
      [
        "path": out, "journey": rebuilt.trace.header.journey.name,
        "count": rebuilt.difference.counts.b,
      ])(language)
    let lengths = rebuilt.lengths.map {
      Message("trace.from-report.length", ["file": $0.file, "number": $0.extra])(language)
    }
    // In two expressions, because one of all parts is too long for the type checker of Swift 6.2.
    var lines = [words.joined(separator: " ")] + unexplained + [written] + lengths
    if !rebuilt.difference.isEmpty { lines.append(Message("trace.from-report.sides")(language)) }
    lines += rebuilt.difference.lines(isOfBytes: false, language)
    return lines
  }

  static let members: [Member<RebuiltCard>] =
    [
      Member("persona", \.persona, note: "For --virtual."),
      Member("options", \.options, note: "For --option."),
      Member("notReproduced") { $0.left.map(Unexplained.init) }, Member("out", \.out),
      Member("journey") { $0.rebuilt?.trace.header.journey.name },
      Member(
        "lengths", { ($0.rebuilt?.lengths ?? []).map(ChangedLength.init) },
        note: "The files whose content was made longer or shorter, with the number of bytes."),
    ] + Member.all { $0.rebuilt?.difference }

  static let alternatives = [
    ["persona", "options", "notReproduced", "out", "journey", "lengths"]
  ]
}

/// An answer of the card that no option explains.
private struct Unexplained: DescribedObject {
  let subject: String
  let answer: String
  let ours: String

  static let members: [Member<Unexplained>] = [
    Member("subject", \.subject), Member("answer", \.answer),
    Member("software", \.ours, note: "The answer of the software card."),
  ]
}

private struct ChangedLength: DescribedObject {
  let file: String
  let extra: Int

  static let members: [Member<ChangedLength>] = [
    Member("file", \.file),
    Member("extra", \.extra).of { .integer },
  ]
}

extension FieldSession.Rebuilt {
  /// The files that were made longer or shorter.
  fileprivate var lengths: [(file: String, extra: Int)] {
    extra.sorted { $0.key < $1.key }.map { key, extra in
      ([UInt8(key >> 8), UInt8(key & 0xFF)].hexadecimal, extra)
    }
  }
}
