import CIECard
import Messages
import Traces

/// The behaviour of a card where the documents leave it open, for a report that may be shared.
struct SurveyedCard: Sendable {
  /// The family that it reports without a code.
  let family: ChipFamily
  let traits: ChannelTraits
  /// The commands sent and the answers.
  let observations: [CardObservation]
  /// The reason why it stopped early; `nil` when it did not.
  let end: CardError?
  /// Headers, lengths, status words and times of all of it.
  let diary: String
}

/// `doctor --report`: surveys a card. The codes are asked for first, so that the person need not stay.
struct SurveyJob: CardJob {
  let can: HeldCode?
  let pin: HeldCode?
  let access: HolderAccess

  func run(on card: Conversation, in session: Session) throws(Failure) -> SurveyedCard {
    let recorder = TraceRecorder()
    var can = try can?.code()
    var pin = try pin?.code()
    let result = try card.perform(in: session, recordedBy: recorder) {
      (card, random, session) throws(Failure) in
      let (family, traits) = (card.family, card.traits)
      let check = access.check(asking: pin?.isToBeAsked ?? false, in: session)
      let digits = try can?.resolve(in: session)
      _ = try pin?.resolve(in: session)
      var asked = 0
      let (observations, end) = card.survey(
        with: digits, { pin?.takenPIN(in: session) }, checking: check,
        remembering: session.tries, random: &random
      ) { question in
        asked += 1
        recorder.note(question)
        session.progress.show(Message("wait.survey", ["number": asked, "question": question]))
      }
      return (family, traits, observations, end)
    }
    return SurveyedCard(
      family: result.0, traits: result.1, observations: result.2, end: result.3,
      diary: recorder.diagnosticText)
  }
}

extension AwaitedCode {
  /// Its form was checked when it was read.
  fileprivate mutating func takenPIN(in session: Session) -> PIN? {
    try? CodeForm.pin(take(in: session))
  }
}
