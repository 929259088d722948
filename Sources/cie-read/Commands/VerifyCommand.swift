import ArgumentParser
import CIECard
import System

/// `cie-read verify`: whether the card, or what was saved of it, is genuine, point by point.
struct VerifyCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("verify", "command.verify")
  }

  @OptionGroup var access: AccessOptions
  @Option(help: .text("option.verify.only", value: "groups")) var only: String?
  @Option(help: .text("option.verify.from", value: "folder")) var from: String?
  @Option(help: .text("option.verify.challenge", value: "hex")) var challenge: String?
  @OptionGroup var validity: ValidityOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    let verification = try verification(in: session)
    var outcome = CommandOutcome(verification, session.language)
    outcome.failure = validity.failure(
      verification.document?.validity, besides: outcome.failure)
    return outcome
  }

  private func verification(in session: Session) throws(Failure) -> Verification {
    if let from {
      guard !access.isGiven, only == nil, challenge == nil, source.given == nil else {
        throw .usage(.folderWithCard)
      }
      return try SavedDocument.verify(from, trust: try trust.store(in: session), in: session)
    }
    let groups = try groups()
    let (challenge, trust) = (try challengeBytes(), try trust.store(in: session))
    let card = try source.conversation()
    guard access.isGiven else {
      guard only == nil else { throw .usage(.groupsWithoutCode) }
      return try card.perform(in: session) { (card, random, session) throws(Failure) in
        var card = card
        return Verification(
          document: nil,
          ias: try card.evidence(
            .everythingFree, challenge: challenge, trust: trust, random: &random,
            at: session.time))
      }
    }
    var access = try access.access(session)
    return try card.perform(in: session) { (card, random, session) throws(Failure) in
      try Verification(
        ofBothSidesOf: card, openedWith: &access, groups: groups, challenge: challenge,
        trust: trust, random: &random, in: session)
    }
  }

  private func challengeBytes() throws(Failure) -> [UInt8]? {
    guard let challenge else { return nil }
    guard let bytes = [UInt8](hexadecimal: challenge), (8...102).contains(bytes.count) else {
      throw .usage(.challenge)
    }
    return bytes
  }

  /// All that the card gives; or what is named, with the zone that says whose document it is, and the date of issue.
  private func groups() throws(Failure) -> Set<DataGroup> {
    guard let only else { return Set(DataGroup.allCases).subtracting(DataGroup.ofTheState) }
    return try DataGroupList.groups(in: only).union([.dg1, .dg12])
  }
}
