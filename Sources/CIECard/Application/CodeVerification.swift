/// Commands for PIN and PUK (ISO/IEC 7816-4 §11.5.6–11.5.10), only ever inside a proven secure
/// channel.
extension SecureChannel where Channel: ~Copyable {
  /// VERIFY, once.
  ///
  /// - Throws: `.wrongCode` with the remaining tries if the card reports them, `.blocked`, or
  ///   `.refused`.
  mutating func verify(
    _ kind: CardError.CodeKind, _ digits: borrowing Secret
  ) throws(CardError) {
    let command = CommandAPDU.verify(kind.reference)
    try requireCode(command, digits, kind: kind, at: kind == .pin ? .verifyPIN : .verifyPUK)
  }

  /// CHANGE REFERENCE DATA of the PIN: old and new PIN.
  mutating func change(
    old: borrowing Secret, new: borrowing Secret
  ) throws(CardError) {
    let both = Secret(count: old.count + new.count) { buffer in
      old.withBytes { buffer.copyBytes(from: $0) }
      new.withBytes {
        UnsafeMutableRawBufferPointer(rebasing: buffer[old.count...]).copyBytes(from: $0)
      }
    }
    let command = CommandAPDU.changeReferenceData(CardError.CodeKind.pin.reference)
    try requireCode(command, both, kind: .pin, at: .changePIN)
  }

  /// RESET RETRY COUNTER with a new PIN (P1 = 02), after the PUK was verified.
  mutating func reset(new: borrowing Secret) throws(CardError) {
    let command = CommandAPDU.resetRetryCounter(CardError.CodeKind.pin.reference)
    try requireCode(command, new, kind: .pin, at: .resetPIN)
  }

  private mutating func requireCode(
    _ command: CommandAPDU, _ data: borrowing Secret, kind: CardError.CodeKind,
    at step: CardError.Step
  ) throws(CardError) {
    let response: ResponseAPDU
    do throws(CardError.Reason) {
      response = try send(command, secretData: data)
    } catch {
      let isSent = error != .channel(.withheld)
      let isUnknown = isSent && (step == .changePIN || step == .resetPIN)
      throw CardError(step, isUnknown ? .outcomeUnknown(because: error) : error)
    }
    switch response.status {
    case .success: return
    case .triesLeft(0), .authenticationBlocked: throw CardError(step, .blocked(kind))
    case .triesLeft(let count): throw CardError(step, .wrongCode(kind, triesLeft: Int(count)))
    // 6300: for a code without a try limit (IAS ECC §9.4.1). 6700 is different, because no try was
    // spent.
    case .authenticationFailed: throw CardError(step, .wrongCode(kind, triesLeft: nil))
    default: throw CardError(step, .refused(response.status))
    }
  }

  /// The remaining tries in the PIN object, which the card returns only in a proven channel (CIE
  /// 3.0 chip specification, annex A).
  ///
  /// - Returns: `nil` if the card does not return them, whatever its status word.
  mutating func readTries(of kind: CardError.CodeKind) throws(CardError) -> Int? {
    let response = try send(SecurityDataObject.controlParameters(of: kind), at: .readTries)
    guard response.status == .success else { return nil }
    return SecurityDataObject.triesLeft(of: kind, in: response.data)
  }
}

extension SecurityDataObject {
  /// Parses the remaining tries in the control parameters: 70 { BF8101 { A0 { 9A maximum, 9B
  /// remaining } } }.
  ///
  /// - Returns: `nil` if they have another form.
  static func triesLeft(of kind: CardError.CodeKind, in data: [UInt8]) -> Int? {
    let object: UInt32 = 0xBF8100 | UInt32(kind.reference & 0x0F)
    var outer = TLVCursor(data)
    guard let template = try? outer.next(0x70),
      let parameters = try? template.contents.first(object).contents.first(0xA0),
      let remaining = try? parameters.contents.first(0x9B), remaining.value.count == 1
    else { return nil }
    return remaining.value.first.map(Int.init)
  }
}
