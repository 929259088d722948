// Deliberately written apart from CIECard.

/// What the application does wrong on purpose.
struct Misbehaviour: Equatable {
  /// INTERNAL AUTHENTICATE with the device key signs another hash.
  var wrongAuthenticationSignature = false
  /// INTERNAL AUTHENTICATE with the holder's key signs another text.
  var wrongSignature = false
  /// A Diffie–Hellman value that gives the secret away.
  var trivialValue: Fault.TrivialDHValue?
  /// PACE ends with another token.
  var wrongToken = false
  /// A public value of PACE that no terminal should accept.
  var paceValue: Fault.PACEValue?
  /// A data group with its last byte changed.
  var tamperedGroup: UInt8?
  /// EF.SOD is that of another persona.
  var foreignSecurityObject = false
  /// Chip authentication with another key than that of DG14.
  var wrongChipKey = false
  /// Active authentication signs something else.
  var wrongActiveAuthentication = false
}
