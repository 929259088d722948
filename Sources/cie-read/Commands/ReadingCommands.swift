import Arguments
import CIECard
import CardWork
import Messages
import Primitives

/// `cie-read read`: reads the holder's data and judges its authenticity.
struct ReadCommand: CardCommand {
  static let configuration = CommandConfiguration("read", "command.read")

  @OptionGroup var access: Part<DocumentKey>
  @Option(help: .text("option.read.only", value: "groups"), completion: .groups) var only: String?
  @Option(help: .text("option.read.photo", value: "file"), completion: .file()) var photo: String?
  @Option(help: .text("option.read.out", value: "folder"), completion: .folder) var out: String?
  @Flag(help: .text("option.read.no-picture")) var noPicture = false
  @OptionGroup var validity: Part<ValidityChoice>
  @OptionGroup var trust: Part<TrustChoice>
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    let groups = try groups()
    let card = try source.conversation()
    let anchors = try trust.value().store(for: card, in: context)
    let file = try photo.map { path throws(Failure) in
      try PhotoFile(path, overwriting: context.mayOverwrite)
    }
    let folder = try out.map { path throws(Failure) in try DocumentFolder(path) }
    var finding = try DocumentJob(
      key: try access.value(), groups: groups, wantsAll: out != nil,
      requiresValidity: try validity.value().isRequired,
      trust: anchors
    ).run(on: card, in: context)
    let portrait = finding.data.portrait
    // The JSON names only files that exist.
    do throws(Failure) {
      try file?.commit(finding.data, context.interruption)
      finding.photo = photo
      try folder?.commit(finding.reading, portrait)
      finding.folder = out
    } catch {
      finding.problem = error
    }
    var outcome = CommandOutcome(finding, context.language)
    if !output.json, !noPicture, let portrait, let terminal = PictureTerminal(Stream.output) {
      outcome.picture = terminal.show(portrait, context.interruption)
    }
    return outcome
  }

  private func groups() throws(Failure) -> Set<DataGroup>? {
    guard let only else { return nil }
    let groups = try DataGroupList.groups(in: only)
    // A file for the portrait requires its group as well.
    return photo == nil ? groups : groups.union([.dg2])
  }
}

extension DocumentFolder {
  /// Fills the folder and gives it its name.
  fileprivate func commit(
    _ reading: DocumentReading, _ portrait: DataGroup.Portrait?
  ) throws(Failure) {
    for (file, bytes) in reading.files { try add(file.fileName, bytes) }
    if let portrait { try add("portrait.\(portrait.format.ending)", portrait.image) }
    try commit()
  }
}
