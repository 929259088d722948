// Deliberately written apart from CIECard: the passwords of the card's PACE.

internal import CIECard

extension CardApplication {
  /// f(π), what the key of a password is made of (Doc 9303-11 §9.7.3).
  func secret(of password: PACEPassword) throws(Refusal) -> [UInt8] {
    guard let document else { throw Refusal(.referencedDataNotFound) }
    switch password {
    case .mrz: return try calculate { () throws(CryptoError) in try document.mrzSeed() }
    case .can: return [UInt8](document.data.can.utf8)
    case .pin: return pins[.pin].value
    case .puk: return pins[.puk].value
    }
  }

  /// 63Cx when tries of this password are spent (Doc 9303-11 §4.4.4.1; BSI TR-03110-3 §B.14.1).
  func warning(_ password: PACEPassword) -> Status {
    guard let reference = password.holderReference else { return .success }
    let entry = pins[reference]
    return entry.remaining < entry.maximum ? .triesLeft(entry.remaining) : .success
  }

  /// Counts a wrong password.
  mutating func fail(_ password: PACEPassword) -> Status {
    guard let reference = password.holderReference else {
      return document?.fail() ?? .authenticationFailed
    }
    counters.verifications += 1
    return pins.fail(reference)
  }

  /// Takes note of a right password.
  mutating func succeed(_ password: PACEPassword) {
    guard let reference = password.holderReference else {
      document?.succeed()
      return
    }
    counters.verifications += 1
    pins.renew(reference)
  }
}
