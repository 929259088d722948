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

  /// What a command is for; nil when it is none of these.
  init?(_ command: CardCommand, in application: Application) {
    switch command.ins {
    case 0x86: self = command.isSecured ? .chipAuthentication : .pace
    case 0x22 where application == .travelDocument: self = .chipAuthentication
    case 0x22: self = .keyAgreement
    case 0xB0, 0xB1: self = .read
    case 0xCB: self = .getData
    case 0x2A: self = .certificate
    case 0x82: self = .externalAuthenticate
    case 0x88: self = .internalAuthenticate
    default: return nil
    }
  }
}
