public import CIECard
internal import Glibc

/// A software CIE: command APDUs in, response APDUs out, like a chip in a reader.
///
/// It is one serial device: use it from one thread at a time. PIN, PUK and their counters live in its
/// memory, everything else until the next reset. No input can make it trap.
public final class VirtualCard {
  /// The persona of the card; another one after the fault `cardSwapped`.
  public private(set) var persona: Persona
  private var application: CardApplication
  private var link = CardLink()
  private var clock: FaultClock
  private var entries: [CardLog.Entry] = []

  /// A card as issued: all tries left, powered on.
  ///
  /// - Parameters:
  ///   - persona: the holder and the kind of chip.
  ///   - random: the source of the card's secrets and challenges.
  ///   - faults: its faults, and their moments.
  ///   - options: its differences from the persona.
  ///   - memory: that of the same card when it was on a reader before.
  public convenience init(
    persona: Persona, random: some RandomSource = SystemRandom(), faults: FaultPlan = FaultPlan(),
    options: CardOptions = CardOptions(), memory: CardMemory = CardMemory()
  ) {
    self.init(
      persona: persona, travelDocument: persona.travelDocument, random: random, faults: faults,
      options: options, memory: memory)
  }

  /// A card with the chip of one persona and the travel document of another.
  ///
  /// - Parameters:
  ///   - persona: the holder as far as IAS goes, and the kind of chip.
  ///   - other: the holder of the travel document.
  ///   - options: its differences from the persona.
  package convenience init(
    persona: Persona, travelDocumentOf other: Persona, options: CardOptions = CardOptions()
  ) {
    self.init(
      persona: persona, travelDocument: other.travelDocument, random: SystemRandom(),
      options: options)
  }

  init(
    persona: Persona, travelDocument: TravelDocumentData?, random: some RandomSource,
    faults: FaultPlan = FaultPlan(), options: CardOptions = CardOptions(),
    memory: CardMemory = CardMemory()
  ) {
    self.persona = persona
    application = CardApplication(
      persona, travelDocument: travelDocument, options: options, random: random, memory: memory)
    clock = FaultClock(faults)
  }

  /// The answer to reset (PC/SC part 3).
  public var answerToReset: [UInt8] { application.profile.answerToReset }

  /// True if the card announces extended-length APDUs.
  public var announcesExtendedLength: Bool { application.profile.extendedLength != nil }

  /// True if the card accepts extended-length APDUs, at least for the key agreement of PACE.
  public var takesExtendedLength: Bool { !application.options.refusesExtendedLength }

  /// The commands so far, without any data.
  public var log: CardLog {
    CardLog(
      entries: entries, counters: application.counters, triggeredFaults: clock.triggered)
  }

  /// Tries left for the PIN and the PUK.
  public var triesLeft: (pin: Int, puk: Int) {
    (application.pins[.pin].remaining, application.pins[.puk].remaining)
  }

  /// Powers the card on after the field was off: a reset that also clears state that survives a
  /// warm one.
  ///
  /// - Returns: the answer to reset.
  @discardableResult
  public func powerOn() -> [UInt8] {
    application.untilPowerOff = []
    return reset()
  }

  /// Resets the card with its power on: secure channel, verified PIN and selected files are
  /// cleared.
  ///
  /// - Returns: the answer to reset.
  @discardableResult
  public func reset() -> [UInt8] {
    link = CardLink()
    application.state = SecurityState(afterReset: application.options)
    clock.reset()
    return answerToReset
  }

  /// Ends all faults; a PIN that was set and tries that were spent remain.
  public func forgive() {
    clock = FaultClock(FaultPlan())
    powerOn()
  }

  /// Executes one command APDU.
  ///
  /// - Returns: the response APDU; shorter than a status word only by a fault.
  /// - Throws: `ChannelError.cardRemoved`, `.cardMute`, `.cardReset` or `.serviceStopped` by a
  ///   fault, nothing else.
  public func respond(to command: [UInt8]) throws(ChannelError) -> [UInt8] {
    let header = command.prefix(4) + [0, 0, 0, 0]
    let faults = clock.faults(at: header[1])
    application.misbehaviour = faults.misbehaviour
    var response: [UInt8] = []
    var record = CardLink.Record()
    defer {
      entries.append(
        CardLog.Entry(
          instruction: header[1], p1: header[2], p2: header[3], isSecured: record.isSecured,
          statusWord: record.status?.word ?? 0, commandLength: command.count,
          responseLength: response.count))
    }
    if faults.delay > 0 { usleep(UInt32(clamping: faults.delay * 1000)) }
    if faults.isReset { reset() }
    if faults.isSwapped { swap() }
    if let absence = faults.absence { throw absence }
    response = link.respond(to: command, on: &application, faults: faults, record: &record)
    if application.pause > 0 { usleep(UInt32(clamping: application.pause * 1000)) }
    application.pause = 0
    if faults.cutCount > 0 {
      response = response.dropLast(2).dropLast(faults.cutCount) + response.suffix(2)
    }
    if let byte = faults.falseLength, response.count >= 4 { response[1] = byte }
    if faults.extraCount > 0 {
      let extra = [UInt8](repeating: 0x55, count: faults.extraCount)
      response = response.dropLast(2) + extra + response.suffix(2)
    }
    if let length = faults.keptLength { response = [UInt8](response.prefix(length)) }
    return response
  }

  /// Replaces the card with that of the next persona; the log continues.
  private func swap() {
    let next = Persona.all.drop { $0.identifier != persona.identifier }.dropFirst().first
    guard let other = next ?? Persona.all.first else { return }
    let counters = application.counters
    persona = other
    application = CardApplication(
      other, travelDocument: other.travelDocument, options: application.options,
      random: application.random)
    application.counters = counters
    link = CardLink()
  }
}
