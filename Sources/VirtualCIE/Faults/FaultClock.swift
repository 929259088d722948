internal import CIECard

/// Follows a plan through a conversation.
struct FaultClock {
  private let plan: FaultPlan
  private var commands = 0
  private var occurrences: [UInt8: Int] = [:]
  private var lasting: [Fault] = []
  private(set) var triggered = 0

  init(_ plan: FaultPlan) { self.plan = plan }

  /// Counts a command and returns the faults at it.
  mutating func faults(at instruction: UInt8) -> ActiveFaults {
    commands += 1
    occurrences[instruction, default: 0] += 1
    var active = ActiveFaults()
    for fault in lasting { active.add(fault) }
    for entry in plan.entries where isNow(entry.moment, instruction) {
      triggered += 1
      active.add(entry.fault)
      if entry.fault.isLasting { lasting.append(entry.fault) }
    }
    return active
  }

  /// Ends the faults that a reset ends: a card that was removed or mute is there again.
  mutating func reset() {
    lasting.removeAll { $0 == .cardRemoved || $0 == .cardMute }
  }

  private func isNow(_ moment: FaultPlan.Moment, _ instruction: UInt8) -> Bool {
    switch moment {
    case .command(let number): number == commands
    case .instruction(let wanted, let occurrence):
      wanted == instruction && occurrence == occurrences[instruction]
    }
  }
}

struct ActiveFaults {
  var flaw: CardSession.Flaw?
  /// True if the answer to a protected command is sent in the clear.
  var stripsProtection = false
  /// Number of bytes of the answer that are sent; nil for all.
  var keptLength: Int?
  /// Number of bytes missing before the status word.
  var cutCount = 0
  /// Number of extra bytes before the status word.
  var extraCount = 0
  /// Replacement of the second byte of an answer with data; nil for none.
  var falseLength: UInt8?
  /// True if the card is reset before the command reaches it.
  var isReset = false
  var isSwapped = false
  var misbehaviour = Misbehaviour()
  /// Data length of an answer that never ends; nil for none.
  var endlessDataLength: Int?
  /// True if every answer asks for another length.
  var endlesslyCorrects = false
  /// The error in place of an answer.
  var absence: ChannelError?
  /// Milliseconds before the answer, at most ten minutes.
  var delay = 0
  /// A status word in place of the command.
  var status: Status?

  fileprivate mutating func add(_ fault: Fault) {
    switch fault {
    case .wrongMAC: flaw = .wrongMAC
    case .staleCounter: flaw = .staleCounter
    case .strippedProtection: stripsProtection = true
    case .truncatedAnswer(let length): keptLength = max(0, length)
    case .cutData(let count): cutCount = count
    case .extraData(let count): extraCount = min(max(0, count), 65_536)
    case .falseLength(let byte): falseLength = byte
    case .wrongAuthenticationSignature: misbehaviour.wrongAuthenticationSignature = true
    case .wrongSignature: misbehaviour.wrongSignature = true
    case .trivialDHValue(let value): misbehaviour.trivialValue = value
    case .wrongToken: misbehaviour.wrongToken = true
    case .paceValue(let value): misbehaviour.paceValue = value
    case .tamperedGroup(let number): misbehaviour.tamperedGroup = number
    case .hiddenFile(let file, let word, let isBare):
      misbehaviour.hiddenFiles[file] = Refusal(Status(word), endsSession: isBare)
    case .foreignSecurityObject: misbehaviour.foreignSecurityObject = true
    case .wrongChipAuthenticationKey: misbehaviour.wrongChipKey = true
    case .wrongActiveAuthentication: misbehaviour.wrongActiveAuthentication = true
    case .endless61xx(let length): endlessDataLength = min(max(0, length), 65_536)
    case .endless6Cxx: endlesslyCorrects = true
    case .cardRemoved: absence = .cardRemoved
    case .cardMute: absence = .cardMute
    case .cardReset:
      isReset = true
      absence = .cardReset
    case .cardSwapped: isSwapped = true
    case .serviceStopped: absence = .serviceStopped
    case .delay(let milliseconds): delay = min(max(delay, milliseconds), 600_000)
    case .statusWord(let word): status = Status(word)
    case .bareStatusWord(let word):
      status = Status(word)
      stripsProtection = true
    }
  }
}

/// The deliberate faults of the application.
struct Misbehaviour: Equatable {
  /// INTERNAL AUTHENTICATE with the device key signs a wrong hash.
  var wrongAuthenticationSignature = false
  /// INTERNAL AUTHENTICATE with the holder's key signs a wrong text.
  var wrongSignature = false
  var trivialValue: Fault.TrivialDHValue?
  var wrongToken = false
  var paceValue: Fault.PACEValue?
  /// A data group with its last byte changed.
  var tamperedGroup: UInt8?
  /// Files that seem to be missing, with the card's refusal.
  var hiddenFiles: [UInt16: Refusal] = [:]
  var foreignSecurityObject = false
  /// Chip authentication with another key than that of DG14.
  var wrongChipKey = false
  var wrongActiveAuthentication = false
}
