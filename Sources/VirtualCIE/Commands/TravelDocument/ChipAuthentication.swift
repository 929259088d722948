internal import CIECard

extension CardApplication {
  /// MSE SET in the travel-document application (Doc 9303-11 §6.2): 41A6 with the terminal's key,
  /// sufficient for 3DES; 41A4 with the protocol, followed by GENERAL AUTHENTICATE.
  mutating func setChipAuthentication(
    _ command: CardCommand, _ objects: [BERObject]
  ) throws(Refusal) -> Answer {
    state.chipAuthentication = nil
    guard state.document != nil else { throw Refusal(.securityStatusNotSatisfied) }
    if options.has(.chipAuthenticationEndsSession) {
      throw Refusal(.conditionsNotSatisfied, endsSession: true)
    }
    if command.p2 == 0xA6 && options.has(.noSetKAT) || command.p2 == 0xA4 && options.has(.noSetAT) {
      throw Refusal(.wrongData)
    }
    guard Set(objects.map(\.tag)).count == objects.count else { throw Refusal(.wrongData) }
    var identifier: [UInt8]?
    var content: [UInt8]?
    let contentTag: UInt32 = command.p2 == 0xA6 ? 0x91 : 0x80
    for object in objects {
      switch object.tag {
      case 0x84: identifier = object.value
      case contentTag: content = object.value
      default: throw Refusal(.wrongData)
      }
    }
    guard let content else { throw Refusal(.wrongData) }
    if command.parameters == 0x41A6 {
      let run = try chipAuthentication(nil, .tripleDES, identifier)
      return Answer(status: .success, afterwards: afterwards(try agreeWithChip(run, content)))
    }
    guard command.parameters == 0x41A4 else { throw Refusal(.wrongParameters) }
    guard content.count == 10,
      content.prefix(8) == [0x04, 0x00, 0x7F, 0x00, 0x07, 0x02, 0x02, 0x03],
      let suite = CipherSuite.allCases.first(where: { $0.identifier == content[9] }),
      let kind = [1: AgreementGroup.Kind.finiteField, 2: .ellipticCurve][content[8]]
    else { throw Refusal(.wrongData) }
    state.chipAuthentication = try chipAuthentication(kind, suite, identifier)
    return .success
  }

  /// GENERAL AUTHENTICATE under secure messaging: 80 with the terminal's key; an empty answer.
  mutating func authenticateChip(_ objects: [BERObject]) throws(Refusal) -> Answer {
    guard state.application == .travelDocument, let run = state.chipAuthentication else {
      throw Refusal(.conditionsNotSatisfied)
    }
    state.chipAuthentication = nil
    guard objects.count == 1, let object = objects.first, object.tag == 0x80 else {
      throw Refusal(.wrongData)
    }
    let keys = try agreeWithChip(run, object.value)
    return Answer(
      data: BERObject.encode(0x7C), status: .success, afterwards: afterwards(keys))
  }

  private func afterwards(_ keys: SessionKeys) -> Answer.SessionChange {
    options.has(.oldSessionKeys) ? .none : .begin(keys)
  }

  /// The only static key of this kind with this identifier.
  private func chipAuthentication(
    _ kind: AgreementGroup.Kind?, _ suite: CipherSuite, _ identifier: [UInt8]?
  ) throws(Refusal) -> ChipAuthenticationRun {
    var found: [ChipAuthenticationRun] = []
    for key in document?.data.chipAuthenticationKeys ?? [] {
      guard identifier == nil || key.identifier != options.missingChipKey,
        key.identifier.map({ [$0] }) == identifier,
        let group = AgreementGroup(parameterIdentifier: key.parameterIdentifier),
        kind == nil || group.kind == kind
      else { continue }
      found.append(ChipAuthenticationRun(group: group, scalar: key.scalar, suite: suite))
    }
    guard found.count == 1, let only = found.first else {
      throw Refusal(.referencedDataNotFound)
    }
    return only
  }

  /// The keys of the new channel, which begins once the answer was sent under the old one.
  private mutating func agreeWithChip(
    _ run: ChipAuthenticationRun, _ value: [UInt8]
  ) throws(Refusal) -> SessionKeys {
    guard run.group.accepts(value) else { throw Refusal(.wrongData) }
    count(1, in: run.group)
    let scalar = misbehaviour.wrongChipKey ? otherScalar(run.scalar) : run.scalar
    let keys = try calculate(
      try SessionKeys(
        documentSecret: run.group.sharedSecret(run.group.apply(scalar, to: value)), run.suite))
    state.document?.suite = run.suite
    return keys
  }
}
