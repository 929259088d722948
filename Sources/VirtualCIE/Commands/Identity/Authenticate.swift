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
    guard command.data.isEmpty, command.expected == 8 else { throw Refusal(.wrongLength) }
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
    // Device authentication does not exist in clear (IAS ECC §9.5.3).
    guard isSecured else { throw Refusal(.classNotSupported) }
    if state.verificationKey == .unknown { throw Refusal(.referencedDataNotFound) }
    guard state.verificationKey == .terminal, let terminal = state.terminal,
      let agreement = state.agreement, let challenge = state.challenge
    else { throw Refusal(.conditionsNotSatisfied) }
    state.provenChallenge = nil
    guard terminal.role == TerminalCertificate.terminalRole else {
      throw Refusal(.referencedDataNotFound)
    }
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
    guard let choice = state.privateKey else { throw Refusal(.conditionsNotSatisfied) }
    guard case .key(let key) = choice else { throw Refusal(.referencedDataNotFound) }
    switch key {
    case .device: return try authenticateDevice(command.data, isSecured)
    case .holder:
      guard (1...Self.longestText).contains(command.data.count) else {
        throw Refusal(.wrongLength)
      }
      try requireVerifiedPIN(isSecured)
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
    guard challenge.count == 8 else { throw Refusal(.wrongLength) }
    guard isSecured else { throw Refusal(.classNotSupported) }
    guard let proven = state.provenChallenge, let agreement = state.agreement else {
      throw Refusal(.conditionsNotSatisfied)
    }
    let padding = try randomBytes(RecoverableSignature.recoverableLength)
    var serial = serialNumber.deviceNumber
    if options.has(.otherSerialNumber), let first = serial.first { serial[0] = first ^ 0xFF }
    let number = serial
    var hash = try calculate { () throws(CryptoError) in
      try HashAlgorithm.sha256.hash(
        padding, agreement.cardValue, number, challenge, agreement.terminalValue,
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
