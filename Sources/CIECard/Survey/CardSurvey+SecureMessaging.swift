internal import Primitives

/// Questions about secure messaging after key agreement, before either side is authenticated.
extension CardSurvey {
  /// READ BINARY of EF 1001, which is free.
  private static var read: CommandAPDU { .readBinary(shortIdentifier: 0x01, length: 12) }

  func readKeys() throws(CardError) -> SurveyKeys {
    var line = line()
    try line.select(.cie)
    let parameters = try DomainParameters.read(through: &line, family: ChipFamily(atr: traits.atr))
    let file = try FileReader.read(.deviceKey, through: &line)
    guard let key = RSAPublicKey(cuttingPKCS1: file) else {
      throw .unparsed(.unsafeParameters(.deviceKey), at: .readDeviceKey)
    }
    let authority = try AuthorityKey.read(through: &line)
    try parameters.validate()
    return SurveyKeys(parameters: parameters, chipKey: key, authority: authority)
  }

  func askSecureMessaging(_ keys: SurveyKeys) throws(CardError) {
    try askKeyAgreement(keys)
    try ask("D15", "sm-without-session", in: .cie) { (line: consuming Line) throws(CardError) in
      // A plain command, which ends any session.
      _ = try line.firstAnswer(to: [0x00, 0xB0, 0x81, 0x00, 0x0C])
      let mac = [UInt8](repeating: 0, count: 8)
      let body = [0x97, 0x01, 0x0C, 0x8E, 0x08] + mac
      return try line.answer(to: [0x0C, 0xB0, 0x81, 0x00, 0x0D] + body + [0x00]).surveyWord
    }
    try ask("D15", "sm-without-mac") { (line: consuming Line) throws(CardError) in
      _ = try agree(&line, keys)
      return try line.answer(to: [0x0C, 0xB0, 0x81, 0x00, 0x03, 0x97, 0x01, 0x0C, 0x00]).surveyWord
    }
    try ask("D15", "sm-wrong-mac") { (line: consuming Line) throws(CardError) in
      var messaging = try messaging(&line, keys)
      var bytes = try Self.protect(Self.read, with: &messaging)
      // The last byte is Le.
      bytes[bytes.count - 2] ^= 0x01
      return try line.answer(to: bytes).surveyWord
    }
    // EF 1003 requires the PIN.
    try ask("D15", "sm-error", agreed: .readBinary(shortIdentifier: 0x03, length: 12), keys)
    try ask("D16", "sm-case-1-padded-twice", agreed: .selectMasterFile, keys)
    try ask("D16", "sm-case-1-padded-once", in: .cie) { (line: consuming Line) throws(CardError) in
      let agreed = try KeyAgreement.agree(
        through: &line, parameters: keys.parameters, profile: .travelDocument, random: &random)
      var secure = SecureChannel(over: line, messaging: agreed.messaging)
      return try secure.word(for: .selectMasterFile)
    }
    try ask("D8", "get-response-0c") { (line: consuming Line) throws(CardError) in
      var messaging = try messaging(&line, keys)
      let bytes = try Self.protect(SecurityDataObject.authorityKey, with: &messaging)
      let first = try line.firstAnswer(to: bytes)
      guard case .bytesRemaining(let count) = first.status else {
        return "none \(first.surveyWord)"
      }
      return try line.firstAnswer(to: [0x0C, 0xC0, 0x00, 0x00, count]).surveyWord
    }
    try ask(
      "D19", "counters-after-agreement", agreed: SecurityDataObject.controlParameters(of: .pin),
      keys)
    try ask("D20", "sm-read-231", agreed: .readBinary(shortIdentifier: 0x06, length: 0xE7), keys)
    let oddRead = CommandAPDU(
      0xB1, 0x00, 0x06, data: [0x54, 0x02, 0x00, 0x00], expected: .upTo(0xE0))
    try ask("I", "sm-read-odd", agreed: oddRead, keys)
  }

  /// Asks how the terminal's value of 2048 bits can be sent: in two links, and in one extended
  /// command. The value is the generator itself, because this session is not used.
  private func askKeyAgreement(_ keys: SurveyKeys) throws(CardError) {
    let length = keys.parameters.modulus.count
    let generator = keys.parameters.generator
    let value = [UInt8](repeating: 0, count: max(0, length - generator.count)) + generator
    let command = KeyAgreement.show(value)
    try ask("I", "chain-in-clear", in: .cie) { (line: consuming Line) throws(CardError) in
      return try Self.words(forLinksOf: command) { (bytes) throws(CardError) in
        try line.firstAnswer(to: bytes)
      }
    }
    guard traits.extendedLength != .notCarried else { return }
    try ask("I", "extended-key-agreement", in: .cie) { (line: consuming Line) throws(CardError) in
      guard let bytes = command.encoded(.extended(maximumResponse: 256)) else { return "none" }
      return try line.firstAnswer(to: bytes).surveyWord
    }
  }

  /// The words for a command in two links.
  static func words(
    forLinksOf command: CommandAPDU, _ send: ([UInt8]) throws(CardError) -> ResponseAPDU
  ) throws(CardError) -> String {
    var words: [String] = []
    for (index, part) in [command.data.prefix(255), command.data.dropFirst(255)].enumerated() {
      let link = command.chainLink(data: [UInt8](part), isLast: index == 1)
      guard let bytes = link.encoded(.short) else { continue }
      words.append(try send(bytes).surveyWord)
    }
    return words.joined(separator: " ")
  }

  /// Selects the CIE application and agrees on keys.
  func agree(
    _ line: inout Line, _ keys: SurveyKeys
  ) throws(CardError) -> KeyAgreement.Agreed {
    try line.select(.cie)
    return try KeyAgreement.agree(through: &line, parameters: keys.parameters, random: &random)
  }

  func messaging(_ line: inout Line, _ keys: SurveyKeys) throws(CardError) -> SecureMessaging {
    let agreed = try agree(&line, keys)
    return agreed.messaging
  }

  func secure(_ line: consuming Line, _ keys: SurveyKeys) throws(CardError) -> Secure {
    let messaging = try messaging(&line, keys)
    return Secure(over: line, messaging: messaging)
  }

  /// Asks for the word for one command in a fresh session.
  private func ask(
    _ number: String, _ subject: String, agreed command: CommandAPDU, _ keys: SurveyKeys
  ) throws(CardError) {
    try ask(number, subject) { (line: consuming Line) throws(CardError) in
      var secure = try secure(line, keys)
      return try secure.word(for: command)
    }
  }

  private static func protect(
    _ command: CommandAPDU, with messaging: inout SecureMessaging
  ) throws(CardError) -> [UInt8] {
    return try mapError(try messaging.protect(command, form: .short)) {
      CardError(.probeApplications, $0)
    }
  }
}

/// The card's parameters for key agreement and device authentication, read once.
struct SurveyKeys: Sendable {
  let parameters: DomainParameters
  let chipKey: RSAPublicKey
  let authority: AuthorityKey
}
