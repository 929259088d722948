// Deliberately written apart from CIECard: who may do what.

extension CardApplication {
  /// Rule X of the specification: secure messaging with device authentication complete in both directions.
  func requireProvenChannel(_ isSecured: Bool) throws(Refusal) {
    guard isSecured, state.devicesProven else { throw Refusal(.securityStatusNotSatisfied) }
  }

  /// Rule P of the specification: the same, and the PIN is verified.
  func requireVerifiedPIN(_ isSecured: Bool) throws(Refusal) {
    try requireProvenChannel(isSecured)
    guard state.verified.contains(.pin) else { throw Refusal(.securityStatusNotSatisfied) }
  }

  /// The files of the travel document show only in a channel that opens it.
  func checkApplication(_ application: Application, _ isSecured: Bool) throws(Refusal) {
    guard application != .travelDocument || isSecured && state.document != nil else {
      throw Refusal(.securityStatusNotSatisfied)
    }
  }
}
