// Deliberately written apart from CIECard: the state of the card.

/// Everything that a reset forgets.
struct SecurityState {
  /// The current dedicated file; nil where a reset selects none.
  var application: Application?
  /// The current elementary file.
  var file: CardFile?
  /// K.IFD as MSE SET brought it, until the card answers with its own value.
  var terminalPublicValue: [UInt8]?
  /// Whether the parameter object that MSE SET named for the agreement exists.
  var knowsAgreementKey = true
  /// The values of the last agreement, which both authentications sign.
  var agreement: KeyAgreement?
  /// The public key that the next verification uses.
  var verificationKey: VerificationKey?
  /// The private key that INTERNAL AUTHENTICATE uses.
  var privateKey: PrivateKeyChoice?
  /// The terminal's key from its certificate.
  var terminal: TerminalCertificate?
  /// RND.ICC, until the next command.
  var challenge: [UInt8]?
  /// RND.ICC of the successful EXTERNAL AUTHENTICATE; nil while the terminal is not proven.
  var provenChallenge: [UInt8]?
  /// Whether device authentication is complete in both directions.
  var devicesProven = false
  /// What the holder has proved to know.
  var verified: Set<PINReference> = []

  /// PACE between two of its commands.
  var pace: PACERun?
  /// Chip authentication between its two commands.
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

  /// Forgets all that belongs to a secure channel; the current files stay.
  mutating func endSession() {
    self = SecurityState(application: application, file: file)
  }

  /// Public keys that verify.
  enum VerificationKey {
    /// Key 84, for terminal certificates.
    case authority
    /// The key of the verified terminal certificate.
    case terminal
    /// A key that the card has not: the command that uses it finds out (IAS ECC §9.9.2).
    case unknown
  }

  /// What MSE SET chose for INTERNAL AUTHENTICATE.
  enum PrivateKeyChoice: Equatable {
    case key(PrivateKeyReference)
    /// A key that the card has not.
    case unknown
  }
}

/// Private keys of the card (data object 84 of MSE SET).
enum PrivateKeyReference: UInt8 {
  /// Authentication and signature, after the PIN.
  case holder = 0x81
  /// Device authentication.
  case device = 0x82
  /// "Servizi": proof that the chip is no copy, free.
  case services = 0x83
}

/// The public values of a Diffie–Hellman agreement, as they went over the wire.
struct KeyAgreement {
  /// K.IFD.
  let terminalValue: [UInt8]
  /// K.ICC.
  let cardValue: [UInt8]
  /// g ‖ p ‖ q as published.
  let parameters: [UInt8]
}
