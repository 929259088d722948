// Deliberately written apart from CIECard: the card's security environments.

/// The environments of the CIE application as GET DATA knows them ("CIE 3.0 – Specifiche Chip", annex A).
enum SecurityEnvironments {
  /// SE KEY, environment 1, in force once the application is selected.
  private static let standard: UInt32 = 0xBFFB01
  /// SE PIN, SE PUK and SE DAPP: annex A gives nobody the right to read them.
  private static let closed: ClosedRange<UInt32> = 0xBFFB02...0xBFFB04
  /// The usage template of an environment.
  private static let usage: UInt32 = 0x7B
  /// Client and server authentication, algorithm 02, with key 81 (IAS ECC §6.2.1.3).
  private static let authentication = BERObject.encode(
    0xA4, BERObject.encode(0x80, [0x02]), BERObject.encode(0x84, [0x81]))

  /// The environment that is asked for.
  ///
  /// 6982 where the right to read it is not given (IAS ECC §4.1.2), 6A88 where there is no such object (§9.8.1.1).
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
