extension CardApplication {
  /// VERIFY (ISO/IEC 7816-4 §11.5.6; IAS ECC §9.4.1): P2 81 PIN, 82 PUK; eight digits.
  mutating func verify(_ command: CardCommand) throws(Refusal) -> Answer {
    guard command.p1 == 0 else { throw Refusal(.wrongParameters) }
    // Another length costs no try, and an empty VERIFY does not return the counter.
    guard command.data.count == PINStore.length else { throw Refusal(.wrongLength) }
    let reference = try holderReference(command)
    try requireProvenChannel()
    return .status(compare(reference, command.data, lastTry: .triesLeft(0)))
  }

  /// CHANGE REFERENCE DATA (ISO/IEC 7816-4 §11.5.7; IAS ECC §9.4.2): old PIN ‖ new PIN, after the PIN; it must be
  /// verified again afterwards. The PUK cannot be changed.
  mutating func changeReferenceData(_ command: CardCommand) throws(Refusal) -> Answer {
    guard command.p1 == 0 else { throw Refusal(.wrongParameters) }
    guard command.data.count == 2 * PINStore.length else { throw Refusal(.wrongLength) }
    let reference = try holderReference(command)
    guard reference == .pin else { throw Refusal(.securityStatusNotSatisfied) }
    try requireVerifiedPIN()
    let new = [UInt8](command.data.suffix(PINStore.length))
    guard PINStore.isWellFormed(new) else { throw Refusal(.wrongData) }
    let status = compare(
      reference, [UInt8](command.data.prefix(PINStore.length)), lastTry: .methodBlocked)
    if status == .success {
      pins.renew(reference, value: new)
      state.verified.remove(reference)
    } else if pins[reference].remaining > 0 {
      // A wrong old value costs a try; the PIN stays verified if it was.
      state.verified.insert(reference)
    }
    return .status(status)
  }

  /// RESET RETRY COUNTER (ISO/IEC 7816-4 §11.5.10; IAS ECC §9.4.3) after the PUK: P1 02 with a new PIN, 03 keeps the
  /// PIN. The PIN must be verified again, the PUK stays verified.
  mutating func resetRetryCounter(_ command: CardCommand) throws(Refusal) -> Answer {
    guard [0x02, 0x03].contains(command.p1) else { throw Refusal(.wrongParameters) }
    guard command.data.count == (command.p1 == 0x02 ? PINStore.length : 0) else {
      throw Refusal(.wrongLength)
    }
    let reference = try holderReference(command)
    try requireProvenChannel()
    guard reference == .pin, state.verified.contains(.puk) else {
      throw Refusal(.securityStatusNotSatisfied)
    }
    guard command.p1 == 0x03 || PINStore.isWellFormed(command.data) else {
      throw Refusal(.wrongData)
    }
    pins.renew(reference, value: command.p1 == 0x02 ? command.data : nil)
    state.verified.remove(reference)
    return .success
  }

  /// PIN or PUK; both are objects of the CIE application.
  private func holderReference(_ command: CardCommand) throws(Refusal) -> PINReference {
    guard state.application == .identity, let reference = PINReference(rawValue: command.p2)
    else { throw Refusal(.referencedDataNotFound) }
    return reference
  }

  /// - Parameter lastTry: the status word when the last try was wrong; a card may have the two
  ///   exchanged.
  private mutating func compare(
    _ reference: PINReference, _ candidate: [UInt8], lastTry: Status
  ) -> Status {
    state.verified.remove(reference)
    let status = pins.verify(reference, candidate)
    if status != .methodBlocked { counters.verifications += 1 }
    if status == .success { state.verified.insert(reference) }
    guard status == .triesLeft(0) else { return status }
    let other: Status = lastTry == .methodBlocked ? .triesLeft(0) : .methodBlocked
    return options.has(.lastTrySwapped) ? other : lastTry
  }
}
