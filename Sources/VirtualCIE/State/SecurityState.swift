/// State that a reset clears.
struct SecurityState {
  /// The current dedicated file; nil if a reset selects none.
  var application: Application?
  var file: CardFile?
  /// K.IFD from MSE SET, until the card answers with its own value.
  var terminalPublicValue: [UInt8]?
  /// True if the parameter object named by MSE SET for the agreement exists.
  var knowsAgreementKey = true
  var agreement: KeyAgreement?
  /// The public key that the next verification uses.
  var verificationKey: VerificationKey?
  var privateKey: PrivateKeyChoice?
  var terminal: TerminalCertificate?
  /// RND.ICC, until the next command.
  var challenge: [UInt8]?
  /// RND.ICC of the successful EXTERNAL AUTHENTICATE; nil while the terminal is not proven.
  var provenChallenge: [UInt8]?
  /// True if device authentication is complete in both directions.
  var devicesProven = false
  var verified: Set<PINReference> = []

  var pace: PACERun?
  var chipAuthentication: ChipAuthenticationRun?
  /// The channel that opens the travel document; nil in every other channel and in the clear.
  var document: DocumentSession?

  /// The state after a reset: the root is current (IAS ECC §3.3.3), unless the card deviates.
  init(afterReset options: CardOptions) {
    application = options.has(.nothingSelected) ? nil : .root
  }

  private init(application: Application?, file: CardFile?) {
    self.application = application
    self.file = file
  }

  /// Clears the state of a secure channel; the current files remain.
  mutating func endSession() {
    self = SecurityState(application: application, file: file)
  }

  enum VerificationKey {
    /// Key 84, for terminal certificates.
    case authority
    case terminal
    /// A key that the card does not have: the command that uses it reports the error (IAS ECC
    /// §9.9.2).
    case unknown
  }

  /// The key that MSE SET selected for INTERNAL AUTHENTICATE.
  enum PrivateKeyChoice: Equatable {
    case key(PrivateKeyReference)
    /// A key that the card does not have.
    case unknown
  }
}

/// Private keys of the card (data object 84 of MSE SET).
enum PrivateKeyReference: UInt8 {
  /// Authentication and signature, after the PIN.
  case holder = 0x81
  /// Device authentication.
  case device = 0x82
  /// "Servizi": proof that the chip is not a copy, free.
  case services = 0x83
}

/// The public values of a Diffie–Hellman agreement, as sent on the wire.
struct KeyAgreement {
  /// K.IFD.
  let terminalValue: [UInt8]
  /// K.ICC.
  let cardValue: [UInt8]
  /// g ‖ p ‖ q as published.
  let parameters: [UInt8]
}

/// A channel of the travel document.
struct DocumentSession: Equatable {
  let access: Access
  /// Its ciphers, which determine how much fits into a response.
  var suite: CipherSuite

  /// PACE opens more than basic access control: EF.CardSecurity.
  enum Access {
    case pace
    case basic
  }
}

/// Chip authentication between MSE and GENERAL AUTHENTICATE.
struct ChipAuthenticationRun {
  let group: AgreementGroup
  let scalar: [UInt8]
  let suite: CipherSuite
}

/// The data of a terminal certificate that the card keeps.
struct TerminalCertificate {
  /// CHR, 12 bytes: four zeros ‖ SN.IFD.
  let holderReference: [UInt8]
  /// Modulus, 256 bytes.
  let modulus: [UInt8]
  /// Public exponent, 4 bytes.
  let exponent: [UInt8]
  /// The last byte of CHA: the purpose of the key.
  let role: UInt8
  /// The role of a terminal (IAS ECC §7.2.5.4.1).
  static let terminalRole: UInt8 = 0x01
  /// SN.IFD, 8 bytes.
  var serialNumber: [UInt8] { [UInt8](holderReference.suffix(8)) }
}

extension TerminalCertificate {
  /// Parses a certificate body: CPI(1) CAR(8) CHR(12) CHA(7) OID(9) modulus(256) exponent(4).
  ///
  /// Makes the checks of IAS ECC §7.2.6.5. The application in CHA is not compared; EXTERNAL
  /// AUTHENTICATE checks the role byte.
  init(body: [UInt8], authority: TerminalAuthorityKey) throws(Refusal) {
    guard body.count == 297 else { throw Refusal(.conditionsNotSatisfied) }
    var rest = body[...]
    func take(_ count: Int) -> [UInt8] {
      defer { rest = rest.dropFirst(count) }
      return [UInt8](rest.prefix(count))
    }
    // CPI 8A: device authentication with privacy, 2048-bit key.
    guard take(1) == [0x8A] else { throw Refusal(.conditionsNotSatisfied) }
    guard take(8) == authority.reference else { throw Refusal(.wrongData) }
    holderReference = take(12)
    guard holderReference.prefix(4).allSatisfy({ $0 == 0 }), let role = take(7).last else {
      throw Refusal(.wrongData)
    }
    self.role = role
    // The scheme of this profile; 04 at its end: SHA-256.
    guard take(9) == [0x2A, 0x81, 0x22, 0xF4, 0x2A, 0x02, 0x04, 0x01, 0x04] else {
      throw Refusal(.wrongData)
    }
    modulus = take(256)
    exponent = take(4)
    guard modulus.last.map({ $0 & 1 == 1 }) == true else { throw Refusal(.wrongData) }
  }
}
