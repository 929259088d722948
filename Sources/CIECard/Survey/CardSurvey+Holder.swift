/// Questions that take the PIN, which is shown once.
extension CardSurvey where Channel: ~Copyable {
  /// What becomes of the PIN's rights when its session ends, and what the holder's files are like.
  ///
  /// - Parameters:
  ///   - code: used up, right or wrong.
  ///   - check: as before every PIN, whether the State vouches for the chip.
  /// - Throws: what the VERIFY ends with, and the last try is not spent: nothing more is asked then.
  mutating func askHolder(
    _ keys: SurveyKeys, _ code: consuming PIN, checking check: GenuineCheck,
    random: inout some RandomSource
  ) throws(CardError) {
    let proven = try card().openChannel(before: .pin, checking: check, random: &random)
    var secure = try proven.verify(code.digits, allowingLastTry: false)
    note("I", "verify", "9000")
    for (file, subject): (UInt8, String) in [
      (0x02, "read-1002-after-pin"), (0x03, "read-1003-after-pin"), (0x07, "read-1007-after-pin"),
    ] {
      note("I", subject, try secure.word(for: .readBinary(shortIdentifier: file, length: 8)))
    }
    note("I", "certificate", try secure.holderCertificate())
    // The card drops the session with the first plain command.
    var line = secure.endSession()
    note(
      "I", "read-1003-in-clear-after-pin",
      try line.word(for: .readBinary(shortIdentifier: 0x03, length: 8)))
    try ask("I", "read-1003-in-the-next-session") { (line: consuming Line) throws(CardError) in
      var secure = try Self.prove(line, keys, &random)
      return try secure.word(for: .readBinary(shortIdentifier: 0x03, length: 8))
    }
  }
}

extension SecureChannel where Channel: ~Copyable {
  /// What the holder's certificate is made of, without a name.
  fileprivate mutating func holderCertificate() throws(CardError) -> String {
    let file = try FileReader.read(.certificate, through: &self)
    guard let certificate = try? Certificate(der: file) else { return "unreadable" }
    guard case .rsa(let key) = certificate.publicKey else { return "other-key" }
    // UTCTime up to 2049, GeneralizedTime from then on (RFC 5280 §4.1.2.5).
    let isLong = certificate.notAfter.date.year >= 2050
    return "rsa \(key.modulus.bitLength) \(isLong ? "generalized-time" : "utc-time")"
  }
}
