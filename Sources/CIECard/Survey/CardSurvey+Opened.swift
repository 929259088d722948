/// Questions that need the number on the front of the card (CAN), which opens the travel document
/// and has no tries.
extension CardSurvey {
  func askOpened(with digits: borrowing Secret) throws(CardError) {
    try askPACE()
    // Cards slow down after wrong codes, so only one is sent.
    let isOpen = try ask("E", "access") { (line: consuming Line) throws(CardError) in
      let document = try open(line, with: digits)
      return switch document.access {
      case .basic: "bac"
      case .pace(let name): name
      }
    }
    guard isOpen else { return }
    if traits.extendedLength != .notCarried {
      try ask("E", "sm-read-extended") { (line: consuming Line) throws(CardError) in
        var document = try open(line, with: digits, .extended)
        return try document.channel.word(
          for: .readBinary(shortIdentifier: 0x1D, length: document.channel.maximumReadLength))
      }
    }
    try ask("E", "data-groups") { (line: consuming Line) throws(CardError) in
      var document = try open(line, with: digits)
      let common = try document.readCommonData()
      let tags = try CardError.parse(at: .readCommonData, try CommonData.tags(in: common))
      return tags.hexadecimal
    }
    try ask("E", "sod") { (line: consuming Line) throws(CardError) in
      var document = try open(line, with: digits)
      let file = try document.readSecurityObject()
      guard let object = try? SecurityObject(file: file) else { return "unreadable" }
      let groups = object.contents.dataGroups.map { String($0.number) }
      return "\(object.contents.hashAlgorithm.rawValue) \(object.signed.signatureAlgorithm)"
        + " groups \(groups.joined(separator: " "))"
    }
    try ask("E", "portrait") { (line: consuming Line) throws(CardError) in
      var document = try open(line, with: digits)
      let file = try document.read(.dg2)
      guard let portrait = try? DataGroup.Portrait(dataGroup2: file) else { return "unreadable" }
      return "\(portrait.record) \(portrait.format.rawValue)"
    }
    for (group, subject) in [(DataGroup.dg11, "dg11-tags"), (.dg12, "dg12-tags")] {
      try ask("E", subject) { (line: consuming Line) throws(CardError) in
        var document = try open(line, with: digits)
        let file = try document.read(group)
        var cursor = TLVCursor(file)
        let objects = try CardError.parse(at: .readDataGroup, try cursor.next().contents.all())
        return objects.map { String($0.tag, radix: 16) }.joined(separator: " ")
      }
    }
    try askChipAuthentication(with: digits)
  }

  /// Asks for the length of the nonce, and whether a mapping of 2048 bits may be sent in links.
  /// Both runs are left unfinished, before any password is used.
  private func askPACE() throws(CardError) {
    try ask("E", "nonce") { (line: consuming Line) throws(CardError) in
      let nonce = try Self.beginPACE(&line).nonce
      return "\(nonce.count)"
    }
    try ask("I", "pace-in-links") { (line: consuming Line) throws(CardError) in
      let domain = try Self.beginPACE(&line).domain
      let command = CommandAPDU.generalAuthenticate(
        TLV.encode(0x81, domain.generator), moreFollow: true)
      guard command.data.count > CommandAPDU.maximumShortData else { return "short-enough" }
      return try Self.words(forLinksOf: command) { (bytes) throws(CardError) in
        try line.answer(to: bytes)
      }
    }
  }

  /// MSE:Set AT with the CAN and the first GENERAL AUTHENTICATE.
  private static func beginPACE(
    _ line: inout Line
  ) throws(CardError) -> (nonce: [UInt8], domain: AgreementDomain) {
    try line.select(.silentRoot)
    let file = try FileReader.readIfGiven(.cardAccess, through: &line)
    // The reader's support for the later commands does not matter here.
    let offer = AccessOffer(cardAccess: file)
    guard let selection = try offer.selection(over: .unknown) else {
      throw CardError(.openAccess, .noAccessProtocol)
    }
    let status = try PACE.select(selection, for: .can, through: &line)
    guard status == .success else { throw CardError(.openAccess, .refused(status)) }
    let nonce = try GeneralAuthenticate.send(nil, expecting: 0x80, through: &line)
    return (nonce, selection.domain)
  }

  /// Tries each variant of chip authentication announced in DG14 separately.
  private func askChipAuthentication(with digits: borrowing Secret) throws(CardError) {
    var infos: SecurityInfos?
    try ask("E", "dg14") { (line: consuming Line) throws(CardError) in
      var document = try open(line, with: digits)
      let file = try document.read(.dg14)
      guard let read = try? SecurityInfos(dataGroup14: file) else { return "unreadable" }
      infos = read
      return read.infos.map(\.surveyWord).joined(separator: " ")
    }
    guard let infos else { return }
    let offers = try CardError.crypto(
      at: .authenticateChip, try ChipAuthenticationOffer.all(in: infos))
    for (number, offer) in offers.prefix(4).enumerated() {
      for form in [ChipAuthentication.Form.keyAgreement, .authentication]
      where form == .authentication || offer.protocol.cipher == .tripleDES {
        try ask("E", "chip-authentication-\(number + 1)-\(form.rawValue)") {
          (line: consuming Line) throws(CardError) in
          var document = try open(line, with: digits)
          let result = try ChipAuthentication.run(
            offer, as: form, through: &document.channel, random: &random)
          return result.surveyWord
        }
      }
    }
  }

  private func open(
    _ line: consuming Line, with digits: borrowing Secret,
    _ lengths: ChannelTraits.LengthPolicy = .automatic
  ) throws(CardError) -> TravelDocument<AnyCardChannel> {
    let clone = Secret(count: digits.count) { buffer in
      digits.withBytes { buffer.copyBytes(from: $0) }
    }
    guard let code = try? AccessCode(can: clone) else {
      throw CardError(.openAccess, .malformed(.characters))
    }
    return try IdentityCard(over: line.close(), lengths: lengths)
      .openTravelDocument(with: code, random: &random)
  }
}

extension SecurityInfo {
  /// The announcement, without a key.
  fileprivate var surveyWord: String {
    switch self {
    case .pace(let info): info.protocol.name
    case .paceDomainParameter: "pace-parameters"
    case .chipAuthentication(let info): "ca-\(info.protocol.agreement)-\(info.protocol.cipher)"
    case .chipAuthenticationPublicKey(let key):
      "ca-key-\(key.agreement):\(key.subjectPublicKeyInfo.count)"
    case .terminalAuthentication: "ta"
    case .activeAuthentication: "aa"
    case .directory: "directory"
    case .unknown(objectIdentifier: let identifier): "unknown-\(identifier.hexadecimal)"
    }
  }
}

extension AuthenticityReport.ChipProof {
  fileprivate var surveyWord: String {
    switch self {
    case .proved, .provedByMapping: "proved"
    case .failed: "false"
    case .notOffered, .notTried, .toldByTerminal: "not-offered"
    case .unsupported: "unsupported"
    case .refused(let status): "refused \(status)"
    case .channelEnded(let status): "bare \(status)"
    case .lengthNotCarried: "extended-length-needed"
    }
  }
}
