/// The outcome of a command: data, status word, and the change of the secure channel after it.
struct Answer: Equatable {
  var data: [UInt8] = []
  var status: Status
  var afterwards: SessionChange = .none

  /// Changes of secure messaging after a command's answer.
  enum SessionChange: Equatable {
    case none
    /// Keys are agreed: a session with them replaces the present one.
    case begin(SessionKeys)
    /// The answer is sent bare, and the session ends.
    case end
    /// Device authentication is complete: the session continues with this counter.
    case restart(counter: [UInt8])
  }

  static func status(_ status: Status) -> Answer { Answer(status: status) }
  static func data(_ data: [UInt8]) -> Answer { Answer(data: data, status: .success) }
  static let success = Answer(status: .success)
}

/// A refusal inside a command: it ends with this status word and no data.
struct Refusal: Error, Equatable {
  let status: Status
  /// True if it is sent without protection and ends the session.
  let endsSession: Bool
  init(_ status: Status, endsSession: Bool = false) {
    self.status = status
    self.endsSession = endsSession
  }
}

/// A status word as the card sends it (ISO/IEC 7816-4 §5.6).
struct Status: Equatable {
  /// SW1 ‖ SW2.
  let word: UInt16

  init(_ word: UInt16) { self.word = word }

  var bytes: [UInt8] { [UInt8(word >> 8), UInt8(truncatingIfNeeded: word)] }

  static let success = Status(0x9000)
  static let endOfFile = Status(0x6282)
  static let authenticationFailed = Status(0x6300)
  static let wrongLength = Status(0x6700)
  static let logicalChannelNotSupported = Status(0x6881)
  static let secureMessagingNotSupported = Status(0x6882)
  static let chainingNotSupported = Status(0x6884)
  static let securityStatusNotSatisfied = Status(0x6982)
  static let methodBlocked = Status(0x6983)
  static let conditionsNotSatisfied = Status(0x6985)
  static let noCurrentFile = Status(0x6986)
  static let secureMessagingObjectMissing = Status(0x6987)
  static let secureMessagingObjectIncorrect = Status(0x6988)
  static let wrongData = Status(0x6A80)
  static let functionNotSupported = Status(0x6A81)
  static let fileNotFound = Status(0x6A82)
  static let wrongParameters = Status(0x6A86)
  static let parameterMissing = Status(0x6A87)
  /// The same word if the data field is longer or shorter than P1-P2 say.
  static let lengthInconsistent = Status(0x6A87)
  static let referencedDataNotFound = Status(0x6A88)
  static let offsetOutsideFile = Status(0x6B00)
  static let instructionNotSupported = Status(0x6D00)
  static let classNotSupported = Status(0x6E00)
  static let noDiagnosis = Status(0x6F00)

  /// The other word that IAS ECC §7.1.7 allows if secure messaging is missing or incomplete.
  var alternative: Status {
    [.conditionsNotSatisfied, .secureMessagingObjectMissing].contains(self)
      ? .securityStatusNotSatisfied : self
  }

  /// 63Cx: a wrong PIN or PUK, with this many remaining tries.
  static func triesLeft(_ tries: Int) -> Status { Status(0x63C0 | UInt16(clamping: tries) & 0x0F) }

  /// 61xx: this many bytes wait for GET RESPONSE; 00 stands for 256 or more.
  static func bytesWaiting(_ count: Int) -> Status { Status(0x6100 | low(count)) }

  /// 6Cxx: repeat with this Le; 00 stands for 256.
  static func correctLength(_ count: Int) -> Status { Status(0x6C00 | low(count)) }

  private static func low(_ count: Int) -> UInt16 {
    (0..<256).contains(count) ? UInt16(count) : 0
  }
}
