internal import CIECard

/// The card's transmission layers, from the bytes on the wire to one plain command and back:
/// splitting, GET RESPONSE, secure messaging, chaining.
struct CardLink: ~Copyable {
  private var session: CardSession?
  private var chain = CommandChain()
  private var waiting: WaitingResponse?
  private var correction: UInt8 = 0

  struct Record {
    var isSecured = false
    /// The status word before protection.
    var status: Status?
  }

  /// Takes the bytes of a command and returns those of the response.
  mutating func respond(
    to bytes: [UInt8], on application: inout CardApplication, faults: ActiveFaults,
    record: inout Record
  ) -> [UInt8] {
    if faults.endlesslyCorrects {
      correction = correction % 0xFF + 1
      record.status = .correctLength(Int(correction))
      return Status.correctLength(Int(correction)).bytes
    }
    if let length = faults.endlessDataLength {
      record.status = .bytesWaiting(0x10)
      return [UInt8](repeating: 0, count: length) + Status.bytesWaiting(0x10).bytes
    }
    guard let command = CardCommand(splitting: bytes),
      fits(command, bytes.count, application)
    else {
      endSession(&application)
      waiting = nil
      record.status = .wrongLength
      return Status.wrongLength.bytes
    }
    let limit = responseLimit(command, application)
    if command.ins == 0xC0, command.cla == 0x00 || command.cla == 0x0C {
      return fetch(command, limit, &record)
    }
    record.isSecured = command.isSecured
    let (body, status) = exchange(command, &application, faults, &record)
    var response = WaitingResponse(body, status)
    if application.options.has(.waitingInChain), chain.isOpen {
      return hold(response)
    }
    if application.options.has(.dataLater), !body.isEmpty { return hold(response) }
    let first = response.next(atMost: limit)
    waiting = response.isEmpty ? nil : response
    return first
  }

  /// Keeps a complete answer for GET RESPONSE and announces only its length.
  private mutating func hold(_ response: WaitingResponse) -> [UInt8] {
    waiting = response.isEmpty ? nil : response
    return Status.bytesWaiting(response.count).bytes
  }

  /// GET RESPONSE (ISO/IEC 7816-4 §11.7.1): plain even inside secure messaging, without
  /// incrementing its counter.
  private mutating func fetch(
    _ command: CardCommand, _ limit: Int, _ record: inout Record
  ) -> [UInt8] {
    var response = Status.conditionsNotSatisfied.bytes
    if command.parameters != 0 {
      response = Status.wrongParameters.bytes
    } else if !command.data.isEmpty {
      response = Status.wrongLength.bytes
    } else if var rest = waiting {
      response = rest.next(atMost: limit)
      waiting = rest.isEmpty ? nil : rest
    }
    // In clear, a piece of a chain has nothing to fetch: GET RESPONSE then breaks the chain.
    if waiting == nil, session == nil { chain.abandon() }
    record.status = Status(response.suffix(2).reduce(0) { $0 << 8 | UInt16($1) })
    return response
  }

  /// Removes the protection of a command, executes it, and protects the answer.
  private mutating func exchange(
    _ command: CardCommand, _ application: inout CardApplication, _ faults: ActiveFaults,
    _ record: inout Record
  ) -> (body: [UInt8], status: Status) {
    var plain = command
    do throws(Refusal) {
      try checkClass(command.cla)
      if command.isSecured {
        guard session != nil else { throw Refusal(.conditionsNotSatisfied) }
        if let opened = try session?.open(command) { plain = opened }
      } else {
        // Any plain command but GET RESPONSE and SELECT by AID ends secure messaging (IAS ECC §7.1.14, §3.3.3.1).
        if command.ins != 0xA4 || command.p1 != 0x04 || application.options.has(.selectEndsSession)
        {
          endSession(&application)
        }
      }
    } catch {
      let isOther = application.options.has(.otherSecureMessagingWords)
      let status = isOther ? error.status.alternative : error.status
      endSession(&application)
      record.status = status
      return ([], status)
    }
    let answer = faults.status.map(Answer.status) ?? execute(plain, &application)
    record.status = answer.status
    if plain.isSecured, isBare(answer, application) {
      endSession(&application)
      return ([], answer.status)
    }
    let body = protect(answer, plain, faults)
    if body == nil { endSession(&application) }
    change(answer.afterwards, &application)
    return (body ?? [], body == nil ? .noDiagnosis : answer.status)
  }

  /// True if the answer in a session is a bare status word, which ends the session.
  private func isBare(_ answer: Answer, _ application: CardApplication) -> Bool {
    if answer.afterwards == .end { return true }
    return application.options.has(.bareErrors)
      && ![.success, .endOfFile].contains(answer.status)
  }

  private mutating func execute(
    _ plain: CardCommand, _ application: inout CardApplication
  ) -> Answer {
    do throws(Refusal) {
      guard let whole = try chain.take(plain) else { return .success }
      return application.execute(whole, isSecured: whole.isSecured)
    } catch {
      return .status(error.status)
    }
  }

  /// The body of the response; nil if the calculation failed.
  private mutating func protect(
    _ answer: Answer, _ command: CardCommand, _ faults: ActiveFaults
  ) -> [UInt8]? {
    guard command.isSecured, !faults.stripsProtection else { return answer.data }
    do throws(CryptoError) {
      return try session?.seal(
        answer, oddInstruction: command.ins & 1 == 1, flaw: faults.flaw)
    } catch {
      return nil
    }
  }

  private mutating func change(
    _ change: Answer.SessionChange, _ application: inout CardApplication
  ) {
    switch change {
    case .none: break
    case .end: endSession(&application)
    case .restart(let counter): session?.restart(counter: counter)
    case .begin(let keys): session = CardSession(keys)
    }
  }

  private mutating func endSession(_ application: inout CardApplication) {
    guard session != nil else { return }
    session = nil
    chain.abandon()
    application.state.endSession()
  }

  /// Class bytes of the first interindustry range (ISO/IEC 7816-4 §5.4.1): 00 10 0C 1C.
  private func checkClass(_ cla: UInt8) throws(Refusal) {
    guard cla & 0xE0 == 0 else { throw Refusal(.classNotSupported) }
    guard cla & 0x03 == 0 else { throw Refusal(.logicalChannelNotSupported) }
    guard [0x00, CardCommand.secureBits].contains(cla & CardCommand.secureBits) else {
      throw Refusal(.secureMessagingNotSupported)
    }
  }

  private func fits(
    _ command: CardCommand, _ length: Int, _ application: CardApplication
  ) -> Bool {
    guard command.isExtended else { return true }
    return application.extendedLength(of: command).map { length <= $0.command } ?? false
  }

  /// Most data bytes of the next answer: Ne, or 256 without Le, limited to what the card can send.
  private func responseLimit(_ command: CardCommand, _ application: CardApplication) -> Int {
    let extended = command.isExtended ? application.extendedLength(of: command) : nil
    let capacity = (extended?.response ?? 258) - 2
    return min(command.expected ?? 256, capacity)
  }
}
