internal import CIECard

extension CardApplication {
  /// MSE SET (ISO/IEC 7816-4 §11.5.11; IAS ECC §9.5): P1 41 or 81, P2 the template.
  mutating func manageSecurityEnvironment(_ command: CardCommand) throws(Refusal) -> Answer {
    if command.parameters == 0xC1A4, state.application != .identity {
      return try setPACE(command)
    }
    // MSE RESTORE: never permitted (Specifiche Chip, annex A).
    if command.p1 == 0xF3 { throw Refusal(.securityStatusNotSatisfied) }
    guard let objects = BERObject.list(command.data) else { throw Refusal(.wrongData) }
    if document != nil, state.application == .travelDocument {
      return try setChipAuthentication(command, objects)
    }
    let environment = try Environment(objects)
    guard state.application == .identity else { throw Refusal(.referencedDataNotFound) }
    if options.has(.strictOrder) {
      let order: [UInt32] = command.parameters == 0x41A4 ? [0x80, 0x84] : [0x80, 0x83, 0x91]
      guard objects.map(\.tag) == order.filter({ tag in objects.contains { $0.tag == tag } })
      else { throw Refusal(.wrongData) }
    }
    switch command.parameters {
    case 0x41A6: try setKeyAgreement(environment)
    case 0x41A4: try setPrivateKey(environment)
    case 0x81B6 where environment.publicKey?.count == 1: try setAuthority(environment)
    case 0x81B6:
      guard profile.takesTerminalKeyAsDST else { throw Refusal(.referencedDataNotFound) }
      try setTerminalKey(environment)
    case 0x81A4: try setTerminalKey(environment)
    default:
      let isTemplate = [0xA4, 0xA6, 0xAA, 0xB4, 0xB6, 0xB8].contains(command.p2)
      throw Refusal(
        command.p1 & 0x0F == 1 && !isTemplate ? .functionNotSupported : .wrongParameters)
    }
    return .success
  }

  /// Handles a key reference that the card does not know: by the specification, it is not checked
  /// here (IAS ECC §9.9.2).
  private func unknownKey() throws(Refusal) {
    if options.has(.earlyKeyCheck) { throw Refusal(.referencedDataNotFound) }
  }

  /// The objects of a control reference template, in any order.
  private struct Environment {
    /// 80: algorithm reference.
    var algorithm: UInt8?
    /// 83: public key or parameter reference, or the holder reference of a certificate.
    var publicKey: [UInt8]?
    /// 84: private key reference.
    var privateKey: [UInt8]?
    /// 91: the other side's Diffie–Hellman value.
    var publicValue: [UInt8]?

    init(_ objects: [BERObject]) throws(Refusal) {
      for object in objects {
        switch object.tag {
        case 0x80 where algorithm == nil && object.value.count == 1:
          algorithm = object.value.first
        case 0x83 where publicKey == nil: publicKey = object.value
        case 0x84 where privateKey == nil: privateKey = object.value
        case 0x91 where publicValue == nil: publicValue = object.value
        default: throw Refusal(.wrongData)
        }
      }
    }
  }

  /// Key agreement: algorithm 9B, parameter object 81, K.IFD.
  private mutating func setKeyAgreement(_ environment: Environment) throws(Refusal) {
    guard let reference = environment.publicKey else { throw Refusal(.wrongData) }
    if reference != [0x81] { try unknownKey() }
    guard environment.algorithm == 0x9B, let value = environment.publicValue,
      value.count == group.prime.count
    else { throw Refusal(.wrongData) }
    // A trivial generator has only trivial values.
    guard
      misbehaviour.trivialValue != nil
        || ModularArithmetic.compare(value, group.one) > 0
          && ModularArithmetic.compare(value, group.minusOne) < 0
    else { throw Refusal(.wrongData) }
    state.terminalPublicValue = value
    state.knowsAgreementKey = reference == [0x81]
  }

  /// Internal authentication: algorithm 9B with the device key, 02 with the others.
  private mutating func setPrivateKey(_ environment: Environment) throws(Refusal) {
    guard let reference = environment.privateKey, let algorithm = environment.algorithm,
      [0x02, 0x9B].contains(algorithm)
    else { throw Refusal(.wrongData) }
    guard reference.count == 1,
      let key = reference.first.flatMap(PrivateKeyReference.init(rawValue:))
    else {
      try unknownKey()
      return state.privateKey = .unknown
    }
    guard algorithm == (key == .device ? 0x9B : 0x02) else { throw Refusal(.wrongData) }
    state.privateKey = .key(key)
  }

  /// Certificate verification: algorithm 41 (ISO 9796-2 with SHA-256), key 84.
  private mutating func setAuthority(_ environment: Environment) throws(Refusal) {
    guard environment.algorithm == 0x41 else { throw Refusal(.wrongData) }
    if environment.publicKey != [0x84] { try unknownKey() }
    state.verificationKey = environment.publicKey == [0x84] ? .authority : .unknown
  }

  /// External authentication: the key of the certificate verified last, by its holder reference.
  private mutating func setTerminalKey(_ environment: Environment) throws(Refusal) {
    guard let reference = environment.publicKey else { throw Refusal(.wrongData) }
    let isKnown = state.terminal?.holderReference == reference
    if !isKnown { try unknownKey() }
    state.verificationKey = isKnown ? .terminal : .unknown
  }
}
