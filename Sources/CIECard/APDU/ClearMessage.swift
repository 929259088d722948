/// A command or an answer under secure messaging, in clear: for people who read a trace, whose bytes and keys are known
/// anyway. Never the data of a command with a code.
package enum ClearMessage: Sendable, Equatable {
  /// - Parameter data: the data field; nil if it holds a code.
  case command(data: [UInt8]?)
  case answer(data: [UInt8])

  /// Receives the messages of one channel, in order. Only the replay of a trace has one.
  package typealias Observer = @Sendable (ClearMessage) -> Void
}
