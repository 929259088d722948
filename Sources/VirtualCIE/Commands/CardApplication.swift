internal import CIECard

/// The card behind its secure channel: plain commands in, plain answers out.
///
/// The other files here have an extension for each group of instructions; `Calculations`,
/// `AccessRules`, `FileContents` and `ExtendedLength` have the shared functions.
struct CardApplication {
  let profile: CardProfile
  let files: FileSystem
  let serialNumber: SerialNumber
  let authority: TerminalAuthorityKey
  let holderKey: RSAPrivateKey
  let deviceKey: RSAPrivateKey
  let servicesKey: RSAPrivateKey
  let owner: String
  let options: CardOptions
  /// The other side of the card; nil if the persona has none.
  var document: StoredDocument?
  private let memory: CardMemory
  private let issued: PINStore
  var state: SecurityState
  var counters = CardLog.Counters()
  var misbehaviour = Misbehaviour()
  var random: any RandomSource
  /// Milliseconds of delay before the answer is sent.
  var pause = 0
  /// True if the present command came under secure messaging, already checked and removed.
  private(set) var isSecured = false
  /// Deviations that hold from their occasion until the field was off.
  var untilPowerOff: Set<CardDeviation> = []

  init(
    _ persona: Persona, travelDocument: TravelDocumentData? = nil,
    options: CardOptions = CardOptions(), random: any RandomSource,
    memory: CardMemory = CardMemory()
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
    self.memory = memory
    issued = PINStore(pin: [UInt8](persona.pin.utf8), puk: [UInt8](persona.puk.utf8))
    self.random = random
  }

  var pins: PINStore {
    get { memory.codes ?? issued }
    nonmutating set { memory.codes = newValue }
  }

  mutating func execute(_ command: CardCommand, isSecured: Bool) -> Answer {
    self.isSecured = isSecured
    if command.ins != CommandChain.steppingInstruction { state.pace = nil }
    let challenge = state.challenge
    // RND.ICC is valid for the next command only (IAS ECC §9.5.1).
    defer { if state.challenge == challenge { state.challenge = nil } }
    do throws(Refusal) {
      switch command.ins {
      case 0x20: return try verify(command)
      case 0x22: return try manageSecurityEnvironment(command)
      case 0x24: return try changeReferenceData(command)
      case 0x2A: return try verifyCertificate(command)
      case 0x2C: return try resetRetryCounter(command)
      case 0x82: return try externalAuthenticate(command)
      case 0x84: return try getChallenge(command)
      case 0x86: return try generalAuthenticate(command)
      case 0x88: return try internalAuthenticate(command)
      case 0xA4: return try select(command)
      case 0xB0: return try readBinary(command)
      case 0xB1: return try readBinaryByObject(command)
      case 0xCB: return try getData(command)
      case _ where Self.forbidden.contains(command.ins):
        throw Refusal(.securityStatusNotSatisfied)
      default: throw Refusal(.instructionNotSupported)
      }
    } catch {
      return Answer(status: error.status, afterwards: error.endsSession ? .end : .none)
    }
  }

  /// Instructions that the specification defines but never permits (Specifiche Chip, annex A):
  /// DEACTIVATE, ACTIVATE, GENERATE KEY PAIR, UPDATE BINARY, PUT DATA, CREATE, DELETE, TERMINATE.
  private static let forbidden: Set<UInt8> = [
    0x04, 0x44, 0x46, 0x47, 0xD6, 0xD7, 0xDA, 0xDB, 0xE0, 0xE4, 0xE6, 0xE8,
  ]
}
