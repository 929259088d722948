// Deliberately written apart from CIECard: where the card takes the extended form.

extension CardApplication {
  /// Longest command and response APDU in extended form; nil when the card refuses the form.
  ///
  /// A key agreement with a finite field needs the form, so every card takes it for that.
  func extendedLength(of command: CardCommand) -> (command: Int, response: Int)? {
    let purpose = ExtendedCommand(command, in: state.application ?? .root)
    if options.refusesExtendedLength { return nil }
    if let purpose, options.refusedExtended.contains(purpose) { return nil }
    let isAgreement = purpose == .pace || purpose == .chipAuthentication
    return profile.extendedLength ?? (isAgreement ? CardProfile.agreementLength : nil)
  }
}

extension ExtendedCommand {
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
