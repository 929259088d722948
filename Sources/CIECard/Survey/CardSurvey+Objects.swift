/// Questions in clear about the CIE application: reading, security data objects, security environments.
extension CardSurvey {
  func askApplication() throws(CardError) {
    try ask("D2", "cie-application", CardApplication.cie.selection)
    for file: UInt16 in 0x1000...0x1007 { try askParameters(of: file, in: .cie) }
    try askReading()
    try askObjects()
    try askEnvironments()
    try askExtendedLength()
  }

  private func askReading() throws(CardError) {
    // EF 1001 has twelve bytes.
    let reads: [(number: String, subject: String, bytes: [UInt8])] = [
      ("D10", "read-more-than-there-is", [0x00, 0xB0, 0x81, 0x00, 0xE7]),
      ("D7", "read-all-there-is", [0x00, 0xB0, 0x81, 0x00, 0x00]),
      ("D9/D11", "read-at-end", [0x00, 0xB0, 0x00, 0x0C, 0xE7]),
      ("I", "read-behind-end", [0x00, 0xB0, 0x00, 0x20, 0xE7]),
      ("D20", "read-256", [0x00, 0xB0, 0x86, 0x00, 0x00]),
      ("D7", "read-128", [0x00, 0xB0, 0x86, 0x00, 0x80]),
      ("D7", "read-231", [0x00, 0xB0, 0x86, 0x00, 0xE7]),
      ("I", "read-odd", [0x00, 0xB1, 0x00, 0x06, 0x04, 0x54, 0x02, 0x00, 0x00, 0xE7]),
    ]
    for read in reads {
      try ask(read.number, read.subject, in: .cie) { (line: consuming Line) throws(CardError) in
        // Makes the file current for the reads by offset.
        _ = try line.firstAnswer(to: [0x00, 0xB0, 0x81, 0x00, 0x0C])
        return try line.firstAnswer(to: read.bytes).surveyWord
      }
    }
  }

  private func askObjects() throws(CardError) {
    try ask("D4", "parameters-together", SecurityDataObject.domainParameters, in: .cie)
    try ask("D4", "parameters-one-by-one", in: .cie) { (line: consuming Line) throws(CardError) in
      var words: [String] = []
      for tag: UInt8 in [0x97, 0x98, 0x99] {
        words.append(try line.word(for: SecurityDataObject.domainParameter(tag)))
      }
      return words.joined(separator: " ")
    }
    let family = ChipFamily(atr: traits.atr)
    try ask("I", "parameters", in: .cie) { (line: consuming Line) throws(CardError) in
      let values = try DomainParameters.read(through: &line, family: family)
      return "p \(try Self.digest(values.modulus)) q \(try Self.digest(values.order))"
        + " g \(try Self.digest(values.generator))"
    }
    try ask("D7", "get-data-without-le", in: .cie) { (line: consuming Line) throws(CardError) in
      guard let bytes = SecurityDataObject.authorityKey.encoded(.short) else { return "none" }
      return try line.firstAnswer(to: bytes).surveyWord
    }
    try ask("I", "authority-key", in: .cie) { (line: consuming Line) throws(CardError) in
      let data = try line.require(SecurityDataObject.authorityKey, at: .readAuthorityKey)
      return try Self.authorityKey(data)
    }
    // 00 in the last byte of the authorization is not a role of an authority.
    try ask("D18", "authority-role", in: .cie) { (line: consuming Line) throws(CardError) in
      let key = try AuthorityKey.read(through: &line)
      return Array(key.holderAuthorization.suffix(1)).hexadecimal
    }
    for (file, subject) in [
      (ElementaryFile.deviceKey, "device-key"), (.servicesKey, "services-key"),
    ] {
      try ask("I", subject, in: .cie) { (line: consuming Line) throws(CardError) in
        guard let key = RSAPublicKey(cuttingPKCS1: try FileReader.read(file, through: &line))
        else { return "unreadable" }
        return "rsa \(key.modulus.bitLength) exponent \(key.exponent.hexadecimal)"
      }
    }
    try ask("I", "default-environment", in: .cie) { (line: consuming Line) throws(CardError) in
      let command = CommandAPDU.getData(
        [0x70, 0x06, 0xBF, 0xFB, 0x01, 0x02, 0x7B, 0x80], expected: .upTo(256))
      return try line.send(command, at: .probeApplications).surveyBytes
    }
  }

  private func askEnvironments() throws(CardError) {
    let environments: [(number: String, subject: String, template: [UInt8])] = [
      ("D5", "mse-algorithm-first", [0x80, 0x01, 0x02, 0x84, 0x01, 0x83]),
      ("D5", "mse-key-first", [0x84, 0x01, 0x83, 0x80, 0x01, 0x02]),
      ("D17", "mse-unknown-key", [0x80, 0x01, 0x02, 0x84, 0x01, 0x8F]),
      ("I", "mse-unknown-algorithm", [0x80, 0x01, 0x7F, 0x84, 0x01, 0x83]),
    ]
    for environment in environments {
      try ask(
        environment.number, environment.subject,
        .setSecurityEnvironment(.authentication, environment.template), in: .cie)
    }
    try ask("I", "services-challenge", in: .cie) { (line: consuming Line) throws(CardError) in
      let select = try line.word(for: KeyUsage.select(KeyUsage.servicesKey))
      let challenge = [UInt8](repeating: 0x5A, count: 12)
      return try select + " " + line.word(for: .internalAuthenticate(challenge, expected: .whole))
    }
  }

  /// Skipped if the reader is known not to carry such commands.
  private func askExtendedLength() throws(CardError) {
    guard traits.extendedLength != .notCarried else { return }
    // The answer decides about long reads in the travel document.
    try ask("I", "extended-ef-atr", in: .root) { (line: consuming Line) throws(CardError) in
      return try line.firstAnswer(to: [0x00, 0xB0, 0x9D, 0x00, 0x00, 0x07, 0xE1]).surveyWord
    }
    try ask("I", "extended-read", in: .cie) { (line: consuming Line) throws(CardError) in
      return try line.firstAnswer(to: [0x00, 0xB0, 0x86, 0x00, 0x00, 0x07, 0xE1]).surveyWord
    }
    try ask("I", "extended-get-data", in: .cie) { (line: consuming Line) throws(CardError) in
      let body = SecurityDataObject.authorityKey
      let bytes = body.encoded(.extended(maximumResponse: LengthForm.cardResponseLimit))
      guard let bytes else { return "none" }
      return try line.firstAnswer(to: bytes).surveyWord
    }
  }

  /// Length in bits and the first eight bytes of SHA-256: enough to compare the numbers of two
  /// cards.
  private static func digest(_ number: [UInt8]) throws(CardError) -> String {
    let hash = try CardError.crypto(
      at: .readDomainParameters, try HashAlgorithm.sha256.hash(number))
    return "\(number.bitLength):\(Array(hash.prefix(8)).hexadecimal)"
  }

  /// The tags in their order; the public numbers, which are the same on all cards, without the
  /// modulus.
  private static func authorityKey(_ data: [UInt8]) throws(CardError) -> String {
    var outer = TLVCursor(data)
    let objects = try CardError.parse(
      at: .readAuthorityKey,
      try outer.next(0x70).contents.first(0xBFA004).contents.first(0x7F49).contents.all())
    var words: [String] = []
    for object in objects {
      words.append(
        object.tag == 0x81 ? "81:\(try digest(object.bytes))" : Array(object.encoded).hexadecimal)
    }
    return words.joined(separator: " ")
  }
}
