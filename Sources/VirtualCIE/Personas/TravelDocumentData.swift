internal import Primitives

/// The travel-document side of a card: its files and the private keys behind them (Doc 9303-10).
struct TravelDocumentData: Sendable {
  var can: String
  /// Document number, date of birth and date of expiry, each with its check digit (Doc 9303-11 §4.3.2): 24
  /// characters on a CIE.
  var mrzInformation: String
  /// EF.CardAccess, a bare SET of SecurityInfos; empty on a card that knows only BAC.
  var cardAccess: [UInt8]
  /// EF.CardSecurity, signed SecurityInfos, readable after PACE; empty if there is none.
  var cardSecurity: [UInt8]
  /// EF.COM.
  var common: [UInt8]
  /// EF.SOD.
  var securityObject: [UInt8]
  /// The data groups by number (1 to 16), each the complete file.
  var dataGroups: [UInt8: [UInt8]]
  /// The static keys of chip authentication; DG14 lists their public halves.
  var chipAuthenticationKeys: [ChipAuthenticationKey]
  /// The key of active authentication, whose public half is in DG15; `nil` if there is none.
  var activeAuthenticationKey: ActiveAuthenticationKey?
  var allowsBasicAccess: Bool

  /// A static key agreement key on standardised domain parameters (Doc 9303-11 §9.5.1).
  struct ChipAuthenticationKey: Sendable {
    /// Its number in DG14; `nil` if there is only one key.
    var identifier: UInt8?
    /// Standardised domain parameters: 0 to 2 finite fields, 8 to 18 curves.
    var parameterIdentifier: UInt8
    var scalar: [UInt8]
  }

  /// A signature key (Doc 9303-11 §6.1).
  enum ActiveAuthenticationKey: Sendable {
    /// ISO/IEC 9796-2 scheme 1 with this hash function's trailer, in bytes such as `34CC`, or `BC` for SHA-1.
    case rsa(RSAPrivateKey, trailer: [UInt8])
    /// Plain ECDSA (r ‖ s) on the curve with this standardised number, over this hash.
    case ecdsa(parameterIdentifier: UInt8, scalar: [UInt8], hash: String)
  }
}
