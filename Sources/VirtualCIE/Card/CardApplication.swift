// Deliberately written apart from CIECard: the commands of the card.

internal import CIECard

/// The card behind its secure channel: plain commands in, plain answers out.
///
/// The folder Commands has one extension for each group of instructions.
struct CardApplication {
  let profile: CardProfile
  let files: FileSystem
  let serialNumber: SerialNumber
  let authority: TerminalAuthorityKey
  let holderKey: CardPrivateKey
  let deviceKey: CardPrivateKey
  let servicesKey: CardPrivateKey
  var pins: PINStore
  var state = SecurityState()
  var counters = CardLog.Counters()
  var misbehaviour = Misbehaviour()
  var random: any RandomSource

  init(_ persona: Persona, random: any RandomSource) {
    profile = persona.family.profile
    files = FileSystem(persona, profile: profile)
    serialNumber = SerialNumber(nis: persona.nis)
    authority = persona.terminalAuthority
    holderKey = persona.holderKey
    deviceKey = persona.deviceKey
    servicesKey = persona.servicesKey
    pins = PINStore(pin: [UInt8](persona.pin.utf8), puk: [UInt8](persona.puk.utf8))
    self.random = random
  }

  /// Executes one complete command.
  ///
  /// - Parameter isSecured: whether it came under secure messaging, already checked and opened.
  mutating func execute(_ command: CardCommand, isSecured: Bool) -> Answer {
    do throws(Refusal) {
      switch command.ins {
      case 0x20: return try verify(command, isSecured)
      case 0x22: return try manageSecurityEnvironment(command, isSecured)
      case 0x24: return try changeReferenceData(command, isSecured)
      case 0x2A: return try verifyCertificate(command, isSecured)
      case 0x2C: return try resetRetryCounter(command, isSecured)
      case 0x82: return try externalAuthenticate(command, isSecured)
      case 0x84: return try getChallenge(command)
      case 0x88: return try internalAuthenticate(command, isSecured)
      case 0xA4: return try select(command)
      case 0xB0: return try readBinary(command, isSecured)
      case 0xB1: return try readBinaryByObject(command, isSecured)
      case 0xCB: return try getData(command, isSecured)
      default: throw Refusal(.instructionNotSupported)
      }
    } catch {
      return .status(error.status)
    }
  }

  /// Runs a calculation; a failure in it is the card's own: 6F00.
  func calculate<Value>(_ body: () throws(CryptoError) -> Value) throws(Refusal) -> Value {
    do throws(CryptoError) { return try body() } catch { throw Refusal(.noDiagnosis) }
  }

  /// Random bytes of the card.
  mutating func randomBytes(_ count: Int) throws(Refusal) -> [UInt8] {
    do throws(CryptoError) { return try random.bytes(count) } catch {
      throw Refusal(.noDiagnosis)
    }
  }
}

/// What the application does wrong on purpose.
struct Misbehaviour: Equatable {
  /// INTERNAL AUTHENTICATE with the device key signs another hash.
  var wrongAuthenticationSignature = false
  /// INTERNAL AUTHENTICATE with the holder's key signs another text.
  var wrongSignature = false
  /// A Diffie–Hellman value that gives the secret away.
  var trivialValue: Fault.TrivialDHValue?
}
