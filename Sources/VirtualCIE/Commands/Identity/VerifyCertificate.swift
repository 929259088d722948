// Deliberately written apart from CIECard: the card's check of terminal certificates.

internal import CIECard

extension CardApplication {
  /// PSO VERIFY CERTIFICATE (ISO/IEC 7816-8 §11.8; IAS ECC §9.5.5): a terminal certificate with message
  /// recovery, 7F21 { 5F37 signature, 5F38 the rest of the body, 42 CAR }.
  mutating func verifyCertificate(
    _ command: CardCommand, _ isSecured: Bool
  ) throws(Refusal) -> Answer {
    // COMPUTE DIGITAL SIGNATURE and DECIPHER: granted to nobody (Specifiche Chip, annex A).
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
    let block = try calculate { () throws(CryptoError) in
      try ModularArithmetic.power(signature, authority.exponent, modulus: authority.modulus)
    }
    guard let (recovered, hash) = RecoverableSignature.open(block) else {
      throw Refusal(.securityStatusNotSatisfied)
    }
    guard reference == authority.reference else { throw Refusal(.wrongData) }
    let body = recovered + objects[1].value
    let expected = try calculate { () throws(CryptoError) in try HashAlgorithm.sha256.hash(body) }
    guard ConstantTime.equal(hash, expected) else { throw Refusal(.securityStatusNotSatisfied) }
    state.terminal = try TerminalCertificate(body: body, authority: authority)
    state.verificationKey = nil
    state.provenChallenge = nil
    return .success
  }
}
