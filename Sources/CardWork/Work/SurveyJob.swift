package import CIECard
import Messages

/// The behaviour of a card where the documents leave it open, for a report that may be shared.
package struct SurveyedCard: Sendable {
  /// The family that it reports without a code.
  package let family: ChipFamily
  package let traits: ChannelTraits
  /// The commands sent and the answers.
  package let observations: [CardObservation]
  /// The reason why it stopped early; `nil` when it did not.
  package let end: CardError?
  /// Headers, lengths, status words and times of all of it.
  package let diary: String
}

/// `doctor --report`: surveys a card. The codes are asked for first, so that the person need not stay.
package struct SurveyJob: Sendable {
  let can: HeldCode?
  let pin: HeldCode?
  let access: HolderAccess
  let diary: any ConversationRecorder

  package init(
    can: HeldCode?, pin: HeldCode?, access: HolderAccess, diary: any ConversationRecorder
  ) {
    self.can = can
    self.pin = pin
    self.access = access
    self.diary = diary
  }

  package func run(on card: Conversation, in context: RunContext) throws(Failure) -> SurveyedCard {
    var can = try can?.code()
    var pin = try pin?.code()
    let result = try card.perform(in: context, recordedBy: diary) {
      (card, random, context) throws(Failure) in
      let (family, traits) = (card.family, card.traits)
      let check = access.check(asking: pin?.isToBeAsked ?? false, in: context)
      let digits = try can?.resolve(in: context)
      _ = try pin?.resolve(in: context)
      var asked = 0
      let (observations, end) = card.survey(
        with: digits, { pin?.takenPIN(in: context) }, checking: check,
        remembering: context.tries, random: &random
      ) { question in
        asked += 1
        diary.note(question)
        context.progress.show(Message("wait.survey", ["number": asked, "question": question]))
      }
      return (family, traits, observations, end)
    }
    return SurveyedCard(
      family: result.0, traits: result.1, observations: result.2, end: result.3,
      diary: diary.text)
  }
}

extension AwaitedCode {
  /// Its form was checked when it was read.
  fileprivate mutating func takenPIN(in context: RunContext) -> PIN? {
    try? CodeForm.pin(take(in: context))
  }
}
