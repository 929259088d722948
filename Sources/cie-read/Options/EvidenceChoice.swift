import Arguments
import CIECard
import CardWork
import Messages
import Primitives

/// The evidence that a run leaves for another machine, and the receiver's request that it answers.
struct EvidenceChoice: Readable {
  static let title: String? = "evidence"

  /// 8 to 102 bytes; without evidence the chip signs them as they are.
  let challenge: [UInt8]?
  let audience: String?
  /// The file of the evidence; `-` is standard input, for evidence that is judged.
  let file: String?
  let terminalKey: String?
  /// The evidence is a member of the answer, because a request names no file.
  private let isMember: Bool

  init(from inputs: inout Inputs) throws(Failure) {
    challenge = try inputs.text(
      "challenge", help: "option.challenge", value: "hex",
      http: Offer(
        "The receiver's challenge, in hexadecimal digits: 16 to 64 bytes with evidence.",
        .text(pattern: "^([0-9A-Fa-f]{2}){8,102}$"))
    ) { (text, _) throws(Failure) in
      guard let bytes = [UInt8](hexadecimal: text), (8...102).contains(bytes.count) else {
        throw .usage("bad-challenge")
      }
      return bytes
    }
    audience = try inputs.text(
      "audience", help: "option.audience", value: "text",
      http: "The name of the receiver of the evidence, such as its host.")
    file = try inputs.text(
      "evidence", help: "option.evidence", value: "file", completion: .file())
    isMember =
      try inputs.requestFlag(
        "evidence", "The answer holds evidence that another machine can judge.") ?? false
    terminalKey = try inputs.text(
      "terminal-key", help: "option.terminal-key", value: "file", completion: .file())
  }

  /// No evidence.
  init() { (challenge, audience, file, terminalKey, isMember) = (nil, nil, nil, nil, false) }

  /// True if evidence is to be written.
  private var isWanted: Bool { file != nil || isMember }

  /// True if anything of it is given.
  var isGiven: Bool { isWanted || challenge != nil || audience != nil || terminalKey != nil }

  /// The empty evidence for a card, and its place; `nil` without an order.
  ///
  /// - Parameter takesChallenge: `true` if the function has a use for a challenge without evidence.
  /// - Throws: before any card is asked, if it could not be made or written.
  func order(
    in context: RunContext, takesChallenge: Bool = false
  ) throws(Failure) -> EvidenceOrder? {
    guard isWanted else {
      guard audience == nil, terminalKey == nil, takesChallenge || challenge == nil else {
        throw .usage("evidence-missing")
      }
      return nil
    }
    guard file != "-" else { throw .usage("output-twice") }
    var random = SystemRandom()
    let bytes: [UInt8] =
      if let challenge { challenge } else {
        try mapError(try random.bytes(32)) { Failure.crypto($0) }
      }
    guard let request = CardEvidence.Request(challenge: bytes, audience: audience) else {
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
      blank: blank, name: file,
      file: try OutputFile.made(file, mode: 0o600, overwriting: context.mayOverwrite),
      terminalKey: try terminalKey.map { (path) throws(Failure) in try TerminalKey(path) })
  }
}

/// Evidence to be filled by a card, and its place.
struct EvidenceOrder {
  let blank: CardEvidence
  let name: String?
  let file: OutputFile?
  let terminalKey: TerminalKey?

  /// Has the terminal sign the evidence, if it has a key, and saves it, unless it is a member of the answer.
  func finish(_ evidence: CardEvidence?) throws(Failure) -> HandedEvidence? {
    guard var evidence else { return nil }
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

  static var schema: Schema { .text.noted("The file of --evidence; over HTTP the text itself.") }

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
    do throws(CryptoError) { try evidence.sign(withTerminalKey: key) } catch {
      throw .crypto(error)
    }
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

  let mostSeconds: Int?
  let terminal: String?

  init(from inputs: inout Inputs) throws(Failure) {
    mostSeconds = try inputs.option("max-age", help: "option.max-age", value: "seconds")
    terminal = try inputs.text(
      "terminal", help: "option.terminal", value: "file", completion: .file())
  }

  /// None.
  init() { (mostSeconds, terminal) = (nil, nil) }

  var isGiven: Bool { mostSeconds != nil || terminal != nil }

  /// The most bytes of evidence in a file, with its line feed.
  private static let mostBytes = CardEvidence.mostBytes + 1

  /// Judges the evidence of a file.
  func judge(
    _ evidence: EvidenceChoice, in file: String, trust: TrustStore?, requiresValidity: Bool,
    in context: RunContext
  ) throws(Failure) -> Verification {
    try JudgedEvidence.verify(
      try InputFile.read(file, limit: Self.mostBytes, context.interruption), trust: trust,
      expecting: EvidenceReport.Expectation(
        challenge: evidence.challenge, audience: evidence.audience, mostSeconds: mostSeconds,
        terminalKey: try terminal.map { (path) throws(Failure) in try TerminalKey.trusted(path) }),
      requiresValidity: requiresValidity, at: context.present)
  }
}
