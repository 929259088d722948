import ArgumentParser
import CIECard
import Messages

/// `cie-read read`: who the holder is, and whether that is genuine.
struct ReadCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("read", "command.read")
  }

  @OptionGroup var access: AccessOptions
  @Option(help: .text("option.read.only", value: "groups")) var only: String?
  @Option(help: .text("option.read.photo", value: "file")) var photo: String?
  @Option(help: .text("option.read.out", value: "folder")) var out: String?
  @Flag(help: .text("option.read.no-picture")) var noPicture = false
  @OptionGroup var validity: ValidityOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    let wanted = try groups()
    let card = try source.conversation()
    let anchors = try trust.store(in: session)
    let file = try photo.map { path throws(Failure) in
      try PhotoFile(path, overwriting: session.mayOverwrite)
    }
    let folder = try out.map { path throws(Failure) in try DocumentFolder(path) }
    var access = try access.access(session)
    let reading = try card.perform(in: session) { (card, random, session) throws(Failure) in
      try DocumentReading(
        of: card, openedWith: &access, groups: wanted, wantsCommonData: out != nil,
        trust: anchors, random: &random, in: session)
    }
    let data = DocumentData(
      reading.evidence.files, wanted: wanted, isNamed: only != nil,
      withheld: reading.report.withheld, at: reading.time)
    let validity = Validity(reading.evidence, at: reading.time)
    let signer = SignerText(
      securityObject: reading.evidence.securityObject, trust: anchors, at: reading.time)
    var outcome = CommandOutcome(reading, data, validity, signer, session.language)
    var (written, saved): (String?, String?)
    do throws(Failure) {
      try file?.commit(data.portrait, session.interruption)
      written = photo
      try folder?.commit(reading, data.portrait)
      saved = out
    } catch {
      outcome.failure = error
    }
    // A script is told of files that are there, and of no others.
    outcome.members += [.init("photo", written), .init("out", saved)]
    switch reading.report.outcome {
    case .proved: break
    case .false: outcome.failure = .notProved(.false)
    case .knownFault, .couldNotCheck:
      outcome.failure = outcome.failure ?? .notProved(reading.report.outcome)
    }
    outcome.failure = self.validity.failure(validity, besides: outcome.failure)
    if !output.json, !noPicture, let portrait = data.portrait,
      let terminal = PictureTerminal(Stream.output)
    {
      outcome.picture = terminal.show(portrait, session.interruption)
    }
    return outcome
  }

  /// A CIE has these; with --out it is whatever the document lists.
  private static let usualGroups: Set<DataGroup> = [.dg1, .dg2, .dg11, .dg12]

  private func groups() throws(Failure) -> Set<DataGroup> {
    guard let only else {
      return out == nil
        ? Self.usualGroups : Set(DataGroup.allCases).subtracting(DataGroup.ofTheState)
    }
    let groups = try DataGroupList.groups(in: only)
    // The portrait is wanted as well when there is a file for it.
    return photo == nil ? groups : groups.union([.dg2])
  }
}

extension DocumentFolder {
  /// Fills the folder and gives it its name.
  fileprivate func commit(
    _ reading: DocumentReading, _ portrait: Portrait?
  ) throws(Failure) {
    for (file, bytes) in reading.files { try add(file.fileName, bytes) }
    if let portrait { try add("portrait.\(portrait.format.ending)", portrait.image) }
    try commit()
  }
}

extension CommandOutcome {
  fileprivate init(
    _ reading: DocumentReading, _ data: DocumentData, _ validity: Validity,
    _ signer: SignerText, _ language: Language
  ) {
    lines = [validity.headline(reading.report.headline)(language)]
    lines += DocumentText(reading, data, language).lines
    members = DocumentJSON(reading: reading, data: data, validity: validity).members
    add(reading.report, language)
    lines += signer.lines(language)
    members += signer.members
  }
}
