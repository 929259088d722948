internal import CIECard

extension CardApplication {
  /// EXTERNAL AUTHENTICATE in the travel-document application: both sides prove knowledge of the
  /// keys from the MRZ (Doc 9303-11 §4.3.3): E_IFD ‖ M_IFD in, E_IC ‖ M_IC out, 40 bytes each.
  mutating func authenticateBasic(_ command: CardCommand) throws(Refusal) -> Answer {
    guard command.parameters == 0 else { throw Refusal(.wrongParameters) }
    guard !isSecured, let document, document.allowsBasicAccess, let challenge = state.challenge
    else { throw Refusal(.conditionsNotSatisfied) }
    guard command.data.count == 40 else { throw Refusal(.wrongLength) }
    let cryptogram = [UInt8](command.data.prefix(32))
    let suite = CipherSuite.tripleDES
    let (encryption, authentication) = try calculate { () throws(CryptoError) in
      let seed = [UInt8](try document.mrzSeed().prefix(16))
      return (try suite.derive(seed, .encryption), try suite.derive(seed, .authentication))
    }
    let text = try calculate { () throws(CryptoError) -> [UInt8]? in
      let mac = try suite.mac(suite.pad(cryptogram), key: Secret(authentication))
      guard ConstantTime.equal(mac, [UInt8](command.data.suffix(8))) else { return nil }
      return try suite.decrypt(cryptogram, key: Secret(encryption))
    }
    // RND.IFD ‖ RND.IC ‖ K.IFD
    guard let text, ConstantTime.equal([UInt8](text[8..<16]), challenge) else {
      throw Refusal(.authenticationFailed)
    }
    let terminalChallenge = [UInt8](text[..<8])
    let keyPart = try randomBytes(16)
    let (answer, keys) = try calculate { () throws(CryptoError) in
      let own = try suite.encrypt(
        challenge + terminalChallenge + keyPart, key: Secret(encryption))
      let mac = try suite.mac(suite.pad(own), key: Secret(authentication))
      let seed = zip(text[16...], keyPart).map { $0 ^ $1 }
      let keys = try SessionKeys(
        documentSecret: seed, suite,
        counter: [UInt8](challenge.suffix(4) + terminalChallenge.suffix(4)))
      return (own + mac, keys)
    }
    state.endSession()
    state.document = DocumentSession(access: .basic, suite: suite)
    return Answer(data: answer, status: .success, afterwards: .begin(keys))
  }
}
