/// Questions that need the PIN, which is presented once.
extension CardSurvey {
  /// Asks how long the PIN's rights last after its session, and for properties of the holder's
  /// files.
  ///
  /// - Parameters:
  ///   - code: consumed, right or wrong.
  ///   - check: the genuineness check, as before every PIN.
  ///   - tries: the tries reported by cards.
  /// - Throws: the error of the VERIFY, which never spends the last try; no further questions
  ///   follow.
  func askHolder(
    _ keys: SurveyKeys, _ code: consuming PIN, checking check: GenuineCheck,
    remembering tries: KnownTries
  ) throws(CardError) {
    let proven = try card().openChannel(
      before: .pin, checking: check, remembering: tries, random: &random)
    var secure = try Self.show(code, to: proven)
    note("I", "verify", "9000")
    for (file, subject): (UInt8, String) in [
      (0x02, "read-1002-after-pin"), (0x03, "read-1003-after-pin"), (0x07, "read-1007-after-pin"),
    ] {
      note("I", subject, try secure.word(for: .readBinary(shortIdentifier: file, length: 8)))
    }
    note("I", "certificate", try secure.holderCertificate())
    // The card drops the session with the first plain command.
    var line = secure.endSession()
    let read = CommandAPDU.readBinary(shortIdentifier: 0x03, length: 8)
    note("I", "read-1003-in-clear-after-pin", try line.word(for: read))
    try ask("I", "read-1003-in-the-next-session", proven: read, keys)
  }

  /// A separate function, because the code is wiped at its end.
  private static func show(
    _ code: consuming PIN, to proven: consuming ProvenChannel<AnyCardChannel>
  ) throws(CardError) -> Secure {
    try proven.verify(code.digits, allowingLastTry: false)
  }
}

extension SecureChannel where Channel: ~Copyable {
  /// Properties of the holder's certificate, without a name.
  fileprivate mutating func holderCertificate() throws(CardError) -> String {
    let file = try FileReader.read(.certificate, through: &self)
    guard let certificate = try? Certificate(der: file) else { return "unreadable" }
    guard case .rsa(let key) = certificate.publicKey else { return "other-key" }
    // UTCTime up to 2049, GeneralizedTime from then on (RFC 5280 §4.1.2.5).
    let isLong = certificate.notAfter.date.year >= 2050
    return "rsa \(key.modulus.bitLength) \(isLong ? "generalized-time" : "utc-time")"
  }
}
