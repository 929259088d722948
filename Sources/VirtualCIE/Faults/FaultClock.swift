// Deliberately written apart from CIECard.

internal import CIECard

/// Follows a plan through a conversation.
struct FaultClock {
  private let plan: FaultPlan
  private var commands = 0
  private var occurrences: [UInt8: Int] = [:]
  private var lasting: [Fault] = []
  /// Planned faults whose moment has come.
  private(set) var triggered = 0

  init(_ plan: FaultPlan) { self.plan = plan }

  /// Counts a command and tells what goes wrong at it.
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

  /// Ends what a reset ends: a card that was gone or mute is there again.
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

/// All that goes wrong at one command.
struct ActiveFaults {
  /// How secure messaging is flawed.
  var flaw: CardSession.Flaw?
  /// Whether the answer to a protected command comes in the clear.
  var stripsProtection = false
  /// How many bytes of the answer come; nil for all.
  var keptLength: Int?
  /// How many bytes before the status word are missing.
  var cutCount = 0
  /// What the commands themselves do wrong.
  var misbehaviour = Misbehaviour()
  /// Data length of an answer that never ends; nil for none.
  var endlessDataLength: Int?
  /// Whether every answer asks for another length.
  var endlesslyCorrects = false
  /// Why no answer comes.
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
    case .wrongAuthenticationSignature: misbehaviour.wrongAuthenticationSignature = true
    case .wrongSignature: misbehaviour.wrongSignature = true
    case .trivialDHValue(let value): misbehaviour.trivialValue = value
    case .wrongToken: misbehaviour.wrongToken = true
    case .paceValue(let value): misbehaviour.paceValue = value
    case .tamperedGroup(let number): misbehaviour.tamperedGroup = number
    case .foreignSecurityObject: misbehaviour.foreignSecurityObject = true
    case .wrongChipAuthenticationKey: misbehaviour.wrongChipKey = true
    case .wrongActiveAuthentication: misbehaviour.wrongActiveAuthentication = true
    case .endless61xx(let length): endlessDataLength = min(max(0, length), 65_536)
    case .endless6Cxx: endlesslyCorrects = true
    case .cardRemoved: absence = .cardRemoved
    case .cardMute: absence = .cardMute
    case .delay(let milliseconds): delay = min(max(delay, milliseconds), 600_000)
    case .statusWord(let word): status = Status(word)
    case .bareStatusWord(let word):
      status = Status(word)
      stripsProtection = true
    }
  }
}

/// What the application does wrong on purpose.
struct Misbehaviour: Equatable {
  /// INTERNAL AUTHENTICATE with the device key signs another hash.
  var wrongAuthenticationSignature = false
  /// INTERNAL AUTHENTICATE with the holder's key signs another text.
  var wrongSignature = false
  /// A Diffie–Hellman value that gives the secret away.
  var trivialValue: Fault.TrivialDHValue?
  /// PACE ends with another token.
  var wrongToken = false
  /// A public value of PACE that no terminal should accept.
  var paceValue: Fault.PACEValue?
  /// A data group with its last byte changed.
  var tamperedGroup: UInt8?
  /// EF.SOD is that of another persona.
  var foreignSecurityObject = false
  /// Chip authentication with another key than that of DG14.
  var wrongChipKey = false
  /// Active authentication signs something else.
  var wrongActiveAuthentication = false
}
