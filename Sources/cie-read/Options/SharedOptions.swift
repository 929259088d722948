import Primitives
import Arguments
import CIECard
import CardWork
import Glibc
import Messages
import RedirectFlow
import Traces
import VirtualCIE

/// The selection of the card: in a reader, virtual, or recorded.
struct SourceOptions: Readable {
  static let title: String? = "card"

  private let reader: String?
  private let wait: Int
  private let extended: Bool?
  private let record: String?
  private let substitute: SubstituteOptions
  /// The options about a card that are given with an effect.
  let ofCard: [String]

  init(from inputs: inout Inputs) throws(Failure) {
    let before = inputs.given.count
    reader = try Self.reader(from: &inputs)
    wait = try inputs.option("wait", default: 0, help: "option.wait", value: "seconds")
    extended = try inputs.choice("extended", help: "option.extended")
    record = try inputs.text(
      "record", help: "option.record", value: "file", completion: .file())
    substitute = try inputs.part()
    let own = inputs.given.dropFirst(before)
    _ = try inputs.part(Overwriting.self)
    let wait = wait
    ofCard = own.filter { $0 != "--wait" || wait != 0 }
  }

  fileprivate static func reader(from inputs: inout Inputs) throws(Failure) -> String? {
    try inputs.text("reader", help: "option.reader", value: "name|number", completion: .readers)
  }

  func conversation() throws(Failure) -> Conversation {
    guard (0...86_400).contains(wait) else { throw .usage("bad-wait") }
    return Conversation(
      source: try substitute.source(reader, wait: wait, isRecorded: record != nil),
      record: record.map { (TraceRecorder(), $0) }, lengths: .init(extended: extended))
  }
}

/// The selection of the cards of a watch, which waits for them by itself and has a log for each.
struct WatchedSourceOptions: Readable {
  static let title = SourceOptions.title

  private let reader: String?
  private let extended: Bool?
  private let substitute: SubstituteOptions

  init(from inputs: inout Inputs) throws(Failure) {
    reader = try SourceOptions.reader(from: &inputs)
    extended = try inputs.choice("extended", help: "option.extended")
    substitute = try inputs.part()
  }

  func conversation(isRecorded: Bool) throws(Failure) -> Conversation {
    Conversation(
      source: try substitute.source(reader, wait: 0, isRecorded: isRecorded),
      lengths: .init(extended: extended))
  }
}

extension ChannelTraits.LengthPolicy {
  fileprivate init(extended: Bool?) {
    self = extended.map { $0 ? .extended : .short } ?? .automatic
  }
}

/// A software card or a recording in the place of a card, for tests.
struct SubstituteOptions: Readable {
  static let title: String? = "test"

  private let card: VirtualChoice
  private let variants: [String]
  private let fault: String?
  private let replay: String?

  init(from inputs: inout Inputs) throws(Failure) {
    card = try inputs.part()
    variants = try inputs.texts("option", help: "option.option", value: "variant")
    fault = try inputs.text("fault", help: "option.fault", value: "spec")
    replay = try inputs.text(
      "replay", help: "option.replay", value: "file", completion: .file())
  }

  fileprivate func source(
    _ reader: String?, wait: Int, isRecorded: Bool
  ) throws(Failure) -> CardSource {
    let virtual = card.persona
    let sources = [reader != nil, virtual != nil, replay != nil]
    guard sources.count(where: { $0 }) <= 1 else { throw .usage("several-sources") }
    guard !isRecorded || replay == nil else { throw .usage("record-of-replay") }
    if let card = try substitute(virtual) { return .substitute(card) }
    return .reader(reader.map(PCSCContext.ReaderSelection.init) ?? .any, wait: .seconds(wait))
  }

  private func substitute(_ virtual: PersonaName?) throws(Failure) -> (any SubstituteCard)? {
    guard fault == nil && variants.isEmpty || virtual != nil else {
      throw .usage("fault-without-virtual")
    }
    if let replay { return try RecordedCard(path: replay) }
    guard let virtual else { return nil }
    let options = try cardOptions()
    try mapError(try options.require(of: virtual.persona)) { (error: CardOptions.ParsingError) in
      Failure.found(Diagnosis(error))
    }
    return SoftwareCard(persona: virtual.persona, faults: try faults(), options: options)
  }

  private func faults() throws(Failure) -> FaultPlan {
    return try mapError(try fault.map(FaultPlan.init(parsing:)) ?? FaultPlan()) {
      (error: FaultPlan.ParsingError) in Failure.found(Diagnosis(error))
    }
  }

  private func cardOptions() throws(Failure) -> CardOptions {
    return try mapError(try variants.isEmpty ? CardOptions() : CardOptions(parsing: variants)) {
      (error: CardOptions.ParsingError) in Failure.found(Diagnosis(error))
    }
  }
}

/// The virtual card, with or without the name of one.
struct VirtualChoice: Readable {
  static let title: String? = "test"

  let persona: PersonaName?

  init(from inputs: inout Inputs) throws(Failure) {
    persona = try inputs.option(
      "virtual", bare: PersonaName.usual, help: "option.virtual", value: "persona",
      completion: .words(Persona.everyone.map(\.identifier)))
  }
}

struct PersonaName: ArgumentValue {
  static let usual = PersonaName(persona: .gemalto)

  let persona: Persona

  private init(persona: Persona) { self.persona = persona }

  init?(argument: String) {
    guard let persona = Persona.named(argument) else { return nil }
    self.persona = persona
  }

  var argument: String { persona.identifier }
}

struct OutputOptions: Readable {
  static let title: String? = "output"

  let json: Bool

  init(from inputs: inout Inputs) throws(Failure) {
    self = try OutputOptions(from: &inputs, json: "option.json")
  }

  /// - Parameters:
  ///   - help: that of `--json`, which some commands print in any case.
  ///   - quiet: the help of `--quiet`, where it concerns events, too.
  private init(
    from inputs: inout Inputs, json help: String, quiet: String = "option.quiet"
  ) throws(Failure) {
    json = try inputs.flag("json", help: help)
    // For the context, whose progress it concerns.
    _ = try inputs.flag("quiet", help: quiet)
    // Read before parsing, where help and errors need it already; here it is listed and checked.
    _ = try inputs.option("language", help: "option.language", value: "code") as Language?
  }

  /// Those of a command that prints events.
  static func ofEvents(
    from inputs: inout Inputs, quiet: String = "option.quiet"
  ) throws(Failure) -> OutputOptions {
    try inputs.group(title) { (inputs) throws(Failure) in
      try OutputOptions(from: &inputs, json: "option.json-events", quiet: quiet)
    }
  }
}

/// The completions of an option's values in the shell.
extension Completion {
  /// Data groups: one name; more of them behind a comma are typed.
  static var groups: Completion {
    .words(DataGroup.allCases.filter { !DataGroup.ofTheState.contains($0) }.map(\.name))
  }

  /// The environments that come with the program; the path of a file is typed.
  static var environments: Completion { .words(LoginEnvironment.builtIn.map(\.name)) }

  /// The present readers; empty if the service does not run or does not answer.
  static var readers: Completion {
    .found {
      // A service that hangs must not hang the shell.
      signal(SIGALRM) { _ in _exit(0) }
      alarm(2)
      let readers = try? PCSCContext().readers()
      return (readers ?? []).map(\.name)
    }
  }
}

extension Duration {
  /// The time that a card which another program holds has to become free before an error is told: a smart card daemon
  /// that looks at a new card needs some seconds.
  static let otherProgram = Duration.seconds(5)
}
