// Deliberately written apart from CIECard: the card's SELECT.

extension CardApplication {
  /// SELECT (ISO/IEC 7816-4 §11.2.2): the MF, an application by AID, a file under the current application.
  mutating func select(_ command: CardCommand, _ isSecured: Bool) throws(Refusal) -> Answer {
    guard [0x00, 0x04, 0x0C].contains(command.p2) else { throw Refusal(.wrongParameters) }
    let template: [UInt8]
    switch command.p1 {
    case 0x00 where command.data.isEmpty || command.data == [0x3F, 0x00]:
      template = enter(.root)
    case 0x00, 0x02:
      template = try selectFile(command.data, isSecured)
    case 0x04:
      guard let application = Application(aid: command.data, profile: profile) else {
        throw Refusal(.fileNotFound)
      }
      template = enter(application)
    default:
      throw Refusal(.wrongParameters)
    }
    // A bare SELECT MF (four bytes) asks for nothing and gets nothing.
    return command.p2 == 0x0C || command.data.isEmpty ? .success : .data(template)
  }

  private mutating func enter(_ application: Application) -> [UInt8] {
    // PIN and PUK are local to an application: going elsewhere forgets them.
    if state.application != application { state.verified = [] }
    state.application = application
    state.file = nil
    state.privateKey = nil
    state.chipAuthentication = nil
    return application.controlParameters
  }

  private mutating func selectFile(
    _ identifier: [UInt8], _ isSecured: Bool
  ) throws(Refusal) -> [UInt8] {
    guard identifier.count == 2 else { throw Refusal(.wrongLength) }
    guard let application = state.application else { throw Refusal(.fileNotFound) }
    try checkApplication(application, isSecured)
    let number = identifier.reduce(0) { $0 << 8 | UInt16($1) }
    guard let file = files.files(of: application).first(where: { $0.identifier == number }) else {
      throw Refusal(.fileNotFound)
    }
    if file.access == .never { throw Refusal(.securityStatusNotSatisfied) }
    state.file = file
    return file.controlParameters
  }
}
