import Arguments
import CIECard
import System

/// `cie-read verify`: judges the authenticity of the card, or of its saved files, point by point.
struct VerifyCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("verify", "command.verify")
  }

  @OptionGroup var access: AccessOptions
  @Option(help: .text("option.verify.only", value: "groups"), completion: .groups) var only: String?
  @Option(help: .text("option.verify.from", value: "folder"), completion: .folder) var from: String?
  @Option(help: .text("option.verify.challenge", value: "hex")) var challenge: String?
  @OptionGroup var validity: ValidityOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    if let from {
      guard !access.isGiven, only == nil, challenge == nil, source.given == nil else {
        throw .usage(.folderWithCard)
      }
      return Self.outcome(
        try SavedDocument.verify(from, trust: try trust.store(in: session), in: session),
        validity.demand, session)
    }
    let groups = try only.map { text throws(Failure) in try DataGroupList.groups(in: text) }
    let (challenge, trust) = (try challengeBytes(), try trust.store(in: session))
    return try Self.outcome(
      of: source.conversation(), openedWith: access.given, groups, challenge: challenge,
      validity: validity.demand, trust: trust, in: session)
  }

  /// The result for one card.
  ///
  /// - Parameters:
  ///   - access: the key to the travel document; without it no file is read there.
  ///   - groups: the selected groups; all that the card returns if it is empty.
  static func outcome(
    of card: Conversation, openedWith access: AccessOptions.Source?, _ groups: Set<DataGroup>?,
    challenge: [UInt8]? = nil, validity: ValidityDemand, trust: TrustStore?, in session: Session
  ) throws(Failure) -> CommandOutcome {
    guard let access else {
      guard groups == nil else { throw .usage(.groupsWithoutCode) }
      let verification = try card.perform(in: session) { (card, random, session) throws(Failure) in
        var card = card
        return Verification(
          document: nil,
          ias: try card.evidence(
            .everythingFree, challenge: challenge, trust: trust, random: &random,
            at: session.time))
      }
      return outcome(verification, validity, session)
    }
    // The named groups, with the zone that identifies the document, and the date of issue.
    let groups =
      groups?.union([.dg1, .dg12]) ?? Set(DataGroup.allCases).subtracting(DataGroup.ofTheState)
    var code = try access(session)
    let verification = try card.perform(in: session) { (card, random, session) throws(Failure) in
      try Verification(
        ofBothSidesOf: card, openedWith: &code, groups: groups, challenge: challenge,
        trust: trust, random: &random, in: session)
    }
    return outcome(verification, validity, session)
  }

  private static func outcome(
    _ verification: Verification, _ validity: ValidityDemand, _ session: Session
  ) -> CommandOutcome {
    var outcome = CommandOutcome(verification, session.language)
    outcome.failure = validity.failure(
      verification.document?.validity, besides: outcome.failure)
    return outcome
  }

  private func challengeBytes() throws(Failure) -> [UInt8]? {
    try challenge.map { text throws(Failure) in try Self.challenge(text) }
  }

  /// The challenge for the card to sign.
  static func challenge(_ text: String) throws(Failure) -> [UInt8] {
    guard let bytes = [UInt8](hexadecimal: text), (8...102).contains(bytes.count) else {
      throw .usage(.challenge)
    }
    return bytes
  }
}
