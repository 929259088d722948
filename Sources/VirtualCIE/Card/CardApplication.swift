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
  private let owner: String
  let options: CardOptions
  /// The other side of the card; nil where the persona has none.
  var document: StoredDocument?
  var pins: PINStore
  var state = SecurityState()
  var counters = CardLog.Counters()
  var misbehaviour = Misbehaviour()
  var random: any RandomSource
  /// Milliseconds that the card takes its time before the answer goes out.
  var pause = 0

  init(
    _ persona: Persona, travelDocument: TravelDocumentData? = nil,
    options: CardOptions = CardOptions(), random: any RandomSource
  ) {
    owner = persona.identifier
    profile = persona.family.profile
    self.options = options
    document = travelDocument.map { StoredDocument($0, options: options) }
    files = FileSystem(persona, travelDocument, profile: profile, options: options)
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
    if command.ins != CommandChain.steppingInstruction { state.pace = nil }
    do throws(Refusal) {
      switch command.ins {
      case 0x20: return try verify(command, isSecured)
      case 0x22: return try manageSecurityEnvironment(command, isSecured)
      case 0x24: return try changeReferenceData(command, isSecured)
      case 0x2A: return try verifyCertificate(command, isSecured)
      case 0x2C: return try resetRetryCounter(command, isSecured)
      case 0x82: return try externalAuthenticate(command, isSecured)
      case 0x84: return try getChallenge(command)
      case 0x86: return try generalAuthenticate(command, isSecured)
      case 0x88: return try internalAuthenticate(command, isSecured)
      case 0xA4: return try select(command, isSecured)
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

  /// Longest command and response APDU in extended form; nil when the card refuses the form.
  ///
  /// A key agreement with a finite field needs the form, so every card takes it for that.
  func extendedLength(of command: CardCommand) -> (command: Int, response: Int)? {
    guard !options.refusesExtendedLength else { return nil }
    let isAgreement =
      command.ins == 0x86 || command.ins == 0x22 && state.application == .travelDocument
    return profile.extendedLength ?? (isAgreement ? CardProfile.agreementLength : nil)
  }

  /// EF.SOD of somebody else.
  var foreignSecurityObject: [UInt8] {
    let other = Persona.all.first { $0.identifier != owner }
    let data: TravelDocumentData? = other.flatMap(\.travelDocument)
    return data?.securityObject ?? []
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
  /// PACE ends with another token.
  var wrongToken = false
  /// A public value of PACE that no terminal should accept.
  var paceValue: Fault.PACEValue?
  /// A data group with its last byte changed.
  var tamperedGroup: UInt8?
  /// EF.SOD is that of another persona.
  var foreignSecurityObject = false
  /// Chip authentication with another key than that of DG14.
  var wrongChipKey = false
  /// Active authentication signs something else.
  var wrongActiveAuthentication = false
}
