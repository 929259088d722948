/// What came of chip authentication (Doc 9303-11 §6.2), or of chip-authentication mapping.
package enum ChipAuthenticationResult: Sendable, Hashable {
  /// The chip answered with keys that only its static private key gives.
  case proved
  /// The chip answered otherwise than with those keys.
  case failed
  /// The document announces no static key.
  case notOffered
  /// The announced key or protocol is none that this program can calculate with.
  case unsupported
  /// The card refused with this status word.
  case refused(StatusWord)
  /// The card ended the secure channel over it with this status word, in clear.
  case channelEnded(StatusWord)
  /// The reader does not carry commands as long as the key.
  case extendedLengthNeeded
}
