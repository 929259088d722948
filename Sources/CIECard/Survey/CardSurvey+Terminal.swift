/// Questions about the terminal's certificate, device authentication, and the data readable in the
/// proven channel without a code.
extension CardSurvey {
  func askTerminalCertificate(_ keys: SurveyKeys) throws(CardError) {
    let authority = keys.authority
    var stranger = authority.applicationIdentifier
    stranger[stranger.count - 1] ^= 0x01
    func certificate(
      profile: UInt8 = TerminalCertificate.profileIdentifier, application: [UInt8]? = nil,
      role: UInt8 = TerminalCertificate.role
    ) -> TerminalCertificate {
      TerminalCertificate(
        authority: authority, profile: profile,
        application: application ?? authority.applicationIdentifier, role: role)
    }
    let variants: [(subject: String, certificate: TerminalCertificate, isDamaged: Bool)] = [
      ("certificate-with-wrong-signature", certificate(), true),
      ("certificate-for-other-application", certificate(application: stranger), false),
      ("certificate-with-other-role", certificate(role: 0x02), false),
      ("certificate-with-other-profile", certificate(profile: 0x7A), false),
    ]
    for variant in variants {
      try ask(variant.isDamaged ? "D14" : "I", variant.subject) {
        (line: consuming Line) throws(CardError) in
        var secure = try secure(line, keys)
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
        var secure = try secure(line, keys)
        try DeviceAuthentication.presentCertificate(to: &secure, authority: authority)
        return try secure.word(for: .setSecurityEnvironment(template, holder))
      }
    }
    try ask("D19", "counters-after-terminal") { (line: consuming Line) throws(CardError) in
      var secure = try proveTerminal(line, keys)
      return try secure.word(for: SecurityDataObject.controlParameters(of: .pin))
    }
    // The chip should authenticate with the last eight bytes of EF.SN.
    try ask("D23", "serial-number-of-the-chip") { (line: consuming Line) throws(CardError) in
      guard let file = serialNumber else { return "no-file" }
      var secure = try proveTerminal(line, keys)
      try DeviceAuthentication.selectDeviceKey(through: &secure, at: .authenticateChip)
      let answer = try secure.require(
        .internalAuthenticate([UInt8](repeating: 0x5A, count: 8), expected: .whole),
        at: .authenticateChip)
      return answer.prefix(8) == file.suffix(8) ? "as-in-file" : "other"
    }
  }

  /// Asks for the data that a card returns to an authenticated terminal.
  func askProvenChannel(_ keys: SurveyKeys) throws(CardError) {
    for kind in [CardError.CodeKind.pin, .puk] {
      try ask("D19", "\(kind.rawValue)-object") { (line: consuming Line) throws(CardError) in
        var secure = try prove(line, keys)
        do throws(CardError) {
          let parameters = SecurityDataObject.controlParameters(of: kind)
          return try secure.send(parameters, at: .readTries).surveyBytes
        } catch {
          guard case .channelEnded(let word) = error.reason else { throw error }
          return "bare \(word)"
        }
      }
    }
    for file: UInt8 in [0x02, 0x03, 0x07] {
      try ask(
        "I", "read-100\(file)-without-pin",
        proven: .readBinary(shortIdentifier: file, length: 9), keys)
    }
    let free = CommandAPDU.readBinary(shortIdentifier: 0x01, length: 12)
    try ask("D21", "session-after-select", CardApplication.cie.selection, then: free, keys)
    try ask("D21", "session-after-plain-read", free, then: free, keys)
  }

  /// Asks for the word for a command in a session after a plain one.
  private func ask(
    _ number: String, _ subject: String, _ plain: CommandAPDU, then command: CommandAPDU,
    _ keys: SurveyKeys
  ) throws(CardError) {
    try ask(number, subject) { (line: consuming Line) throws(CardError) in
      var messaging = try messaging(&line, keys)
      do throws(CardError.Reason) {
        _ = try messaging.unprotect(line.exchange(try messaging.protect(command, form: .short)))
        let before = try line.send(plain).status.description
        let answer = try line.exchange(try messaging.protect(command, form: .short))
        guard !answer.data.isEmpty else { return "\(before) bare \(answer.status)" }
        return try "\(before) \(messaging.unprotect(answer).surveyWord)"
      } catch {
        throw CardError(.probeApplications, error)
      }
    }
  }

  /// Asks for the word for one command in a session in which both sides are authenticated.
  func ask(
    _ number: String, _ subject: String, proven command: CommandAPDU, _ keys: SurveyKeys
  ) throws(CardError) {
    try ask(number, subject) { (line: consuming Line) throws(CardError) in
      var secure = try prove(line, keys)
      return try secure.word(for: command)
    }
  }

  /// Authenticates the terminal, but not yet the chip.
  private func proveTerminal(
    _ line: consuming Line, _ keys: SurveyKeys
  ) throws(CardError) -> Secure {
    let agreed = try agree(&line, keys)
    let transcript = agreed.transcript()
    var secure = Secure(over: line, messaging: agreed.messaging)
    try DeviceAuthentication.presentCertificate(to: &secure, authority: keys.authority)
    _ = try DeviceAuthentication.proveTerminal(to: &secure, transcript: transcript, random: &random)
    return secure
  }

  /// Authenticates both sides.
  private func prove(
    _ line: consuming Line, _ keys: SurveyKeys
  ) throws(CardError) -> Secure {
    try line.select(.cie)
    let unproven = try KeyAgreement.run(over: line, parameters: keys.parameters, random: &random)
    switch unproven.authenticate(
      chipKey: keys.chipKey, authority: keys.authority, random: &random, report: { _ in })
    {
    case .proven(let secure): return secure
    case .failed(let error, _): throw error
    }
  }
}
