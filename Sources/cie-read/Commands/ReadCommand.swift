import Arguments
import CIECard
import Messages
import System

/// `cie-read read`: reads the holder's data and judges its authenticity.
struct ReadCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("read", "command.read")
  }

  @OptionGroup var access: AccessOptions
  @Option(help: .text("option.read.only", value: "groups"), completion: .groups) var only: String?
  @Option(help: .text("option.read.photo", value: "file"), completion: .file()) var photo: String?
  @Option(help: .text("option.read.out", value: "folder"), completion: .folder) var out: String?
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
    let finding = try DocumentFinding(
      of: card, openedWith: access.access, wanted, isNamed: only != nil,
      wantsCommonData: out != nil,
      trust: anchors, in: session)
    let data = finding.data
    var outcome = finding.outcome(session.language)
    var (written, saved): (String?, String?)
    do throws(Failure) {
      try file?.commit(data.portrait, session.interruption)
      written = photo
      try folder?.commit(finding.reading, data.portrait)
      saved = out
    } catch {
      outcome.failure = error
    }
    // The JSON names only files that exist.
    outcome.members += [.init("photo", written), .init("out", saved)]
    outcome.failure = finding.failure(validity.demand, besides: outcome.failure)
    if !output.json, !noPicture, let portrait = data.portrait,
      let terminal = PictureTerminal(Stream.output)
    {
      outcome.picture = terminal.show(portrait, session.interruption)
    }
    return outcome
  }

  /// The result for one card, without the files that this command can write.
  ///
  /// - Parameter groups: the selected groups; the default ones if it is empty.
  static func outcome(
    of card: Conversation, openedWith access: AccessOptions.Source, _ groups: Set<DataGroup>?,
    validity: ValidityDemand, trust: TrustStore?, in session: Session
  ) throws(Failure) -> CommandOutcome {
    let finding = try DocumentFinding(
      of: card, openedWith: access, groups ?? usualGroups, isNamed: groups != nil,
      wantsCommonData: false, trust: trust, in: session)
    var outcome = finding.outcome(session.language)
    outcome.members += [.init("photo", nil as String?), .init("out", nil as String?)]
    outcome.failure = finding.failure(validity, besides: nil)
    return outcome
  }

  /// The groups of a CIE; with --out all that the document lists.
  private static let usualGroups: Set<DataGroup> = [.dg1, .dg2, .dg11, .dg12]

  private func groups() throws(Failure) -> Set<DataGroup> {
    guard let only else {
      return out == nil
        ? Self.usualGroups : Set(DataGroup.allCases).subtracting(DataGroup.ofTheState)
    }
    let groups = try DataGroupList.groups(in: only)
    // A file for the portrait requires its group as well.
    return photo == nil ? groups : groups.union([.dg2])
  }
}

/// The data read from a travel document, and its judgement.
private struct DocumentFinding {
  let reading: DocumentReading
  let data: DocumentData
  private let validity: Validity
  private let signer: SignerText

  init(
    of card: Conversation, openedWith access: AccessOptions.Source, _ groups: Set<DataGroup>,
    isNamed: Bool, wantsCommonData: Bool, trust: TrustStore?, in session: Session
  ) throws(Failure) {
    var code = try access(session)
    reading = try card.perform(in: session) { (card, random, session) throws(Failure) in
      try DocumentReading(
        of: card, openedWith: &code, groups: groups, wantsCommonData: wantsCommonData,
        trust: trust, random: &random, in: session)
    }
    data = DocumentData(
      reading.evidence.files, wanted: groups, isNamed: isNamed,
      withheld: reading.report.withheld, at: reading.time)
    validity = Validity(reading.evidence, at: reading.time)
    signer = SignerText(
      securityObject: reading.evidence.securityObject, trust: trust, at: reading.time)
  }

  func outcome(_ language: Language) -> CommandOutcome {
    var outcome = CommandOutcome()
    outcome.lines = [validity.headline(reading.report.headline)(language)]
    outcome.lines += DocumentText(reading, data, language).lines
    outcome.members = DocumentJSON(reading: reading, data: data, validity: validity).members
    outcome.add(reading.report, language)
    outcome.lines += signer.lines(language)
    outcome.members += signer.members
    return outcome
  }

  /// The reason why it is not good, if any.
  ///
  /// - Parameter problem: another problem, which matters less than a false document.
  func failure(_ validity: ValidityDemand, besides problem: Failure?) -> Failure? {
    let judgement: Failure? =
      switch reading.report.outcome {
      case .proved: problem
      case .false: .notProved(.false)
      case .knownFault, .couldNotCheck: problem ?? .notProved(reading.report.outcome)
      }
    return validity.failure(self.validity, besides: judgement)
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
