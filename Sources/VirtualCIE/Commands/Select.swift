extension CardApplication {
  /// SELECT (ISO/IEC 7816-4 §11.2.2; IAS ECC §9.7.1): the MF, an application by AID, a file under the current
  /// application.
  mutating func select(_ command: CardCommand) throws(Refusal) -> Answer {
    guard [0x00, 0x04, 0x0C].contains(command.p2) else { throw Refusal(.wrongParameters) }
    let template: [UInt8]
    switch command.p1 {
    case 0x00 where command.data.isEmpty && options.has(.noBareRoot):
      throw Refusal(.wrongParameters)
    case 0x00 where command.data.isEmpty || command.data == [0x3F, 0x00],
      0x03 where command.data.isEmpty:
      guard !options.has(.noRoot) else { throw Refusal(.fileNotFound) }
      template = enter(.root)
    case 0x00, 0x02:
      template = try selectFile(command.data)
    case 0x01:
      // A child DF by its identifier: those of this card have a name only (IAS ECC §3.3.4, no tag 83).
      guard command.data.count == 2 else { throw Refusal(.lengthInconsistent) }
      throw Refusal(.fileNotFound)
    case 0x09:
      // A path from the current DF, which is not part of it: one step long here, as no DF has an identifier.
      guard !command.data.isEmpty, command.data.count % 2 == 0 else {
        throw Refusal(.lengthInconsistent)
      }
      guard command.data.count == 2 else { throw Refusal(.fileNotFound) }
      template = try selectFile(command.data)
    case 0x04:
      let known = Application(aid: command.data, knowsRootAID: profile.knowsRootAID)
      guard let application = known else { throw Refusal(.fileNotFound) }
      template = enter(application)
    default:
      throw Refusal(.wrongParameters)
    }
    // A bare SELECT MF (four bytes) requests no data and gets none.
    return command.p2 == 0x0C || command.data.isEmpty ? .success : .data(template)
  }

  /// FCP (ISO/IEC 7816-4 §7.4.3) or FCI.
  private var controlTag: UInt32 { options.has(.controlInformation) ? 0x6F : 0x62 }

  /// Makes an application current, with its first security environment and without the terminal
  /// key. The proofs of channel and holder remain (IAS ECC §3.5.5, §4.1.1, §7.2.6.5).
  private mutating func enter(_ application: Application) -> [UInt8] {
    state.application = application
    if application == .identity, options.has(.hiddenRoot) {
      untilPowerOff.insert(.hiddenRoot)
    }
    state.file = nil
    // Environment 1 of the CIE application: client and server authentication with key 81.
    state.privateKey = application == .identity ? .key(.holder) : nil
    state.verificationKey = nil
    state.terminal = nil
    state.chipAuthentication = nil
    return application.controlParameters(tag: controlTag)
  }

  private mutating func selectFile(_ identifier: [UInt8]) throws(Refusal) -> [UInt8] {
    guard identifier.count == 2 else { throw Refusal(.lengthInconsistent) }
    guard let application = state.application else { throw Refusal(.fileNotFound) }
    try checkApplication(application)
    let number = identifier.reduce(0) { $0 << 8 | UInt16($1) }
    guard let file = visibleFiles(of: application).first(where: { $0.identifier == number }) else {
      throw Refusal(.fileNotFound)
    }
    if let refusal = misbehaviour.hiddenFiles[number] { throw refusal }
    if file.access == .never { throw Refusal(.securityStatusNotSatisfied) }
    state.file = file
    return file.controlParameters(tag: controlTag)
  }
}
