internal import Primitives
internal import CIECard

extension CardApplication {
  /// Rule X of the specification: secure messaging with device authentication complete in both directions.
  func requireProvenChannel() throws(Refusal) {
    guard isSecured, state.devicesProven else { throw Refusal(.securityStatusNotSatisfied) }
  }

  /// Rule P of the specification: the same, and the PIN is verified.
  func requireVerifiedPIN() throws(Refusal) {
    try requireProvenChannel()
    guard state.verified.contains(.pin) else { throw Refusal(.securityStatusNotSatisfied) }
  }

  /// The files of the travel document are visible only in a channel that opens it.
  func checkApplication(_ application: Application) throws(Refusal) {
    guard application != .travelDocument || isSecured && state.document != nil else {
      throw Refusal(.securityStatusNotSatisfied)
    }
  }
}

extension CardApplication {
  /// Longest command and response APDU in extended form; nil if the card refuses the form.
  ///
  /// A key agreement with a finite field needs the form, so every card accepts it for that. Cards of the NXP family are
  /// reported to refuse it for everything else (pagopa/cie-sdk-ios; `CardProfile.readsUnannounced`).
  func extendedLength(of command: CardCommand) -> (command: Int, response: Int)? {
    let purpose = ExtendedCommand(command, in: state.application ?? .root)
    if options.refusesExtendedLength { return nil }
    if let purpose, options.refusedExtended.contains(purpose) { return nil }
    if purpose == .read, command.isSecured, options.refusedExtended.contains(.securedRead) {
      return nil
    }
    let isTaken =
      switch purpose {
      case .pace, .chipAuthentication: true
      case .read: profile.readsUnannounced
      default: false
      }
    return profile.extendedLength ?? (isTaken ? CardProfile.unannouncedLength : nil)
  }
}

extension ExtendedCommand {
  /// The purpose of a command; nil for all others.
  init?(_ command: CardCommand, in application: Application) {
    switch command.ins {
    case 0x86: self = command.isSecured ? .chipAuthentication : .pace
    case 0x22 where application == .travelDocument: self = .chipAuthentication
    case 0x22: self = .keyAgreement
    case 0xB0, 0xB1: self = .read
    case 0xCB: self = .getData
    case 0x2A: self = .certificate
    case 0x82: self = .externalAuthenticate
    case 0x88: self = .internalAuthenticate
    default: return nil
    }
  }
}

extension CardApplication {
  /// Runs a calculation; a failure in it is an error of the card: 6F00.
  func calculate<Value>(_ body: () throws(CryptoError) -> Value) throws(Refusal) -> Value {
    try mapError(try body()) { (_: CryptoError) in Refusal(.noDiagnosis) }
  }

  func calculate<Value>(
    _ value: @autoclosure () throws(CryptoError) -> Value
  ) throws(Refusal) -> Value {
    try mapError(try value()) { (_: CryptoError) in Refusal(.noDiagnosis) }
  }

  mutating func randomBytes(_ count: Int) throws(Refusal) -> [UInt8] {
    try mapError(try random.bytes(count)) { (_: CryptoError) in Refusal(.noDiagnosis) }
  }

  mutating func privateKey(_ group: AgreementGroup) throws(Refusal) -> [UInt8] {
    try mapError(try group.scalar(from: &random)) { (_: CryptoError) in Refusal(.noDiagnosis) }
  }

  /// A static key that is not the one of DG14.
  func otherScalar(_ scalar: [UInt8]) -> [UInt8] {
    scalar.dropLast() + scalar.suffix(1).map { $0 ^ 2 }
  }

  mutating func count(_ operations: Int, in group: AgreementGroup) {
    switch group.kind {
    case .finiteField: counters.dhExponentiations += operations
    case .ellipticCurve: counters.curveMultiplications += operations
    }
  }
}
