// Deliberately written apart from CIECard: what the card answers before it is cut for the wire.

/// The outcome of a command: data, status word, and what becomes of the secure channel after it.
struct Answer: Equatable {
  /// Response data; empty when there is none.
  var data: [UInt8] = []
  /// The status word.
  var status: Status
  /// What happens to secure messaging once the answer is out.
  var afterwards: SessionChange = .none

  /// What a command does to secure messaging after its own answer.
  enum SessionChange: Equatable {
    /// Nothing.
    case none
    /// Keys are agreed: a session with them begins, in place of the one there was.
    case begin(SessionKeys)
    /// The answer goes out bare, and the session is over.
    case end
    /// Device authentication is complete: the session goes on with this counter.
    case restart(counter: [UInt8])
  }

  /// An answer without data.
  static func status(_ status: Status) -> Answer { Answer(status: status) }
  /// Success with data.
  static func data(_ data: [UInt8]) -> Answer { Answer(data: data, status: .success) }
  /// Success without data.
  static let success = Answer(status: .success)
}

/// A refusal inside a command: it ends with this status word and no data.
struct Refusal: Error {
  let status: Status
  /// Whether it comes without protection and ends the session.
  let endsSession: Bool
  init(_ status: Status, endsSession: Bool = false) {
    self.status = status
    self.endsSession = endsSession
  }
}
