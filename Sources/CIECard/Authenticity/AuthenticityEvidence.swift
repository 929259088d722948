/// What was collected from a card to judge whether it is genuine; what is absent could not be read.
///
/// Files may be longer than their contents: padding is dropped where the contents end.
public struct AuthenticityEvidence: Sendable, Equatable {
  /// EF.SOD (1006).
  public var securityObject: [UInt8]?
  /// The files that the security object covers, as read.
  public var files: [AuthenticityReport.IASDataGroup: [UInt8]]
  /// The bytes that the chip was asked to sign.
  public var challenge: [UInt8]?
  /// Its answer: the INTERNAL AUTHENTICATE signature of key 83.
  public var response: [UInt8]?

  /// The bytes of a challenge that this program draws: as many as a hash has, so that no answer can come from a
  /// collection.
  package static let challengeLength = 32

  /// Evidence, as far as it is there.
  public init(
    securityObject: [UInt8]? = nil, files: [AuthenticityReport.IASDataGroup: [UInt8]] = [:],
    challenge: [UInt8]? = nil, response: [UInt8]? = nil
  ) {
    self.securityObject = securityObject
    self.files = files
    self.challenge = challenge
    self.response = response
  }
}
