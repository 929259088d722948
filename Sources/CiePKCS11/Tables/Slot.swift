internal import CIECard

/// A slot: its reader, the card in it, and the state of that card.
struct Slot {
  /// The last reader in this slot.
  var name: String?
  /// The reader itself, while it is connected.
  var reader: PCSCContext.Reader?
  /// The card to which the rest refers.
  private(set) var insertion: Insertion?
  /// The card as last shown by the service; `nil` once it is known to have left.
  var sight: Sight?
  var hasEvent = false

  var token = Token.unknown
  /// True while the card cannot have been exchanged. A reader that is unplugged and comes back
  /// counts its events from the start, so that after a while without a look another card may appear
  /// to be the same one (pcsc-lite 2.0 and later).
  var isSure = false
  var login = LoginState.nobody
  /// The objects, once a login has read the certificate.
  var objects: TokenObjects?

  /// A card as the service shows it.
  struct Sight {
    let reader: String
    let answerToReset: [UInt8]
    let eventCount: UInt16

    init?(_ reader: PCSCContext.Reader) {
      guard let answerToReset = reader.answerToReset else { return nil }
      self.answerToReset = answerToReset
      self.reader = reader.name
      eventCount = reader.eventCount
    }

    /// True if it may be the same card. During a reset, the service may report an empty ATR.
    func isSame(as other: Sight) -> Bool {
      let answers = [answerToReset, other.answerToReset]
      return reader == other.reader && eventCount == other.eventCount
        && (answers[0] == answers[1] || answers.contains([]))
    }
  }

  /// Begins with another card, or none: the previous state is dropped.
  mutating func begin(_ now: Sight?, _ number: Int) {
    let (name, reader) = (name, reader)
    self = Slot()
    (self.name, self.reader, sight, hasEvent) = (name, reader, now, true)
    insertion = now.map { Insertion(reader: $0.reader, number: number) }
  }

  var visibleObjects: [TokenObject] {
    (objects?.all ?? []).filter { $0.kind != .privateKey || login == .user }
  }
}

/// The user types of a login (PKCS #11 v2.40 §4.4, CK_USER_TYPE).
enum User: UInt {
  /// CKU_SO, the security officer: the holder of the PUK. May set a new PIN, and nothing else.
  case securityOfficer = 0
  /// CKU_USER: the holder, by the PIN.
  case user = 1
  /// CKU_CONTEXT_SPECIFIC: for keys that require the PIN at every use, which this one does not.
  case contextSpecific = 2
}

enum LoginState {
  case nobody
  case user
  case securityOfficer
}
