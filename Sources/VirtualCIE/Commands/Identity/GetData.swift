internal import CIECard

extension CardApplication {
  /// GET DATA with an extended header list (ISO/IEC 7816-4 §11.4.4; IAS ECC §9.4), current application.
  mutating func getData(_ command: CardCommand) throws(Refusal) -> Answer {
    guard command.parameters == 0x3FFF else { throw Refusal(.wrongParameters) }
    guard let request = BERObject.single(0x4D, command.data),
      let list = HeaderList.list(request.value), list.count == 1, let wanted = list.first
    else { throw Refusal(.wrongData) }
    guard state.application == .identity else { throw Refusal(.referencedDataNotFound) }
    if wanted == HeaderList(tag: 0xA6, members: [HeaderList(tag: 0x91, members: [])]) {
      return try agree()
    }
    guard wanted.tag == 0x70 else { throw Refusal(.referencedDataNotFound) }
    return .data(BERObject.encode(0x70, try securityObject(wanted)))
  }

  private func securityObject(_ wanted: HeaderList) throws(Refusal) -> [UInt8] {
    if let members = wanted.members(along: 0xBFA101, 0xA3) {
      return BERObject.encode(0xBFA101, BERObject.encode(0xA3, try domainParameters(members)))
    }
    if wanted.members(along: 0xBFA004, 0x7F49) != nil {
      let algorithm = options.has(.keyAlgorithm) ? TerminalAuthorityKey.algorithmObject : []
      let objects = algorithm + profile.authorityKeyOrder.flatMap { authority.object($0) }
      return BERObject.encode(0xBFA004, BERObject.encode(0x7F49, objects))
    }
    for (tag, reference) in [(0xBF8101 as UInt32, PINReference.pin), (0xBF8102, .puk)] {
      guard wanted.members(along: tag, 0xA0) != nil else { continue }
      if let word = options.counterRefusal { throw Refusal(Status(word)) }
      try requireProvenChannel()
      return BERObject.encode(tag, BERObject.encode(0xA0, controlParameters(of: reference)))
    }
    return try SecurityEnvironments.object(wanted)
  }

  /// Name, maximum and remaining tries, size, access rules of PIN or PUK (IAS ECC §3.4.5).
  private func controlParameters(of reference: PINReference) -> [UInt8] {
    let entry = pins[reference]
    let name: [UInt8]
    // Change, verify, reset and get of the PIN; verify and get of the PUK.
    let rules: [UInt8]
    switch reference {
    case .pin: (name, rules) = ([UInt8]("PIN".utf8), [0xF1, 0xD2, 0xE4, 0xD3, 0xE4])
    case .puk: (name, rules) = ([UInt8]("PUK".utf8), [0xA1, 0xE4, 0xE4])
    }
    return BERObject.encode(0x84, name)
      + BERObject.encode(0x9A, [UInt8(clamping: entry.maximum)])
      + BERObject.encode(0x9B, [UInt8(clamping: entry.remaining)])
      + BERObject.encode(0x80, [0x00, UInt8(clamping: PINStore.length)])
      + BERObject.encode(0xA1, BERObject.encode(0x9C, rules))
  }

  /// g, p and q: all of them if the card supports that, else the one requested.
  private func domainParameters(_ members: [HeaderList]) throws(Refusal) -> [UInt8] {
    let tags = members.isEmpty ? [0x97, 0x98, 0x99] : members.map(\.tag)
    guard tags.count == 1 || profile.givesParametersTogether else {
      throw Refusal(.wrongData)
    }
    var objects: [UInt8] = []
    for tag in tags {
      guard let object = group.object(tag) else { throw Refusal(.referencedDataNotFound) }
      objects += object
    }
    return objects
  }

  var group: DomainParameters {
    var group = DomainParameters.standard
    switch misbehaviour.trivialValue {
    case .generatorOne: group.generator = group.one
    case .generatorMinusOne: group.generator = group.minusOne
    case .cardValueZero, .cardValueOne, .cardValueMinusOne, nil: break
    }
    return group
  }

  /// Answers K.IFD with K.ICC; secure messaging begins after the answer (IAS ECC §7.2.4).
  private mutating func agree() throws(Refusal) -> Answer {
    guard !isSecured, let terminalValue = state.terminalPublicValue else {
      throw Refusal(.conditionsNotSatisfied)
    }
    guard state.knowsAgreementKey else { throw Refusal(.referencedDataNotFound) }
    let group = group
    var exponent = try randomBytes(group.order.count)
    // The order begins with a byte above 7F, so this keeps the exponent below it; and it is not
    // zero.
    if let first = exponent.first { exponent[0] = first & 0x7F }
    if let last = exponent.last { exponent[exponent.count - 1] = last | 1 }
    var cardValue = try power(group.generator, exponent, group)
    var sharedSecret = try power(terminalValue, exponent, group)
    switch misbehaviour.trivialValue {
    case .cardValueZero:
      cardValue = [UInt8](repeating: 0, count: group.prime.count)
      sharedSecret = cardValue
    case .cardValueOne:
      cardValue = group.one
      sharedSecret = group.one
    case .cardValueMinusOne:
      // The terminal gets 1 or p − 1, depending on the parity of its exponent: this is right half
      // of the time.
      cardValue = group.minusOne
      sharedSecret = group.one
    case .generatorOne, .generatorMinusOne, nil: break
    }
    state.terminalPublicValue = nil
    state.agreement = KeyAgreement(
      terminalValue: terminalValue, cardValue: cardValue,
      parameters: group.generator + group.prime + group.order)
    let secret = sharedSecret
    let keys = try calculate(try SessionKeys(identitySecret: secret))
    return Answer(
      data: BERObject.encode(0xA6, BERObject.encode(0x91, cardValue)), status: .success,
      afterwards: .begin(keys))
  }

  private mutating func power(
    _ base: [UInt8], _ exponent: [UInt8], _ group: DomainParameters
  ) throws(Refusal) -> [UInt8] {
    counters.dhExponentiations += 1
    return try calculate(
      try ModularArithmetic.secretPower(base, Secret(exponent), modulus: group.prime))
  }
}

/// The environments of the CIE application as GET DATA knows them ("CIE 3.0 – Specifiche Chip", annex A).
enum SecurityEnvironments {
  /// SE KEY, environment 1, in force once the application is selected.
  private static let standard: UInt32 = 0xBFFB01
  /// SE PIN, SE PUK and SE DAPP: not readable by annex A.
  private static let closed: ClosedRange<UInt32> = 0xBFFB02...0xBFFB04
  /// The usage template of an environment.
  private static let usage: UInt32 = 0x7B
  /// Client and server authentication, algorithm 02, with key 81 (IAS ECC §6.2.1.3).
  private static let authentication = BERObject.encode(
    0xA4, BERObject.encode(0x80, [0x02]), BERObject.encode(0x84, [0x81]))

  /// The requested environment.
  ///
  /// 6982 if it is not readable (IAS ECC §4.1.2), 6A88 if there is no such object (§9.8.1.1).
  static func object(_ wanted: HeaderList) throws(Refusal) -> [UInt8] {
    if wanted.members(along: standard, usage) != nil {
      return BERObject.encode(standard, BERObject.encode(usage, authentication))
    }
    if let tag = wanted.members.first?.tag, closed.contains(tag) {
      throw Refusal(.securityStatusNotSatisfied)
    }
    throw Refusal(.referencedDataNotFound)
  }
}
