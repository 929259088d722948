package import CIECard

extension SessionCard {
  /// The verdict on which it depends whether a PIN or PUK is sent to the chip; `nil` without a check.
  package mutating func judgeForPIN(
    by vouching: HolderAccess.Vouching, in context: RunContext, _ random: inout SessionRandom
  ) throws(CardError) -> AuthenticityReport.Verdict? {
    let access = HolderAccess(allowsLastTry: false, vouching: vouching)
    guard
      case .required(let trust, at: let time, allowing: _) = access.check(
        asking: false, in: context)
    else { return nil }
    let evidence = try gatherEvidence(.everythingFree, random: &random)
    guard let key = evidence.files[.deviceKey] else { return .couldNotCheck(.notRead) }
    return AuthenticityReport.judgeDeviceKey(
      key, securityObject: evidence.securityObject, trust: trust, at: time)
  }
}
