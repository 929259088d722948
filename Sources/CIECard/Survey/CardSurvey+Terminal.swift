/// Questions about the terminal's certificate, device authentication, and the data readable in the
/// proven channel without a code.
extension CardSurvey where Channel: ~Copyable {
  mutating func askTerminalCertificate(
    _ keys: SurveyKeys, random: inout some RandomSource
  ) throws(CardError) {
    let authority = keys.authority
    let application = authority.applicationIdentifier
    let (profile, role) = (TerminalCertificate.profileIdentifier, TerminalCertificate.role)
    var stranger = application
    stranger[stranger.count - 1] ^= 0x01
    let variants: [(subject: String, certificate: TerminalCertificate, isDamaged: Bool)] = [
      (
        "certificate-with-wrong-signature", TerminalCertificate(authority: authority), true
      ),
      (
        "certificate-for-other-application",
        TerminalCertificate(
          authority: authority, profile: profile, application: stranger, role: role), false
      ),
      (
        "certificate-with-other-role",
        TerminalCertificate(
          authority: authority, profile: profile, application: application, role: 0x02), false
      ),
      (
        "certificate-with-other-profile",
        TerminalCertificate(
          authority: authority, profile: 0x7A, application: application, role: role), false
      ),
    ]
    for variant in variants {
      try ask(variant.isDamaged ? "D14" : "I", variant.subject) {
        (line: consuming Line) throws(CardError) in
        let agreed = try Self.agree(&line, keys, &random)
        var secure = SecureChannel(over: line, messaging: agreed.messaging)
        try secure.require(DeviceAuthentication.selectAuthorityKey, at: .presentCertificate)
        var bytes = try CardError.crypto(at: .presentCertificate, try variant.certificate.signed())
        // 7F21 82 ll ll 5F37 82 ll ll, then the signature.
        if variant.isDamaged { bytes[40] ^= 0x01 }
        return try secure.word(for: .verifyCertificate(bytes))
      }
    }
    let holder = TLV.encode(0x83, TerminalCertificate.holderReference)
    for (subject, template) in [
      ("terminal-key-by-a4", CommandAPDU.Template.externalAuthentication),
      ("terminal-key-by-b6", .certificateVerification),
    ] {
      try ask("D6", subject) { (line: consuming Line) throws(CardError) in
        let agreed = try Self.agree(&line, keys, &random)
        var secure = SecureChannel(over: line, messaging: agreed.messaging)
        try DeviceAuthentication.presentCertificate(to: &secure, authority: authority)
        return try secure.word(for: .setSecurityEnvironment(template, holder))
      }
    }
    try ask("D19", "counters-after-terminal") { (line: consuming Line) throws(CardError) in
      var secure = try Self.proveTerminal(line, keys, &random)
      return try secure.word(for: SecurityDataObject.controlParameters(of: .pin))
    }
    try askSerialNumber(keys, random: &random)
  }

  /// Asks whether the chip authenticates with the last eight bytes of EF.SN.
  private mutating func askSerialNumber(
    _ keys: SurveyKeys, random: inout some RandomSource
  ) throws(CardError) {
    let file = serialNumber
    try ask("D23", "serial-number-of-the-chip") { (line: consuming Line) throws(CardError) in
      guard let file else { return "no-file" }
      var secure = try Self.proveTerminal(line, keys, &random)
      try DeviceAuthentication.selectDeviceKey(through: &secure, at: .authenticateChip)
      let answer = try secure.require(
        .internalAuthenticate([UInt8](repeating: 0x5A, count: 8), expected: .whole),
        at: .authenticateChip)
      return answer.prefix(8) == file.suffix(8) ? "as-in-file" : "other"
    }
  }

  /// Asks for the data that a card returns to an authenticated terminal.
  mutating func askProvenChannel(
    _ keys: SurveyKeys, random: inout some RandomSource
  ) throws(CardError) {
    for kind in [CardError.CodeKind.pin, .puk] {
      try ask("D19", "\(kind.rawValue)-object") { (line: consuming Line) throws(CardError) in
        var secure = try Self.prove(line, keys, &random)
        do throws(CommandError) {
          return try secure.send(SecurityDataObject.controlParameters(of: kind)).surveyBytes
        } catch .channelEnded(let word) {
          return "bare \(word)"
        } catch { throw CardError(.readTries, cause: error) }
      }
    }
    for file: UInt8 in [0x02, 0x03, 0x07] {
      try ask("I", "read-100\(file)-without-pin") { (line: consuming Line) throws(CardError) in
        var secure = try Self.prove(line, keys, &random)
        return try secure.word(for: .readBinary(shortIdentifier: file, length: 9))
      }
    }
    let free = CommandAPDU.readBinary(shortIdentifier: 0x01, length: 12)
    try ask("D21", "session-after-select") { (line: consuming Line) throws(CardError) in
      try Self.word(after: CardApplication.cie.selection, free, line, keys, &random)
    }
    try ask("D21", "session-after-plain-read") { (line: consuming Line) throws(CardError) in
      try Self.word(after: free, free, line, keys, &random)
    }
  }

  private static func word(
    after plain: CommandAPDU, _ command: CommandAPDU, _ line: consuming Line, _ keys: SurveyKeys,
    _ random: inout some RandomSource
  ) throws(CardError) -> String {
    var line = line
    let agreed = try agree(&line, keys, &random)
    var messaging = agreed.messaging
    let before: String
    do throws(CommandError) {
      _ = try messaging.unprotect(line.exchange(try messaging.protect(command, form: .short)))
      before = try line.send(plain).status.description
      let answer = try line.exchange(try messaging.protect(command, form: .short))
      guard !answer.data.isEmpty else { return "\(before) bare \(answer.status)" }
      return try "\(before) \(messaging.unprotect(answer).surveyWord)"
    } catch {
      throw CardError(.probeApplications, cause: error)
    }
  }

  /// Authenticates the terminal, but not yet the chip.
  private static func proveTerminal(
    _ line: consuming Line, _ keys: SurveyKeys, _ random: inout some RandomSource
  ) throws(CardError) -> SecureChannel<LentChannel<Channel>> {
    var line = line
    let agreed = try agree(&line, keys, &random)
    let transcript = agreed.transcript()
    var secure = SecureChannel(over: line, messaging: agreed.messaging)
    try DeviceAuthentication.presentCertificate(to: &secure, authority: keys.authority)
    _ = try DeviceAuthentication.proveTerminal(to: &secure, transcript: transcript, random: &random)
    return secure
  }

  /// Authenticates both sides.
  static func prove(
    _ line: consuming Line, _ keys: SurveyKeys, _ random: inout some RandomSource
  ) throws(CardError) -> SecureChannel<LentChannel<Channel>> {
    var line = line
    try selectCIE(&line)
    let unproven = try KeyAgreement.run(
      over: line, parameters: keys.parameters, random: &random)
    switch unproven.authenticate(
      chipKey: keys.chipKey, authority: keys.authority, random: &random, report: { _ in })
    {
    case .proven(let secure): return secure
    case .failed(let error, _): throw error
    }
  }
}
