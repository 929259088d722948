import ArgumentParser
import CIECard
import System

/// `cie-read verify`: whether the card, or what was saved of it, is genuine, point by point.
struct VerifyCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("verify", "command.verify")
  }

  @OptionGroup var access: AccessOptions
  @Option(help: .text("option.verify.only", value: "groups"), completion: .groups) var only: String?
  @Option(help: .text("option.verify.from", value: "folder"), completion: .directory) var from:
    String?
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
        try SavedDocument.verify(from, trust: try trust.store(in: session), in: session), validity,
        session)
    }
    let groups = try only.map { text throws(Failure) in try DataGroupList.groups(in: text) }
    let (challenge, trust) = (try challengeBytes(), try trust.store(in: session))
    return try Self.outcome(
      of: source.conversation(), openedWith: access, groups, challenge: challenge,
      validity: validity, trust: trust, in: session)
  }

  /// The same for one card.
  ///
  /// - Parameter groups: those that are meant; all that the card gives where none are named.
  static func outcome(
    of card: Conversation, openedWith access: AccessOptions, _ groups: Set<DataGroup>?,
    challenge: [UInt8]? = nil, validity: ValidityOptions, trust: TrustStore?, in session: Session
  ) throws(Failure) -> CommandOutcome {
    guard access.isGiven else {
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
    // What is named, with the zone that says whose document it is, and the date of issue.
    let groups =
      groups?.union([.dg1, .dg12]) ?? Set(DataGroup.allCases).subtracting(DataGroup.ofTheState)
    var access = try access.access(session)
    let verification = try card.perform(in: session) { (card, random, session) throws(Failure) in
      try Verification(
        ofBothSidesOf: card, openedWith: &access, groups: groups, challenge: challenge,
        trust: trust, random: &random, in: session)
    }
    return outcome(verification, validity, session)
  }

  private static func outcome(
    _ verification: Verification, _ validity: ValidityOptions, _ session: Session
  ) -> CommandOutcome {
    var outcome = CommandOutcome(verification, session.language)
    outcome.failure = validity.failure(
      verification.document?.validity, besides: outcome.failure)
    return outcome
  }

  private func challengeBytes() throws(Failure) -> [UInt8]? {
    guard let challenge else { return nil }
    guard let bytes = [UInt8](hexadecimal: challenge), (8...102).contains(bytes.count) else {
      throw .usage(.challenge)
    }
    return bytes
  }
}
