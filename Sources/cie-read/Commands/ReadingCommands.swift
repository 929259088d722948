import Arguments
import CIECard
import CardWork
import FunctionFrame
import Messages
import Primitives

/// `cie-read verify`: judges the authenticity of the card, or of its saved files, point by point.
struct VerifyCommand: CardCommand {
  static let configuration = CommandConfiguration("verify", "command.verify")

  @OptionGroup var access: AccessOptions
  @Option(help: .text("option.verify.only", value: "groups"), completion: .groups) var only: String?
  @Option(help: .text("option.verify.from", value: "folder"), completion: .folder) var from: String?
  @Option(help: .text("option.verify.challenge", value: "hex")) var challenge: String?
  @OptionGroup var validity: ValidityOptions
  @OptionGroup var trust: Part<TrustChoice>
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    if let from {
      guard !access.isGiven, only == nil, challenge == nil, source.ofCard.isEmpty else {
        throw .usage("folder-with-card", key: "document-option.folder-with-card")
      }
      let trust = try trust.value().store(in: context)
      let verification = try SavedDocument.verify(
        from, trust: trust, requiresValidity: validity.requireValid, at: context.present)
      return CommandOutcome(verification, context.language)
    }
    let card = try source.conversation()
    let job = VerificationJob(
      key: access.givenKey,
      groups: try only.map { text throws(Failure) in try DataGroupList.groups(in: text) },
      challenge: try challenge.map { text throws(Failure) in try Self.challenge(text) },
      requiresValidity: validity.requireValid,
      trust: try trust.value().store(for: card, in: context))
    return try job.outcome(of: card, in: context)
  }

  static func challenge(_ text: String) throws(Failure) -> [UInt8] {
    guard let bytes = [UInt8](hexadecimal: text), (8...102).contains(bytes.count) else {
      throw .usage("bad-challenge")
    }
    return bytes
  }
}

/// `cie-read read`: reads the holder's data and judges its authenticity.
struct ReadCommand: CardCommand {
  static let configuration = CommandConfiguration("read", "command.read")

  @OptionGroup var access: AccessOptions
  @Option(help: .text("option.read.only", value: "groups"), completion: .groups) var only: String?
  @Option(help: .text("option.read.photo", value: "file"), completion: .file()) var photo: String?
  @Option(help: .text("option.read.out", value: "folder"), completion: .folder) var out: String?
  @Flag(help: .text("option.read.no-picture")) var noPicture = false
  @OptionGroup var validity: ValidityOptions
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
      key: access.key, groups: groups, wantsAll: out != nil,
      requiresValidity: validity.requireValid,
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
