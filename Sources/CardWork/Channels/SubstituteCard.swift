package import CIECard
package import Primitives

/// A card that is in no reader: a software card or a recording.
package protocol SubstituteCard: Sendable {
  /// Its place, for people.
  var place: String { get }
  /// Its answer to reset (ISO/IEC 7816-3 §8.2).
  var answerToReset: [UInt8] { get }
  /// True if one conversation uses it up.
  var isRecording: Bool { get }

  /// Its own authority, which is trusted with it; `nil` for a recording.
  var authority: TrustStore? { get }

  func open() throws(Failure) -> SubstituteConversation
}

/// An open conversation with a card that is in no reader.
package struct SubstituteConversation: ~Copyable {
  let channel: AnyCardChannel
  let stage: Stage
  let random: any RandomSource
  /// The time at which certificates are judged; nil for that of the run.
  let time: UTCTime?
  let finish: () throws(ChannelError) -> Void

  /// - Parameter finish: called after the job; it throws if a recording was not used to its end.
  package init(
    over channel: consuming AnyCardChannel, _ stage: Stage, random: any RandomSource,
    at time: UTCTime? = nil, finish: @escaping () throws(ChannelError) -> Void = {}
  ) {
    self.channel = channel
    self.stage = stage
    self.random = random
    self.time = time
    self.finish = finish
  }
}

/// A diary of a conversation, which never has its data.
package protocol ConversationDiary: AnyObject, Sendable {
  /// A channel whose exchanges are written down.
  func recording(_ channel: consuming AnyCardChannel) -> AnyCardChannel
  /// Adds a remark before the next command.
  func note(_ text: String)
  /// Passes on the lines so far, and each further one before the conversation continues.
  func pass(to receiver: @escaping @Sendable (String) -> Void)
  /// Everything so far.
  var text: String { get }
}
