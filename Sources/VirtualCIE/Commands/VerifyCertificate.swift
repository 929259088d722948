// Deliberately written apart from CIECard: the card's check of terminal certificates.

internal import CIECard

extension CardApplication {
  /// PSO VERIFY CERTIFICATE (ISO/IEC 7816-8 §11.8; IAS ECC §9.5.5): a terminal certificate with message
  /// recovery, 7F21 { 5F37 signature, 5F38 the rest of the body, 42 CAR }.
  mutating func verifyCertificate(
    _ command: CardCommand, _ isSecured: Bool
  ) throws(Refusal) -> Answer {
    guard command.parameters == 0x00AE else { throw Refusal(.wrongParameters) }
    guard isSecured else { throw Refusal(.securityStatusNotSatisfied) }
    guard state.verificationKey == .authority else { throw Refusal(.conditionsNotSatisfied) }
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
      throw Refusal(.authenticationFailed)
    }
    let body = recovered + objects[1].value
    let expected = try calculate { () throws(CryptoError) in try HashAlgorithm.sha256.hash(body) }
    guard ConstantTime.equal(hash, expected), reference == authority.reference,
      let terminal = TerminalCertificate(body: body, authority: authority)
    else { throw Refusal(.authenticationFailed) }
    state.terminal = terminal
    state.verificationKey = nil
    state.provenChallenge = nil
    return .success
  }
}

extension TerminalCertificate {
  /// Reads a certificate body: CPI(1) CAR(8) CHR(12) CHA(7) OID(9) modulus(256) exponent(4); nil when a field is
  /// not what the card accepts.
  init?(body: [UInt8], authority: TerminalAuthorityKey) {
    guard body.count == 297 else { return nil }
    var rest = body[...]
    func take(_ count: Int) -> [UInt8] {
      defer { rest = rest.dropFirst(count) }
      return [UInt8](rest.prefix(count))
    }
    let profileIdentifier = take(1)
    let issuer = take(8)
    let holder = take(12)
    let authorization = take(7)
    let algorithm = take(9)
    // CPI 8A: device authentication with privacy, 2048-bit key. The OID ends with 04: SHA-256.
    guard profileIdentifier == [0x8A], issuer == authority.reference,
      holder.prefix(4).allSatisfy({ $0 == 0 }),
      authorization.prefix(6) == authority.holderAuthorization.prefix(6),
      algorithm == [0x2A, 0x81, 0x22, 0xF4, 0x2A, 0x02, 0x04, 0x01, 0x04]
    else { return nil }
    holderReference = holder
    modulus = take(256)
    exponent = take(4)
    guard modulus.last.map({ $0 & 1 == 1 }) == true else { return nil }
  }
}
