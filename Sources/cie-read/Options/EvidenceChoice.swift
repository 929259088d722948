import Arguments
import CIECard
import CardWork
import Messages
import Primitives

/// The evidence that a run leaves for another machine, and the receiver's request that it answers.
struct EvidenceChoice: Readable {
  static let title: String? = "evidence"
  static let isSingle = true

  /// Without evidence the chip signs it as it is.
  let challenge: ChallengeChoice
  let audience: String?
  /// The file of the evidence; `-` is standard input, for evidence that is judged.
  let file: String?
  let terminalKey: String?
  /// The evidence is a member of the answer, because a request names no file.
  private let isMember: Bool

  init(from inputs: inout Inputs) throws(Failure) {
    challenge = try ChallengeChoice(from: &inputs)
    audience = try inputs.text(
      "audience", help: "option.audience", value: "text",
      http: "The name of the receiver of the evidence, such as its host.")
    file = try inputs.text(
      "evidence", help: "option.evidence", value: "file", completion: .file())
    isMember =
      try inputs.requestFlag(
        "evidence", "The answer holds evidence that another machine can judge.") ?? false
    terminalKey = try Self.terminalKey(from: &inputs)
  }

  /// Evidence as a member of the events of many cards.
  init(ofMany inputs: inout Inputs) throws(Failure) {
    challenge = try ChallengeChoice(ofMany: &inputs)
    audience = try inputs.text("audience", help: "option.audience", value: "text")
    terminalKey = try Self.terminalKey(from: &inputs)
    file = nil
    isMember = challenge.isGiven
  }

  private static func terminalKey(from inputs: inout Inputs) throws(Failure) -> String? {
    try inputs.text(
      "terminal-key", help: "option.terminal-key", value: "file", completion: .file())
  }

  /// No evidence.
  init() {
    challenge = ChallengeChoice()
    (audience, file, terminalKey, isMember) = (nil, nil, nil, false)
  }

  /// True for the form of gmrtd, by the ending of the file.
  private var isVerifiableDocument: Bool { file?.lowercased().hasSuffix(".cbor") ?? false }

  /// True if evidence is to be written.
  var isWanted: Bool { file != nil || isMember }

  /// True if anything of it is given.
  var isGiven: Bool { isWanted || challenge.isGiven || audience != nil || terminalKey != nil }

  /// The empty evidence for a card, and its place; `nil` without an order.
  ///
  /// - Parameters:
  ///   - readsDocument: `true` if the function reads the travel document.
  ///   - takesChallenge: `true` if the function has a use for a challenge without evidence.
  /// - Throws: before any card is asked, if it could not be made or written.
  func order(
    in context: RunContext, readsDocument: Bool, takesChallenge: Bool = false
  ) throws(Failure) -> EvidenceOrder? {
    guard isWanted else {
      guard audience == nil, terminalKey == nil, takesChallenge || !challenge.isGiven else {
        throw .usage("evidence-missing")
      }
      return nil
    }
    guard file != "-" else { throw .usage("output-twice") }
    var random = SystemRandom()
    let bytes: [UInt8] =
      if let given = try challenge.value(in: context) { given } else {
        try mapError(try random.bytes(isVerifiableDocument ? 8 : 32)) { Failure.crypto($0) }
      }
    guard let request = try self.request(for: bytes, readsDocument) else {
      guard CardEvidence.Request.challengeLengths.contains(bytes.count) else {
        throw .usage("short-challenge")
      }
      throw .usage("bad-audience")
    }
    let program = "cie-read \(ProgramRelease.version)"
    guard let blank = CardEvidence(for: request, program: program, at: context.time) else {
      throw .usage("bad-audience")
    }
    return EvidenceOrder(
      blank: blank, challenge: challenge, name: file,
      file: try OutputFile.made(file, mode: 0o600, overwriting: context.mayOverwrite),
      terminalKey: try terminalKey.map { (path) throws(Failure) in try TerminalKey(path) })
  }

  private func request(
    for challenge: [UInt8], _ readsDocument: Bool
  ) throws(Failure) -> CardEvidence.Request? {
    guard isVerifiableDocument else {
      return CardEvidence.Request(challenge: challenge, audience: audience)
    }
    guard readsDocument, audience == nil, terminalKey == nil,
      let request = CardEvidence.Request(verifiableDocument: challenge)
    else { throw .usage("verifiable-document") }
    return request
  }
}

/// Evidence to be filled by a card, and its place.
struct EvidenceOrder {
  let blank: CardEvidence
  let challenge: ChallengeChoice
  let name: String?
  let file: OutputFile?
  let terminalKey: TerminalKey?

  /// Has the terminal sign the evidence, if it has a key, and saves it, unless it is a member of the answer.
  func finish(_ evidence: CardEvidence?) throws(Failure) -> HandedEvidence? {
    guard var evidence else { return nil }
    challenge.use(evidence.request.challenge)
    if let terminalKey { try terminalKey.sign(&evidence) }
    guard let file, let name else { return .text(evidence.text) }
    try file.commit(evidence.bytes)
    return .file(name)
  }
}

/// Evidence as a member of an answer.
enum HandedEvidence: Described {
  case file(String)
  /// Its text, of which each byte counts.
  case text(String)

  static var schema: Schema {
    .text.noted("The file of --evidence; over HTTP and in events the text itself.")
  }

  func json(_ language: Language) -> JSON {
    switch self {
    case .file(let name): .string(name)
    case .text(let text): .string(text)
    }
  }

  /// The line for people about a file.
  static func lines(_ evidence: HandedEvidence?, _ language: Language) -> [String] {
    guard case .file(let name) = evidence else { return [] }
    return [Message("evidence.saved", ["path": name])(language)]
  }
}

/// The private key of this terminal.
final class TerminalKey {
  private let key: SigningKey

  /// The most bytes of a key's file.
  private static let mostBytes = 64 << 10

  init(_ path: String) throws(Failure) {
    guard let key = SigningKey(pem: try InputFile.read(path, limit: Self.mostBytes)) else {
      throw .usage("bad-terminal-key", ["path": path.pathName])
    }
    self.key = key
  }

  func sign(_ evidence: inout CardEvidence) throws(Failure) {
    try mapError(try evidence.sign(withTerminalKey: key)) { Failure.crypto($0) }
  }

  /// The public key of a terminal that is believed, from a PEM file of it or of its certificate.
  static func trusted(_ path: String) throws(Failure) -> [UInt8] {
    guard
      let key = SubjectPublicKey.encoded(pem: try InputFile.read(path, limit: Self.mostBytes))
    else { throw .usage("bad-terminal-key", ["path": path.pathName]) }
    return key
  }
}

/// The receiver's view of evidence that is judged here.
struct EvidenceExpectation: Readable {
  static let title: String? = "evidence"
  static let isSingle = true

  private let mostSeconds: Int?
  private let terminal: String?
  private let parts: Set<EvidenceReport.Part>?

  init(from inputs: inout Inputs) throws(Failure) {
    mostSeconds = try inputs.option("max-age", help: "option.max-age", value: "seconds")
    terminal = try inputs.text(
      "terminal", help: "option.terminal", value: "file", completion: .file())
    parts = try inputs.words(
      "require", help: "option.require", value: "parts",
      completion: .words(EvidenceReport.Part.allCases.map(\.rawValue))
    ) { (names, _) throws(Failure) in try Self.parts(named: names) }
    if let mostSeconds, mostSeconds < 0 {
      throw .usage("bad-value", ["name": "--max-age"], key: "bad-value-named")
    }
  }

  /// None.
  init() { (mostSeconds, terminal, parts) = (nil, nil, nil) }

  /// - Throws: also for no name at all.
  static func parts(named names: [String]) throws(Failure) -> Set<EvidenceReport.Part> {
    let parts = names.compactMap(EvidenceReport.Part.init(rawValue:))
    guard !parts.isEmpty, parts.count == names.count else {
      let known = EvidenceReport.Part.allCases.map(\.rawValue)
      throw .usage("unknown-part", ["parts": known.joined(separator: ", ")])
    }
    return Set(parts)
  }

  var isGiven: Bool { mostSeconds != nil || terminal != nil || parts != nil }

  /// The most bytes of evidence in a file, with its line feed.
  private static let mostBytes = CardEvidence.mostBytes + 1

  /// Judges the evidence of a file.
  func judge(
    _ evidence: EvidenceChoice, in file: String, trust: TrustStore?, requiresValidity: Bool,
    in context: RunContext
  ) throws(Failure) -> Verification {
    guard file != "-" || !evidence.challenge.isStandardInput else {
      throw .usage("standard-input-twice")
    }
    return try JudgedEvidence.verify(
      try InputFile.read(file, limit: Self.mostBytes, context.interruption), trust: trust,
      expecting: EvidenceReport.Expectation(
        challenge: try evidence.challenge.value(in: context), audience: evidence.audience,
        mostSeconds: mostSeconds,
        terminalKey: try terminal.map { (path) throws(Failure) in try TerminalKey.trusted(path) },
        parts: parts ?? []),
      requiresValidity: requiresValidity, at: context.present)
  }
}
