import ArgumentParser
import CIECard
import VirtualCIE

/// Which card is meant: in a reader, virtual, or recorded.
struct SourceOptions: ParsableArguments {
  @Option(
    help: .text("option.reader", value: "name|number"))
  var reader: String?

  @Option(
    defaultAsFlag: "gemalto",
    help: .text("option.virtual", value: "persona"))
  var virtual: String?

  @Option(
    help: .text("option.replay", value: "file"))
  var replay: String?

  @Option(
    help: .text("option.wait", value: "seconds"))
  var wait = 0

  @Option(
    help: .text("option.fault", value: "spec"))
  var fault: String?

  // For those who test: variants of the card, such as pace=gm-aes128-13,no-bac; repeatable.
  @Option(name: .customLong("option"), help: .hidden)
  var variants: [String] = []

  @Option(
    help: .text("option.record", value: "file"))
  var record: String?

  @Flag(
    inversion: .prefixedNo,
    help: .text("option.extended"))
  var extended: Bool?

  /// How the card is spoken to.
  var conversation: Conversation {
    Conversation(
      record: record, lengths: extended.map { $0 ? .extended : .short } ?? .announced)
  }

  /// Whether the command line names anything of a card.
  var isGiven: Bool {
    [reader, virtual, replay, fault, record].contains { $0 != nil } || wait != 0
      || !variants.isEmpty || extended != nil
  }

  /// The one source that is meant.
  func source() throws(Failure) -> CardSource {
    let given = [reader, virtual, replay].filter { $0 != nil }.count
    guard given <= 1 else { throw .usage(.severalSources) }
    guard fault == nil && variants.isEmpty || virtual != nil else {
      throw .usage(.faultWithoutVirtual)
    }
    guard record == nil || replay == nil else { throw .usage(.recordOfReplay) }
    guard (0...86_400).contains(wait) else { throw .usage(.wait) }
    if let replay { return .replay(try CardSource.trace(at: replay)) }
    if let virtual {
      guard let persona = Persona.named(virtual) else { throw .usage(.unknownPersona) }
      return .virtual(persona, try faults(), try cardOptions())
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
