internal import CIECard

extension CardApplication {
  /// GENERAL AUTHENTICATE (ISO/IEC 7816-4 §11.5.5): a step of PACE in plain, the agreement of chip
  /// authentication under secure messaging. After any error, PACE must begin again with MSE.
  mutating func generalAuthenticate(_ command: CardCommand) throws(Refusal) -> Answer {
    let run = state.pace
    state.pace = nil
    guard command.parameters == 0 else { throw Refusal(.wrongParameters) }
    guard let template = BERObject.single(0x7C, command.data),
      let objects = BERObject.list(template.value)
    else { throw Refusal(.wrongData) }
    if isSecured { return try authenticateChip(objects) }
    guard let run, command.isChained != run.isAtEnd else {
      throw Refusal(.conditionsNotSatisfied)
    }
    switch run.step {
    case .chosen:
      guard objects.isEmpty else { throw Refusal(.wrongData) }
      return try giveNonce(run)
    case .nonce(let nonce):
      return try map(run, nonce, value(0x81, objects))
    case .mapped(let generator, let scalar):
      return try agree(run, generator, scalar, value(0x83, objects))
    case .agreed(let agreement):
      return try finish(run, agreement, value(0x85, objects))
    }
  }

  /// The value of the only object, which must have this tag.
  private func value(_ tag: UInt32, _ objects: [BERObject]) throws(Refusal) -> [UInt8] {
    guard objects.count == 1, let object = objects.first, object.tag == tag else {
      throw Refusal(.wrongData)
    }
    return object.value
  }

  /// Step 1: the nonce under the password's key (Doc 9303-11 §4.4.3.3).
  private mutating func giveNonce(_ run: PACERun) throws(Refusal) -> Answer {
    if let reference = run.password.holderReference, pins[reference].remaining == 0 {
      throw Refusal(.methodBlocked)
    }
    let secret = try secret(of: run.password)
    let nonce = try randomBytes(run.nonceLength(wanted: document?.options.nonceLength))
    let cryptogram = try calculate { () throws(CryptoError) in
      let key = Secret(try run.profile.suite.derive(secret, .password))
      return try run.profile.suite.encrypt(nonce, key: key)
    }
    pause += document?.delay ?? 0
    return proceed(run, .nonce(nonce), 0x80, cryptogram)
  }

  /// Step 2: both sides compute a new generator.
  private mutating func map(
    _ run: PACERun, _ nonce: [UInt8], _ value: [UInt8]
  ) throws(Refusal) -> Answer {
    let group = run.group
    if run.profile.mapping == .integrated {
      guard value.count == run.profile.suite.keyLength else { throw Refusal(.wrongData) }
      let generator = try calculate(
        try IntegratedMapping(suite: run.profile.suite, group: group).generator(
          nonce: nonce, terminalNonce: value))
      return proceed(run, .mapped(generator: generator, scalar: []), 0x82, [])
    }
    guard group.accepts(value) else { throw Refusal(.wrongData) }
    let scalar = try privateKey(group)
    // The own value, the nonce's, the common one.
    count(3, in: group)
    let flaw = misbehaviour.paceValue.flatMap { $0.isOfMapping ? $0.flaw : nil }
    let known = flaw.flatMap(group.commonValue)
    let (own, generator) = try calculate { () throws(CryptoError) in
      let own = try group.apply(scalar, to: group.generator)
      let start = try group.apply(nonce, to: group.generator)
      // A common value that is the identity changes nothing.
      if known != nil { return (own, start) }
      return (own, try group.combine(start, group.apply(scalar, to: value)))
    }
    if case .field(let field) = group {
      guard ModularArithmetic.compare(generator, field.one) > 0,
        ModularArithmetic.compare(generator, field.minusOne) < 0
      else { throw Refusal(.wrongData) }
    }
    let sent = flaw.map { group.value($0, terminal: value, own: own) } ?? own
    return proceed(run, .mapped(generator: generator, scalar: scalar), 0x82, sent)
  }

  /// Step 3: the agreement on the new generator.
  private mutating func agree(
    _ run: PACERun, _ generator: [UInt8], _ mappingScalar: [UInt8], _ value: [UInt8]
  ) throws(Refusal) -> Answer {
    let group = run.group
    guard group.accepts(value) else { throw Refusal(.wrongData) }
    let scalar = try privateKey(group)
    count(2, in: group)
    let flaw = misbehaviour.paceValue.flatMap { $0.isOfMapping ? nil : $0.flaw }
    let known = flaw.flatMap(group.commonValue)
    let (own, keys) = try calculate { () throws(CryptoError) in
      let own = try group.apply(scalar, to: generator)
      let common: [UInt8]
      if let known { common = known } else { common = try group.apply(scalar, to: value) }
      return (
        own,
        try SessionKeys(documentSecret: group.sharedSecret(common), run.profile.suite)
      )
    }
    guard ModularArithmetic.compare(value, own) != 0 else { throw Refusal(.wrongData) }
    let sent = flaw.map { group.value($0, terminal: value, own: own) } ?? own
    let agreement = PACERun.Agreement(
      terminalValue: value, cardValue: sent, keys: keys, mappingScalar: mappingScalar)
    return proceed(run, .agreed(agreement), 0x84, sent)
  }

  /// Step 4: the tokens. A wrong password is detected only here.
  private mutating func finish(
    _ run: PACERun, _ agreement: PACERun.Agreement, _ token: [UInt8]
  ) throws(Refusal) -> Answer {
    let keys = agreement.keys
    let (expected, answer) = try calculate { () throws(CryptoError) in
      (
        try run.token(over: agreement.cardValue, keys),
        try run.token(over: agreement.terminalValue, keys)
      )
    }
    // A card that reflects the terminal's key does not know the secret: it reflects the token too.
    let isReflecting = misbehaviour.paceValue == .agreementReflected
    guard isReflecting || ConstantTime.equal(token, expected) else {
      throw Refusal(fail(run.password))
    }
    succeed(run.password)
    var own = isReflecting ? token : answer
    if misbehaviour.wrongToken, let last = own.popLast() { own.append(last ^ 1) }
    var objects = BERObject.encode(0x86, own)
    if run.profile.mapping == .chipAuthentication {
      objects += BERObject.encode(0x8A, try chipAuthenticationData(run, agreement))
    }
    state.endSession()
    state.document = DocumentSession(access: .pace, suite: keys.suite)
    return Answer(
      data: BERObject.encode(0x7C, objects), status: .success, afterwards: .begin(keys))
  }

  /// A_IC of chip authentication mapping (Doc 9303-11 §4.4.3.5): CA_IC, the factor from the chip's static public key to
  /// its mapping key, encrypted.
  private func chipAuthenticationData(
    _ run: PACERun, _ agreement: PACERun.Agreement
  ) throws(Refusal) -> [UInt8] {
    guard let key = document?.mappingKey(run.profile) else { throw Refusal(.noDiagnosis) }
    let scalar = misbehaviour.wrongChipKey ? otherScalar(key.scalar) : key.scalar
    let order = run.group.order
    return try calculate { () throws(CryptoError) in
      let factor = try ModularArithmetic.multiply(
        agreement.mappingScalar, ModularArithmetic.inverse(scalar, modulus: order), modulus: order)
      return try agreement.keys.encrypt(factor: factor)
    }
  }

  private mutating func proceed(
    _ run: PACERun, _ step: PACERun.Step, _ tag: UInt32, _ value: [UInt8]
  ) -> Answer {
    var run = run
    run.step = step
    state.pace = run
    return .data(BERObject.encode(0x7C, BERObject.encode(tag, value)))
  }
}
