import CIECard
import CardWork
import Messages
import Primitives
import Traces
import VirtualCIE

/// A session in the field as its log has it, and the search for the software card and the journey that follow it.
struct FieldSession: Sendable {
  private let exchanges: [RecordedExchange]
  /// The lengths that the reader carried.
  private let reader: ChannelTraits.ExtendedLength?

  init(_ path: String, in context: RunContext) throws(Failure) {
    var file = try ConversationFile(path, in: context)
    guard file.kind == .log else {
      throw .usage("not-a-log", ["path": path])
    }
    exchanges = try file.remaining()
    let carried = file.header.first { $0.key == "extended" }?.value
    reader =
      switch carried {
      case "none": .notCarried
      case "unknown": .unknown
      default:
        carried.flatMap { Int($0) }.flatMap {
          (257...65_536).contains($0) ? .carried(maximumDataLength: $0) : nil
        }
      }
  }

  /// A trace of the software card that follows the log the longest, and the rest of their differences.
  struct Rebuilt: Sendable {
    let persona: String
    let trace: Trace
    /// By the files' identifiers, the bytes more than the persona's.
    fileprivate(set) var extra: [UInt16: Int]
    let difference: ConversationDifference
  }

  /// Records the journeys that may have been the session's, with files of the lengths in the log, on the software card, then
  /// on the other personas of the family, until one follows the log to its end; else the one that follows it the longest.
  func rebuilt(
    as persona: Persona, _ options: [String], at time: UTCTime
  ) throws(Failure) -> Rebuilt? {
    let others = Persona.everyone.filter {
      $0.family == persona.family && $0.identifier != persona.identifier
    }
    let journeys = self.journeys
    var best: Rebuilt?
    for persona in [persona] + others {
      for journey in journeys {
        guard let start = try rebuilt(persona, journey(persona), options, time) else { continue }
        best = better(best, try resized(start, options, time))
        if best?.difference.isEmpty == true { return best }
      }
    }
    return best
  }

  /// Gives the files the lengths of the log: each round adds what is missing to the bytes read in a step.
  private func resized(
    _ start: Rebuilt, _ options: [String], _ time: UTCTime
  ) throws(Failure) -> Rebuilt {
    var best = start
    var open = Self.files
    for _ in 1...6 {
      open.removeAll { missing($0.step, in: best) == 0 }
      var extra = best.extra
      for (step, identifier) in open { extra[identifier, default: 0] += missing(step, in: best) }
      guard !open.isEmpty, let persona = Persona.named(best.persona),
        var next = try rebuilt(persona, best.trace.header.journey, options, time, extra)
      else { return best }
      // The form of some files cannot take these bytes.
      let fixed = open.filter { missing($0.step, in: next) == missing($0.step, in: best) }
      for file in fixed { next.extra[file.identifier] = best.extra[file.identifier] }
      open.removeAll { file in fixed.contains { $0 == file } }
      best = next
    }
    return best
  }

  private static let longestFile = 64 << 10

  /// The files whose lengths are the single card's, by the steps that read them.
  private static let files: [(step: String, identifier: UInt16)] = [
    ("read-certificate", 0x1003), ("read-security-object", 0x1006),
    ("read-document-security-object", 0x011D), ("read-portrait", 0x0102),
    ("read-personal-details", 0x010B), ("read-document-details", 0x010C),
  ]

  /// The bytes read in a step of the log, less those of a trace.
  private func missing(_ step: String, in rebuilt: Rebuilt) -> Int {
    let bytes = read(exchanges, step) - read(rebuilt.trace.exchanges, step)
    // No file of a card is longer.
    return min(max(bytes, -Self.longestFile), Self.longestFile)
  }

  /// The bytes that READ BINARY brought in a step.
  private func read(_ exchanges: [RecordedExchange], _ step: String) -> Int {
    exchanges.filter { $0.step == step && $0.header[safe: 1].map { $0 & 0xFE == 0xB0 } == true }
      .reduce(0) { $0 + ($1.reply?.received ?? 0) }
  }

  /// The one that follows longer, else the one with fewer differences.
  private func better(_ one: Rebuilt?, _ other: Rebuilt?) -> Rebuilt? {
    guard let one, let other else { return one ?? other }
    return other.rank < one.rank ? other : one
  }

  private func rebuilt(
    _ persona: Persona, _ journey: Trace.Journey, _ options: [String], _ time: UTCTime,
    _ extra: [UInt16: Int] = [:]
  ) throws(Failure) -> Rebuilt? {
    let lengths = extra.sorted { $0.key < $1.key }.map {
      "\(String($0.key, radix: 16))+\($0.value)"
    }
    let words = [("with", options), ("and bytes added", lengths)].filter { !$0.1.isEmpty }
      .map { " \($0) \($1.joined(separator: ","))" }.joined()
    var cardOptions = try SoftwareCard(persona, options).options
    cardOptions.extraBytes = extra
    let header = Trace.Header(
      title: "A context from the field, with the contents of \(persona.identifier)",
      source: .virtual(persona: persona.identifier),
      provenance: "cie-read trace from-report, software card" + words,
      traits: ChannelTraits(atr: [], extendedLength: .unknown), time: time, journey: journey,
      expectation: Trace.Expectation(.ok))
    let card = VirtualCard(
      persona: persona, random: SeededRandom(seed: "card from a report"),
      options: cardOptions)
    let channel = VirtualCardChannel(card, extendedLength: reader)
    let random = SeededRandom(seed: "terminal from a report")
    guard let trace = try? TraceRecording.record(header, over: channel, random: random) else {
      return nil
    }
    return Rebuilt(
      persona: persona.identifier, trace: trace, extra: extra,
      difference: difference(from: trace))
  }

  private func difference(from trace: Trace) -> ConversationDifference {
    var difference = ConversationDifference()
    let other = trace.exchanges
    for index in 0..<max(exchanges.count, other.count) {
      difference.compare(
        exchanges.indices.contains(index) ? exchanges[index] : nil,
        other.indices.contains(index) ? other[index] : nil)
    }
    return difference
  }
}

extension FieldSession.Rebuilt {
  /// The smaller, the longer it follows the log.
  fileprivate var rank: (Int, Int) {
    (-(difference.parting?.number ?? .max), difference.differing)
  }
}

extension FieldSession {
  /// The journeys with the shape of this session; the codes are those of the persona.
  private var journeys: [(Persona) -> Trace.Journey] {
    let (newPIN, visit) = ("97531975", self.visit)
    if let visit {
      return visit.codes.flatMap { code -> [(Persona) -> Trace.Journey] in
        [false, true].map { goesBack in
          { persona in
            .travelDocument(
              Trace.DocumentVisit(
                code: code(persona), tasks: visit.tasks, readsServicesNumberAfterwards: goesBack))
          }
        } + [
          { persona in
            .documentAuthenticity(
              code: code(persona), groups: visit.groups, trustAnchors: [persona.documentCSCA])
          }
        ]
      }
    }
    let signatures = max(1, exchanges.drop { $0.header[safe: 1] != 0x20 }.count { $0.isSignature })
    return [
      { _ in .information }, { _ in .servicesNumber }, { _ in .serialNumber },
      { .authenticity(challenge: nil, trustAnchors: [$0.csca]) },
      { .verifyPIN(pin: $0.pin) }, { .documentNumber(pin: $0.pin) },
      { .certificate(pin: $0.pin) }, { .changePIN(pin: $0.pin, newPIN: newPIN) },
      { .unblockPIN(puk: $0.puk, newPIN: newPIN) },
      { .sign(pin: $0.pin, digests: Self.digests(signatures)) },
    ]
  }

  private static func digests(_ count: Int) -> [Digest] {
    (1...count).compactMap { try? Digest(.sha256, hashing: [UInt8]("text \($0)".utf8)) }
  }

  /// A visit to the travel document as the log shows it: its code and the tasks.
  private var visit:
    (
      codes: [(Persona) -> Trace.DocumentCode], tasks: [Trace.DocumentTask], groups: [DataGroup]
    )?
  {
    let isBasic = exchanges.contains { $0.header[safe: 1] == 0x82 && !$0.isProtected }
    let isPACE = exchanges.contains { $0.header.dropFirst().starts(with: [0x22, 0xC1, 0xA4]) }
    guard isBasic || isPACE else { return nil }
    var tasks: [Trace.DocumentTask] = []
    for exchange in exchanges where exchange.isProtected {
      guard let task = exchange.documentTask, !tasks.contains(task) else { continue }
      tasks.append(task)
    }
    let groups = tasks.compactMap { task -> DataGroup? in
      if case .read(.group(let group)) = task, group != .dg14, group != .dg15 { group } else { nil }
    }
    let zone: (Persona) -> Trace.DocumentCode = {
      .mrz(number: $0.documentNumber, birth: $0.birthDate, expiry: $0.expiryDate)
    }
    return (isBasic ? [zone] : [{ .can($0.can) }], tasks, groups)
  }
}

extension RecordedExchange {
  /// INTERNAL AUTHENTICATE under secure messaging, with which key 81 signs.
  fileprivate var isSignature: Bool { isProtected && header[safe: 1] == 0x88 }

  /// The task at a travel document that begins with this command.
  fileprivate var documentTask: Trace.DocumentTask? {
    guard header.count == 4 else { return nil }
    switch (header[1], header[2], header[3]) {
    case (0xB0, 0x9E, _): return .read(.common)
    case (0xB0, 0x9D, _): return .read(.securityObject)
    case (0xB0, 0x81...0x90, _):
      return DataGroup(rawValue: header[2] & 0x1F).map { .read(.group($0)) }
    case (0x22, 0x41, 0xA4), (0x22, 0x41, 0xA6): return .authenticateChip
    case (0x88, _, _): return .answerChallenge
    default: return nil
    }
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
