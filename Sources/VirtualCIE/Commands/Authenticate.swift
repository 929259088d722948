// Deliberately written apart from CIECard: the card's side of device authentication and signing.

internal import CIECard

extension CardApplication {
  /// Longest text that INTERNAL AUTHENTICATE signs with PKCS#1: 40 % of the modulus (IAS ECC §9.5.4).
  private static let longestText = 102

  /// GET CHALLENGE: RND.ICC, eight bytes.
  mutating func getChallenge(_ command: CardCommand) throws(Refusal) -> Answer {
    guard command.parameters == 0 else { throw Refusal(.wrongParameters) }
    if state.application == .travelDocument, let document, !document.allowsBasicAccess {
      throw Refusal(.functionNotSupported)
    }
    guard command.data.isEmpty, [8, 256, 65_536].contains(command.expected ?? 256) else {
      throw Refusal(.wrongLength)
    }
    let challenge = try randomBytes(8)
    state.challenge = challenge
    return .data(challenge)
  }

  /// EXTERNAL AUTHENTICATE: the terminal proves its key, SN.IFD ‖ SIG (IAS ECC §7.2.5).
  mutating func externalAuthenticate(
    _ command: CardCommand, _ isSecured: Bool
  ) throws(Refusal) -> Answer {
    if document != nil, state.application == .travelDocument {
      return try authenticateBasic(command, isSecured)
    }
    guard command.parameters == 0 else { throw Refusal(.wrongParameters) }
    guard isSecured else { throw Refusal(.securityStatusNotSatisfied) }
    guard state.verificationKey == .terminal, let terminal = state.terminal,
      let agreement = state.agreement, let challenge = state.challenge
    else { throw Refusal(.conditionsNotSatisfied) }
    state.challenge = nil
    state.provenChallenge = nil
    let serial = [UInt8](command.data.prefix(8))
    let signature = [UInt8](command.data.dropFirst(8))
    guard signature.count == terminal.modulus.count else { throw Refusal(.wrongLength) }
    counters.rsaPublicOperations += 1
    let block = try calculate { () throws(CryptoError) in
      try ModularArithmetic.power(signature, terminal.exponent, modulus: terminal.modulus)
    }
    guard serial == terminal.serialNumber,
      let (padding, hash) = RecoverableSignature.open(block)
    else { throw Refusal(.authenticationFailed) }
    let expected = try calculate { () throws(CryptoError) in
      try HashAlgorithm.sha256.hash(
        padding, agreement.terminalValue, serial, challenge, agreement.cardValue,
        agreement.parameters)
    }
    guard ConstantTime.equal(hash, expected) else { throw Refusal(.authenticationFailed) }
    state.provenChallenge = challenge
    return .success
  }

  /// INTERNAL AUTHENTICATE with the key that MSE SET chose.
  mutating func internalAuthenticate(
    _ command: CardCommand, _ isSecured: Bool
  ) throws(Refusal) -> Answer {
    if document != nil, state.application == .travelDocument {
      return try authenticateActively(command, isSecured)
    }
    guard command.parameters == 0 else { throw Refusal(.wrongParameters) }
    guard let key = state.privateKey else { throw Refusal(.conditionsNotSatisfied) }
    switch key {
    case .device: return try authenticateDevice(command.data, isSecured)
    case .holder:
      guard isSecured, state.devicesProven, state.verified.contains(.pin) else {
        throw Refusal(.securityStatusNotSatisfied)
      }
      let signature = try sign(command.data, holderKey, wrongly: misbehaviour.wrongSignature)
      counters.holderSignatures += 1
      return .data(signature)
    case .services:
      return .data(try sign(command.data, servicesKey, wrongly: false))
    }
  }

  /// The card proves key 82: SN.ICC ‖ SIG (IAS ECC §7.2.6); then the counter starts anew.
  private mutating func authenticateDevice(
    _ challenge: [UInt8], _ isSecured: Bool
  ) throws(Refusal) -> Answer {
    guard isSecured, let proven = state.provenChallenge, let agreement = state.agreement else {
      throw Refusal(.securityStatusNotSatisfied)
    }
    guard challenge.count == 8 else { throw Refusal(.wrongLength) }
    let padding = try randomBytes(RecoverableSignature.recoverableLength)
    let serial = serialNumber.deviceNumber
    var hash = try calculate { () throws(CryptoError) in
      try HashAlgorithm.sha256.hash(
        padding, agreement.cardValue, serial, challenge, agreement.terminalValue,
        agreement.parameters)
    }
    if misbehaviour.wrongAuthenticationSignature, let last = hash.popLast() {
      hash.append(last ^ 1)
    }
    counters.rsaPrivateOperations += 1
    let signature = try calculate { () throws(CryptoError) in
      try deviceKey.apply(RecoverableSignature.frame(padding, hash: hash))
    }
    state.provenChallenge = nil
    state.devicesProven = true
    return Answer(
      data: serial + signature, status: .success,
      afterwards: .restart(counter: [UInt8](proven.suffix(4) + challenge.suffix(4))))
  }

  private mutating func sign(
    _ text: [UInt8], _ key: CardPrivateKey, wrongly: Bool
  ) throws(Refusal) -> [UInt8] {
    guard (1...Self.longestText).contains(text.count) else { throw Refusal(.wrongLength) }
    var text = text
    if wrongly, let last = text.popLast() { text.append(last ^ 1) }
    counters.rsaPrivateOperations += 1
    let signed = text
    return try calculate { () throws(CryptoError) in try key.sign(signed) }
  }
}
