/// Questions about secure messaging after key agreement, before either side is authenticated.
extension CardSurvey where Channel: ~Copyable {
  /// READ BINARY of EF 1001, which is free.
  private static var read: CommandAPDU { .readBinary(shortIdentifier: 0x01, length: 12) }

  mutating func askSecureMessaging(
    _ keys: SurveyKeys, random: inout some RandomSource
  ) throws(CardError) {
    try askKeyAgreement(keys)
    try ask("D15", "sm-without-session") { (line: consuming Line) throws(CardError) in
      try Self.selectCIE(&line)
      // A plain command, which ends any session.
      _ = try line.firstAnswer(to: [0x00, 0xB0, 0x81, 0x00, 0x0C])
      let mac = [UInt8](repeating: 0, count: 8)
      let body = [0x97, 0x01, 0x0C, 0x8E, 0x08] + mac
      return try line.answer(to: [0x0C, 0xB0, 0x81, 0x00, 0x0D] + body + [0x00]).surveyWord
    }
    try ask("D15", "sm-without-mac") { (line: consuming Line) throws(CardError) in
      _ = try Self.agree(&line, keys, &random)
      return try line.answer(to: [0x0C, 0xB0, 0x81, 0x00, 0x03, 0x97, 0x01, 0x0C, 0x00]).surveyWord
    }
    try ask("D15", "sm-wrong-mac") { (line: consuming Line) throws(CardError) in
      let agreed = try Self.agree(&line, keys, &random)
      var messaging = agreed.messaging
      var bytes = try Self.protect(Self.read, with: &messaging)
      // The last byte is Le.
      bytes[bytes.count - 2] ^= 0x01
      return try line.answer(to: bytes).surveyWord
    }
    try ask("D15", "sm-error") { (line: consuming Line) throws(CardError) in
      // EF 1003 requires the PIN.
      try Self.word(
        for: .readBinary(shortIdentifier: 0x03, length: 12), over: line, keys, &random)
    }
    try ask("D16", "sm-case-1-padded-twice") { (line: consuming Line) throws(CardError) in
      try Self.word(for: .selectMasterFile, over: line, keys, &random)
    }
    try ask("D16", "sm-case-1-padded-once") { (line: consuming Line) throws(CardError) in
      try Self.selectCIE(&line)
      let agreed = try KeyAgreement.agree(
        through: &line, parameters: keys.parameters, profile: .travelDocument, random: &random)
      var secure = SecureChannel(over: line, messaging: agreed.messaging)
      return try secure.word(for: .selectMasterFile)
    }
    try ask("D8", "get-response-0c") { (line: consuming Line) throws(CardError) in
      let agreed = try Self.agree(&line, keys, &random)
      var messaging = agreed.messaging
      let bytes = try Self.protect(SecurityDataObject.authorityKey, with: &messaging)
      let first = try line.firstAnswer(to: bytes)
      guard case .bytesRemaining(let count) = first.status else {
        return "none \(first.surveyWord)"
      }
      return try line.firstAnswer(to: [0x0C, 0xC0, 0x00, 0x00, count]).surveyWord
    }
    try ask("D19", "counters-after-agreement") { (line: consuming Line) throws(CardError) in
      try Self.word(
        for: SecurityDataObject.controlParameters(of: .pin), over: line, keys, &random)
    }
    try ask("D20", "sm-read-231") { (line: consuming Line) throws(CardError) in
      try Self.word(
        for: .readBinary(shortIdentifier: 0x06, length: 0xE7), over: line, keys, &random)
    }
    try ask("I", "sm-read-odd") { (line: consuming Line) throws(CardError) in
      let command = CommandAPDU(
        0xB1, 0x00, 0x06, data: [0x54, 0x02, 0x00, 0x00], expected: .upTo(0xE0))
      return try Self.word(for: command, over: line, keys, &random)
    }
  }

  /// Asks how the terminal's value of 2048 bits can be sent: in two links, and in one extended
  /// command. The value is the generator itself, because this session is not used.
  private mutating func askKeyAgreement(_ keys: SurveyKeys) throws(CardError) {
    let length = keys.parameters.modulus.count
    let generator = keys.parameters.generator
    let value = [UInt8](repeating: 0, count: max(0, length - generator.count)) + generator
    let command = KeyAgreement.show(value)
    try ask("I", "chain-in-clear") { (line: consuming Line) throws(CardError) in
      try Self.selectCIE(&line)
      var words: [String] = []
      let links = [command.data.prefix(255), command.data.dropFirst(255)]
      for (index, part) in links.enumerated() {
        let link = command.chainLink(data: [UInt8](part), isLast: index == 1)
        guard let bytes = link.encoded(.short) else { continue }
        words.append(try line.firstAnswer(to: bytes).surveyWord)
      }
      return words.joined(separator: " ")
    }
    guard traits.extendedLength != .notCarried else { return }
    try ask("I", "extended-key-agreement") { (line: consuming Line) throws(CardError) in
      try Self.selectCIE(&line)
      guard let bytes = command.encoded(.extended(maximumResponse: 256)) else { return "none" }
      return try line.firstAnswer(to: bytes).surveyWord
    }
  }

  /// Selects the CIE application and agrees on keys.
  static func agree(
    _ line: inout Line, _ keys: SurveyKeys, _ random: inout some RandomSource
  ) throws(CardError) -> KeyAgreement.Agreed {
    try selectCIE(&line)
    return try KeyAgreement.agree(through: &line, parameters: keys.parameters, random: &random)
  }

  /// The word for one command in a fresh session.
  private static func word(
    for command: CommandAPDU, over line: consuming Line, _ keys: SurveyKeys,
    _ random: inout some RandomSource
  ) throws(CardError) -> String {
    var line = line
    let agreed = try agree(&line, keys, &random)
    var secure = SecureChannel(over: line, messaging: agreed.messaging)
    return try secure.word(for: command)
  }

  private static func protect(
    _ command: CommandAPDU, with messaging: inout SecureMessaging
  ) throws(CardError) -> [UInt8] {
    do throws(CommandError) { return try messaging.protect(command, form: .short) } catch {
      throw CardError(.probeApplications, cause: error)
    }
  }
}

/// The card's parameters for key agreement and device authentication, read once.
struct SurveyKeys: Sendable {
  let parameters: DomainParameters
  let chipKey: RSAPublicKey
  let authority: AuthorityKey

  init(
    through line: inout PlainChannel<some CardChannel & ~Copyable>, family: ChipFamily
  ) throws(CardError) {
    parameters = try DomainParameters.read(through: &line, family: family)
    let file = try FileReader.read(.deviceKey, through: &line)
    guard let key = RSAPublicKey(cuttingPKCS1: file) else {
      throw .unparsed(.unsafeParameters(.deviceKey), at: .readDeviceKey)
    }
    chipKey = key
    authority = try AuthorityKey.read(through: &line)
    try parameters.validate()
  }
}
