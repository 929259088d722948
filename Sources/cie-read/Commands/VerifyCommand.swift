import Arguments
import CardWork
import Primitives

/// `cie-read verify`: judges the authenticity of the card, or of its saved files, point by point.
struct VerifyCommand: CardCommand {
  static let configuration = CommandConfiguration("verify", "command.verify")

  @OptionGroup var access: AccessOptions
  @Option(help: .text("option.verify.only", value: "groups"), completion: .groups) var only: String?
  @Option(help: .text("option.verify.from", value: "folder"), completion: .folder) var from: String?
  @Option(help: .text("option.verify.challenge", value: "hex")) var challenge: String?
  @OptionGroup var validity: ValidityOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: RunContext) throws(Failure) -> CommandOutcome {
    if let from {
      guard !access.isGiven, only == nil, challenge == nil, source.ofCard.isEmpty else {
        throw .usage("folder-with-card", key: "document-option.folder-with-card")
      }
      let trust = try trust.store(in: session)
      let verification = try SavedDocument.verify(
        from, trust: trust, validity.demand, at: session.time)
      return CommandOutcome(verification, session.language)
    }
    let card = try source.conversation()
    let job = VerificationJob(
      key: access.givenKey,
      groups: try only.map { text throws(Failure) in try DataGroupList.groups(in: text) },
      challenge: try challenge.map { text throws(Failure) in try Self.challenge(text) },
      demand: validity.demand, trust: try trust.store(for: card, in: session))
    return try job.outcome(of: card, in: session)
  }

  /// The challenge for the card to sign.
  static func challenge(_ text: String) throws(Failure) -> [UInt8] {
    guard let bytes = [UInt8](hexadecimal: text), (8...102).contains(bytes.count) else {
      throw .usage("bad-challenge")
    }
    return bytes
  }
}
