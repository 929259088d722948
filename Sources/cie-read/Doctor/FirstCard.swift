import CIECard
import Messages
import Traces

/// A card that is asked how it behaves where the documents leave it open, for a report that may be shared.
struct FirstCard {
  /// The family that it reports without a code.
  let family: ChipFamily
  let traits: ChannelTraits
  /// The commands sent and the answers.
  let observations: [CardObservation]
  /// The reason why it stopped early; `nil` when it did not.
  let end: Diagnosis?
  /// Headers, lengths, status words and times of all of it.
  let diary: String

  /// Examines the card; asks for codes first, so that the person need not stay.
  init(
    _ conversation: Conversation, can: consuming AwaitedCode?, pin: consuming AwaitedCode?,
    _ access: HolderAccess, in session: Session
  ) throws(Failure) {
    let recorder = TraceRecorder()
    var can = can
    var pin = pin
    let result = try conversation.perform(in: session, recordedBy: recorder) {
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
    (family, traits, observations) = (result.0, result.1, result.2)
    end = result.3.map { Diagnosis(inDoctor: $0) }
    diary = recorder.diagnosticText
  }
}

extension AwaitedCode {
  /// Its form was checked when it was read.
  fileprivate mutating func takenPIN(in session: Session) -> PIN? {
    try? CodeForm.pin(take(in: session))
  }
}
