import CIECard
import Messages
import Traces

/// A card that is asked how it behaves where the documents leave it open: for a report that others may read.
struct FirstCard {
  /// What it says of itself without a code.
  let family: ChipFamily
  let traits: ChannelTraits
  /// What was asked and what came.
  let observations: [CardObservation]
  /// Why no more was asked; `nil` when all was.
  let end: Diagnosis?
  /// Headers, lengths, status words and times of all of it.
  let diary: String

  /// Asks it; codes are asked for first, so that nobody has to stand by.
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
      let digits = try can?.resolve(in: session)
      let code = try pin?.resolvedPIN(in: session)
      var asked = 0
      let (observations, end) = card.survey(
        with: digits, code, checking: access.check(session.time), random: &random
      ) { question in
        asked += 1
        recorder.note(question)
        session.progress.show(Message("wait.survey", ["number": asked, "question": question]))
      }
      return (family, traits, observations, end)
    }
    (family, traits, observations) = (result.0, result.1, result.2)
    end = result.3.map { Diagnosis($0) }
    diary = recorder.diagnosticText
  }
}

extension AwaitedCode {
  fileprivate mutating func resolvedPIN(in session: Session) throws(Failure) -> PIN {
    try CodeForm.pin(resolve(in: session))
  }
}
