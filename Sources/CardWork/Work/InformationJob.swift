package import CIECard

/// The kind of a card, as far as it is known without a PIN.
package struct CardInformation: Sendable {
  package let family: ChipFamily
  package let atr: [UInt8]
  /// The applications that answer; like all below, `nil` if the card failed before.
  package fileprivate(set) var applications: [CardApplication]?
  package fileprivate(set) var number: ServicesNumber?
  package fileprivate(set) var tries: Tries?
  /// The failure of a card that is no CIE, whose known facts are worth showing.
  package fileprivate(set) var failure: Failure?

  package enum Tries: Sendable {
    /// As the card reports them; `nil` for one that it does not.
    case reported(pin: Int?, puk: Int?)
    /// The card refused the channel in which it reports them: a finding, because it still counts as a card.
    case refused(CardError)
  }
}

/// `info`: asks a card for its kind.
package struct InformationJob: Sendable {
  package init() {}

  package func run(on card: Conversation, in context: RunContext) throws(Failure) -> CardInformation
  {
    try card.perform(in: context) { (card, random, context) throws(Failure) in
      var card = card
      var found = CardInformation(family: card.family, atr: card.atr)
      do throws(CardError) {
        found.applications = try card.probeApplications()
        found.number = try card.readServicesNumber()
        found.tries = try Self.tries(of: card, remembering: context.tries, random: &random)
      } catch {
        if case .channel(.transmissionFailed) = error.reason { throw .card(error) }
        found.failure = .card(error)
      }
      return found
    }
  }

  /// The tries left. The card reports them only in a secure channel, which takes no PIN to open.
  private static func tries(
    of card: consuming SessionCard, remembering known: KnownTries, random: inout SessionRandom
  ) throws(CardError) -> CardInformation.Tries {
    do throws(CardError) {
      let tries = try card.readTries(remembering: known, random: &random)
      return .reported(pin: tries.pin, puk: tries.puk)
    } catch {
      guard error.leavesFileOut || error.isEndOfChannel else { throw error }
      return .refused(error)
    }
  }
}

extension CardError {
  /// True if the card ended the secure channel with an answer in clear.
  fileprivate var isEndOfChannel: Bool {
    if case .channelEnded = reason { true } else { false }
  }
}
