// Deliberately written apart from CIECard: the card's PIN commands.

extension CardApplication {
  /// VERIFY (ISO/IEC 7816-4 §11.5.6): P2 81 PIN, 82 PUK; eight digits.
  mutating func verify(_ command: CardCommand, _ isSecured: Bool) throws(Refusal) -> Answer {
    guard command.p1 == 0 else { throw Refusal(.wrongParameters) }
    let reference = try holderReference(command, isSecured)
    // An empty VERIFY might tell the counter on other cards; here it is a wrong length and costs nothing.
    guard command.data.count == PINStore.length else { throw Refusal(.wrongLength) }
    return .status(compare(reference, command.data))
  }

  /// CHANGE REFERENCE DATA (ISO/IEC 7816-4 §11.5.7): old PIN ‖ new PIN.
  mutating func changeReferenceData(
    _ command: CardCommand, _ isSecured: Bool
  ) throws(Refusal) -> Answer {
    guard command.p1 == 0 else { throw Refusal(.wrongParameters) }
    let reference = try holderReference(command, isSecured)
    guard reference == .pin else { throw Refusal(.securityStatusNotSatisfied) }
    guard command.data.count == 2 * PINStore.length else { throw Refusal(.wrongLength) }
    let new = [UInt8](command.data.suffix(PINStore.length))
    guard PINStore.isWellFormed(new) else { throw Refusal(.wrongData) }
    let status = compare(reference, [UInt8](command.data.prefix(PINStore.length)))
    if status == .success { pins.renew(reference, value: new) }
    return .status(status)
  }

  /// RESET RETRY COUNTER (ISO/IEC 7816-4 §11.5.10) after the PUK: P1 02 with a new PIN, 03 keeps the PIN.
  mutating func resetRetryCounter(
    _ command: CardCommand, _ isSecured: Bool
  ) throws(Refusal) -> Answer {
    guard [0x02, 0x03].contains(command.p1) else { throw Refusal(.wrongParameters) }
    let reference = try holderReference(command, isSecured)
    guard reference == .pin, state.verified.contains(.puk) else {
      throw Refusal(.securityStatusNotSatisfied)
    }
    guard command.data.count == (command.p1 == 0x02 ? PINStore.length : 0) else {
      throw Refusal(.wrongLength)
    }
    guard command.p1 == 0x03 || PINStore.isWellFormed(command.data) else {
      throw Refusal(.wrongData)
    }
    pins.renew(reference, value: command.p1 == 0x02 ? command.data : nil)
    state.verified.remove(reference)
    return .success
  }

  /// What all PIN commands ask for: a channel with both devices proven, and a reference that exists here.
  private func holderReference(
    _ command: CardCommand, _ isSecured: Bool
  ) throws(Refusal) -> PINReference {
    guard isSecured, state.devicesProven else { throw Refusal(.securityStatusNotSatisfied) }
    guard state.application == .identity, let reference = PINReference(rawValue: command.p2)
    else { throw Refusal(.referencedDataNotFound) }
    return reference
  }

  private mutating func compare(_ reference: PINReference, _ candidate: [UInt8]) -> Status {
    state.verified.remove(reference)
    let status = pins.verify(reference, candidate)
    if status != .methodBlocked { counters.verifications += 1 }
    if status == .success { state.verified.insert(reference) }
    return status
  }
}
