internal import CIECard

extension CardApplication {
  /// PSO VERIFY CERTIFICATE (ISO/IEC 7816-8 §11.8; IAS ECC §9.5.5): a terminal certificate with message
  /// recovery, 7F21 { 5F37 signature, 5F38 the rest of the body, 42 CAR }.
  mutating func verifyCertificate(_ command: CardCommand) throws(Refusal) -> Answer {
    // COMPUTE DIGITAL SIGNATURE and DECIPHER: never permitted (Specifiche Chip, annex A).
    guard ![0x9E9A, 0x8086].contains(command.parameters) else {
      throw Refusal(.securityStatusNotSatisfied)
    }
    guard command.parameters == 0x00AE else { throw Refusal(.wrongParameters) }
    guard isSecured else { throw Refusal(.securityStatusNotSatisfied) }
    if state.verificationKey == .unknown { throw Refusal(.referencedDataNotFound) }
    guard state.verificationKey == .authority else { throw Refusal(.conditionsNotSatisfied) }
    if let word = options.certificateRefusal { throw Refusal(Status(word)) }
    guard let certificate = BERObject.single(0x7F21, command.data),
      let objects = BERObject.list(certificate.value),
      objects.map(\.tag) == [0x5F37, 0x5F38, 0x42],
      let signature = objects.first?.value, let reference = objects.last?.value,
      signature.count == authority.modulus.count
    else { throw Refusal(.wrongData) }

    counters.rsaPublicOperations += 1
    let block = try calculate(
      try ModularArithmetic.power(signature, authority.exponent, modulus: authority.modulus))
    guard let (recovered, hash) = RecoverableSignature.open(block) else {
      throw Refusal(.securityStatusNotSatisfied)
    }
    guard reference == authority.reference else { throw Refusal(.wrongData) }
    let body = recovered + objects[1].value
    let expected = try calculate(try HashAlgorithm.sha256.hash(body))
    guard ConstantTime.equal(hash, expected) else { throw Refusal(.securityStatusNotSatisfied) }
    state.terminal = try TerminalCertificate(body: body, authority: authority)
    state.verificationKey = nil
    state.provenChallenge = nil
    return .success
  }
}

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

  /// EXTERNAL AUTHENTICATE: the terminal proves possession of its key, SN.IFD ‖ SIG (IAS ECC
  /// §7.2.5).
  mutating func externalAuthenticate(_ command: CardCommand) throws(Refusal) -> Answer {
    if document != nil, state.application == .travelDocument {
      return try authenticateBasic(command)
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
    let block = try calculate(
      try ModularArithmetic.power(signature, terminal.exponent, modulus: terminal.modulus))
    guard serial == terminal.serialNumber,
      let (padding, hash) = RecoverableSignature.open(block)
    else { throw Refusal(.authenticationFailed) }
    let expected = try calculate(
      try HashAlgorithm.sha256.hash(
        padding, agreement.terminalValue, serial, challenge, agreement.cardValue,
        agreement.parameters))
    guard ConstantTime.equal(hash, expected) else { throw Refusal(.authenticationFailed) }
    state.provenChallenge = challenge
    return .success
  }

  /// INTERNAL AUTHENTICATE with the key selected by MSE SET.
  mutating func internalAuthenticate(_ command: CardCommand) throws(Refusal) -> Answer {
    if document != nil, state.application == .travelDocument {
      return try authenticateActively(command)
    }
    guard command.parameters == 0 else { throw Refusal(.wrongParameters) }
    guard let choice = state.privateKey else { throw Refusal(.conditionsNotSatisfied) }
    guard case .key(let key) = choice else { throw Refusal(.referencedDataNotFound) }
    switch key {
    case .device: return try authenticateDevice(command.data)
    case .holder:
      guard (1...Self.longestText).contains(command.data.count) else {
        throw Refusal(.wrongLength)
      }
      try requireVerifiedPIN()
      let signature = try sign(command.data, holderKey, wrongly: misbehaviour.wrongSignature)
      counters.holderSignatures += 1
      return .data(signature)
    case .services:
      return .data(try sign(command.data, servicesKey, wrongly: false))
    }
  }

  /// The card proves possession of key 82: SN.ICC ‖ SIG (IAS ECC §7.2.6); then the counter is set
  /// anew.
  private mutating func authenticateDevice(_ challenge: [UInt8]) throws(Refusal) -> Answer {
    guard challenge.count == 8 else { throw Refusal(.wrongLength) }
    guard isSecured else { throw Refusal(.classNotSupported) }
    guard let proven = state.provenChallenge, let agreement = state.agreement else {
      throw Refusal(.conditionsNotSatisfied)
    }
    let padding = try randomBytes(RecoverableSignature.recoverableLength)
    var serial = serialNumber.deviceNumber
    if options.has(.otherSerialNumber), let first = serial.first { serial[0] = first ^ 0xFF }
    let number = serial
    var hash = try calculate(
      try HashAlgorithm.sha256.hash(
        padding, agreement.cardValue, number, challenge, agreement.terminalValue,
        agreement.parameters))
    if misbehaviour.wrongAuthenticationSignature, let last = hash.popLast() {
      hash.append(last ^ 1)
    }
    counters.rsaPrivateOperations += 1
    let block = [0x6A] + padding + hash + [0xBC]
    let signature = try calculate(try deviceKey.apply(block))
    state.provenChallenge = nil
    state.devicesProven = true
    return Answer(
      data: serial + signature, status: .success,
      afterwards: .restart(counter: [UInt8](proven.suffix(4) + challenge.suffix(4))))
  }

  private mutating func sign(
    _ text: [UInt8], _ key: RSAPrivateKey, wrongly: Bool
  ) throws(Refusal) -> [UInt8] {
    guard (1...Self.longestText).contains(text.count) else { throw Refusal(.wrongLength) }
    var text = text
    if wrongly, let last = text.popLast() { text.append(last ^ 1) }
    counters.rsaPrivateOperations += 1
    let signed = text
    return try calculate(try key.sign(signed))
  }
}
