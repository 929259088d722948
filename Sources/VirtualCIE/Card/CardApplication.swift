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
  var state: SecurityState
  var counters = CardLog.Counters()
  var misbehaviour = Misbehaviour()
  var random: any RandomSource
  /// Milliseconds that the card takes its time before the answer goes out.
  var pause = 0
  /// Whether the files of the MF are out of sight, until the field was off.
  var rootIsHidden = false

  init(
    _ persona: Persona, travelDocument: TravelDocumentData? = nil,
    options: CardOptions = CardOptions(), random: any RandomSource
  ) {
    owner = persona.identifier
    profile = persona.family.profile.with(options)
    self.options = options
    state = SecurityState(afterReset: options)
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
    let challenge = state.challenge
    // RND.ICC is good for the next command alone (IAS ECC §9.5.1).
    defer { if state.challenge == challenge { state.challenge = nil } }
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
      case _ where Self.forbidden.contains(command.ins):
        throw Refusal(.securityStatusNotSatisfied)
      default: throw Refusal(.instructionNotSupported)
      }
    } catch {
      return Answer(status: error.status, afterwards: error.endsSession ? .end : .none)
    }
  }

  /// Instructions that the specification knows and grants to nobody (Specifiche Chip, annex A): DEACTIVATE, ACTIVATE,
  /// GENERATE KEY PAIR, UPDATE BINARY, PUT DATA, CREATE, DELETE, TERMINATE.
  private static let forbidden: Set<UInt8> = [
    0x04, 0x44, 0x46, 0x47, 0xD6, 0xD7, 0xDA, 0xDB, 0xE0, 0xE4, 0xE6, 0xE8,
  ]

  /// Runs a calculation; a failure in it is the card's own: 6F00.
  func calculate<Value>(_ body: () throws(CryptoError) -> Value) throws(Refusal) -> Value {
    do throws(CryptoError) { return try body() } catch { throw Refusal(.noDiagnosis) }
  }

  /// Longest command and response APDU in extended form; nil when the card refuses the form.
  ///
  /// A key agreement with a finite field needs the form, so every card takes it for that.
  func extendedLength(of command: CardCommand) -> (command: Int, response: Int)? {
    let purpose = ExtendedCommand(command, in: state.application ?? .root)
    if options.refusesExtendedLength { return nil }
    if let purpose, options.refusedExtended.contains(purpose) { return nil }
    let isAgreement = purpose == .pace || purpose == .chipAuthentication
    return profile.extendedLength ?? (isAgreement ? CardProfile.agreementLength : nil)
  }

  /// The elementary files of an application that can be found now.
  func visibleFiles(of application: Application) -> [CardFile] {
    application == .root && rootIsHidden ? [] : files.files(of: application)
  }

  /// Somebody else.
  var otherPersona: Persona? { Persona.all.first { $0.identifier != owner } }

  /// EF.SOD of somebody else's travel document.
  var foreignSecurityObject: [UInt8] {
    let data: TravelDocumentData? = otherPersona.flatMap(\.travelDocument)
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
