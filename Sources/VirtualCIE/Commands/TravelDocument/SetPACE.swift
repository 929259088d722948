internal import CIECard

extension CardApplication {
  /// MSE:Set AT for PACE (Doc 9303-11 §4.4.4.1): 80 protocol, 83 password, 84 domain parameters.
  ///
  /// 6A80 for a protocol or objects that the card does not know, 6A88 for a password or parameters,
  /// 6A87 if the parameters must be named, 63Cx for a PIN or PUK with tries spent.
  mutating func setPACE(_ command: CardCommand) throws(Refusal) -> Answer {
    state.pace = nil
    guard let objects = BERObject.list(command.data),
      Set(objects.map(\.tag)).count == objects.count,
      objects.allSatisfy({ [0x80, 0x83, 0x84].contains($0.tag) })
    else { throw Refusal(.wrongData) }
    if options.has(.noParameterIdentifier), objects.contains(where: { $0.tag == 0x84 }) {
      throw Refusal(.wrongData)
    }
    guard let document, !isSecured, state.application == nil || state.application == .root else {
      throw Refusal(.referencedDataNotFound)
    }
    let candidates = document.profiles.filter { profile in
      objects.contains { $0.tag == 0x80 && $0.value == profile.objectIdentifier }
    }
    guard !candidates.isEmpty else { throw Refusal(.wrongData) }
    let reference: [UInt8]? = objects.first { $0.tag == 0x83 }?.value
    guard let reference, reference.count == 1,
      let password = reference.first.flatMap(PACEPassword.init(rawValue:)),
      password.holderReference == nil || document.options.acceptsHolderPasswords
    else { throw Refusal(.referencedDataNotFound) }
    let profile = try choose(
      candidates, objects.first { $0.tag == 0x84 }?.value, document.options)
    guard let group = AgreementGroup(parameterIdentifier: profile.parameterIdentifier),
      profile.mapping != .chipAuthentication || document.mappingKey(profile) != nil
    else { throw Refusal(.referencedDataNotFound) }
    state.pace = PACERun(profile: profile, group: group, password: password)
    return .status(warning(password))
  }

  private func choose(
    _ candidates: [PACEProfile], _ parameter: [UInt8]?, _ options: CardOptions
  ) throws(Refusal) -> PACEProfile {
    guard let parameter else {
      guard candidates.count == 1, let only = candidates.first,
        !options.requiresParameterIdentifier
      else { throw Refusal(.parameterMissing) }
      return only
    }
    let wanted = candidates.first { [$0.parameterIdentifier] == parameter }
    guard let wanted else { throw Refusal(.referencedDataNotFound) }
    return wanted
  }
}

extension CardApplication {
  /// f(π), the input of the key derivation for a password (Doc 9303-11 §9.7.3).
  func secret(of password: PACEPassword) throws(Refusal) -> [UInt8] {
    guard let document else { throw Refusal(.referencedDataNotFound) }
    switch password {
    case .mrz: return try calculate(try document.mrzSeed())
    case .can: return [UInt8](document.data.can.utf8)
    case .pin: return pins[.pin].value
    case .puk: return pins[.puk].value
    }
  }

  /// 63Cx if tries of this password are spent (Doc 9303-11 §4.4.4.1; BSI TR-03110-3 §B.14.1).
  func warning(_ password: PACEPassword) -> Status {
    guard let reference = password.holderReference else { return .success }
    let entry = pins[reference]
    return entry.remaining < entry.maximum ? .triesLeft(entry.remaining) : .success
  }

  mutating func fail(_ password: PACEPassword) -> Status {
    guard let reference = password.holderReference else {
      return document?.fail() ?? .authenticationFailed
    }
    counters.verifications += 1
    return pins.fail(reference)
  }

  mutating func succeed(_ password: PACEPassword) {
    guard let reference = password.holderReference else {
      document?.succeed()
      return
    }
    counters.verifications += 1
    pins.renew(reference)
  }
}
