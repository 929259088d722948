import Arguments
import CIECard
import CardWork
import Messages
import Traces
import VirtualCIE

/// The selection of the card: in a reader, virtual, or recorded.
struct SourceOptions: ParsableArguments {
  @Option(help: .text("option.reader", value: "name|number"), completion: .readers)
  var reader: String?
  @OptionGroup var card: VirtualOption
  @Option(help: .text("option.replay", value: "file"), completion: .file()) var replay: String?
  @Option(help: .text("option.wait", value: "seconds")) var wait = 0
  @Option(help: .text("option.fault", value: "spec")) var fault: String?

  // For testers: variants of the card, such as pace=gm-aes128-13,no-bac; repeatable.
  @Option(name: "option", help: .hidden) var variants: [String] = []
  @Option(help: .text("option.record", value: "file"), completion: .file()) var record: String?
  @Flag(withContrary: .text("option.extended")) var extended: Bool?

  /// The first of the command line's options about a card.
  var given: String? {
    [
      ("--reader", reader != nil), ("--virtual", card.virtual != nil), ("--replay", replay != nil),
      ("--wait", wait != 0), ("--fault", fault != nil), ("--option", !variants.isEmpty),
      ("--record", record != nil), ("--extended", extended != nil),
    ].first { $0.1 }?.0
  }

  /// The settings of the conversation with the selected card.
  func conversation() throws(Failure) -> Conversation {
    Conversation(
      source: try source(), record: record.map { .init(TraceRecorder(), path: $0) },
      lengths: extended.map { $0 ? .extended : .short } ?? .announced)
  }

  private func source() throws(Failure) -> CardSource {
    let given = [reader != nil, card.virtual != nil, replay != nil].count { $0 }
    guard given <= 1 else { throw .usage(.severalSources) }
    guard fault == nil && variants.isEmpty || card.virtual != nil else {
      throw .usage(.faultWithoutVirtual)
    }
    guard record == nil || replay == nil else { throw .usage(.recordOfReplay) }
    guard (0...86_400).contains(wait) else { throw .usage(.wait) }
    if let replay { return .substitute(try RecordedCard(path: replay)) }
    if let virtual = card.virtual {
      return .substitute(
        SoftwareCard(persona: virtual.persona, faults: try faults(), options: try cardOptions()))
    }
    return .reader(reader.map(PCSCContext.ReaderSelection.init) ?? .any, wait: .seconds(wait))
  }

  private func faults() throws(Failure) -> FaultPlan {
    do throws(FaultPlan.ParsingError) {
      return try fault.map(FaultPlan.init(parsing:)) ?? FaultPlan()
    } catch { throw .usage(.fault(error)) }
  }

  private func cardOptions() throws(Failure) -> CardOptions {
    do throws(CardOptions.ParsingError) {
      return variants.isEmpty ? CardOptions() : try CardOptions(parsing: variants)
    } catch { throw .usage(.option(error)) }
  }
}

/// The virtual card, with or without the name of one.
struct VirtualOption: ParsableArguments {
  @Option(
    bare: PersonaName.usual, help: .text("option.virtual", value: "persona"),
    completion: .words(Persona.everyone.map(\.identifier)))
  var virtual: PersonaName?
}

/// The name of a virtual card.
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

/// The form of results; every command has these.
struct OutputOptions: ParsableArguments {
  @Flag(help: .text("option.json")) var json = false

  // Read before parsing, too, because progress before a result depends on it.
  @Flag(help: .text("option.quiet")) var quiet = false

  // Read before parsing, too, because the session makes files.
  @Flag(help: .text("option.force")) var force = false

  // Read before parsing, where help and errors need it already; here it is listed and checked.
  @Option(help: .text("option.language", value: "code")) var language: Language?
}
