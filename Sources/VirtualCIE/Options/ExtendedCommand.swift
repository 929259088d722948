// Deliberately written apart from CIECard.

/// The commands that a terminal may send in extended form, each of which a card may refuse alone.
public enum ExtendedCommand: String, Sendable, CaseIterable {
  /// GENERAL AUTHENTICATE of PACE.
  case pace
  /// MSE SET or GENERAL AUTHENTICATE of chip authentication.
  case chipAuthentication = "chip-authentication"
  /// READ BINARY.
  case read
  /// GET DATA.
  case getData = "get-data"
  /// MSE SET with the terminal's public value.
  case keyAgreement = "key-agreement"
  /// PSO VERIFY CERTIFICATE.
  case certificate
  /// EXTERNAL AUTHENTICATE.
  case externalAuthenticate = "external-authenticate"
  /// INTERNAL AUTHENTICATE.
  case internalAuthenticate = "internal-authenticate"
}
