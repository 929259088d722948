internal import CIECard

extension CardApplication {
  /// INTERNAL AUTHENTICATE in the travel-document application: a signature over the terminal's
  /// eight bytes (Doc 9303-11 §6.1).
  mutating func authenticateActively(_ command: CardCommand) throws(Refusal) -> Answer {
    guard command.parameters == 0 else { throw Refusal(.wrongParameters) }
    guard isSecured, state.document != nil else { throw Refusal(.securityStatusNotSatisfied) }
    guard let key = document?.data.activeAuthenticationKey else {
      throw Refusal(.instructionNotSupported)
    }
    guard command.data.count == 8 else { throw Refusal(.wrongLength) }
    switch key {
    case .rsa(let key, let trailer):
      let trailer = options.activeSignature?.trailer ?? trailer
      return .data(try recoverable(command.data, key, trailer))
    case .ecdsa(let parameterIdentifier, let scalar, let hash):
      guard case .curve(let curve) = AgreementGroup(parameterIdentifier: parameterIdentifier),
        let algorithm = HashAlgorithm(rawValue: hash)
      else { throw Refusal(.noDiagnosis) }
      let nonce = try privateKey(.curve(curve))
      count(1, in: .curve(curve))
      let isWrong = misbehaviour.wrongActiveAuthentication
      let signature = try calculate { () throws(CryptoError) in
        let digest = try algorithm.hash(command.data, isWrong ? [0] : [])
        return try ECDSA.sign(
          digest: digest, scalar: Secret(scalar), nonce: Secret(nonce), curve: curve)
      }
      return .data(options.activeSignature == .der ? Self.sequence(signature) : signature)
    }
  }

  /// ISO/IEC 9796-2 scheme 1: 6A ‖ M1 ‖ H(M1 ‖ RND.IFD) ‖ trailer under the private key; M1 is random and fills
  /// the block.
  private mutating func recoverable(
    _ challenge: [UInt8], _ key: RSAPrivateKey, _ trailer: [UInt8]
  ) throws(Refusal) -> [UInt8] {
    guard let algorithm = Self.algorithm(ofTrailer: trailer) else { throw Refusal(.noDiagnosis) }
    let filling = key.modulus.count - 1 - algorithm.length - trailer.count
    guard filling > 0 else { throw Refusal(.noDiagnosis) }
    let message = try randomBytes(filling)
    let isWrong = misbehaviour.wrongActiveAuthentication
    counters.rsaPrivateOperations += 1
    return try calculate { () throws(CryptoError) in
      let digest = try algorithm.hash(message, challenge, isWrong ? [0] : [])
      return try key.apply([0x6A] + message + digest + trailer)
    }
  }

  /// `SEQUENCE { r, s }` of r ‖ s, two numbers of equal length (RFC 3279 §2.2.3).
  private static func sequence(_ plain: [UInt8]) -> [UInt8] {
    let half = plain.count / 2
    let numbers = [plain.prefix(half), plain.suffix(half)].map { number -> [UInt8] in
      let digits = [UInt8](number.drop { $0 == 0 })
      return BERObject.encode(0x02, (digits.first ?? 0x80) & 0x80 == 0 ? digits : [0] + digits)
    }
    return BERObject.encode(0x30, numbers.flatMap { $0 })
  }

  /// The hash function that a trailer names (ISO/IEC 9796-2 §8.1.2; ISO/IEC 10118-3).
  private static func algorithm(ofTrailer trailer: [UInt8]) -> HashAlgorithm? {
    switch trailer {
    case [0xBC], [0x33, 0xCC]: .sha1
    case [0x34, 0xCC], ActiveSignature.unknownTrailer.trailer: .sha256
    case [0x35, 0xCC]: .sha512
    case [0x36, 0xCC]: .sha384
    case [0x38, 0xCC]: .sha224
    default: nil
    }
  }
}
