extension TravelDocument where Channel: ~Copyable {
  /// Collects what `AuthenticityReport` judges of the travel document: the signed hashes, data groups, and what the
  /// chip proves of itself.
  ///
  /// The chip is asked to prove itself last: one that ends the secure channel over it has given its files, and the
  /// report says that it did not prove itself, and why. A group that the card refuses, or that has not its form, is
  /// left out, and the report says that it was not read; groups that the security object does not list are not asked
  /// for. A failing reader or a lost card is an error.
  ///
  /// - Parameters:
  ///   - groups: what is wanted besides DG14 and DG15, which serve the proof. DG3 and DG4 are for the issuing state.
  ///   - includingCommonData: whether EF.COM is read too, which proves nothing.
  ///   - zone: what opened the document, where that was its machine readable zone; DG1 must then say the same.
  ///   - random: where the ephemeral key of chip authentication and the challenge of active authentication come from.
  public mutating func gatherEvidence(
    _ groups: Set<DataGroup>, includingCommonData: Bool = false,
    openedWith zone: MRZ.Information? = nil, random: inout some RandomSource
  ) throws(CardError) -> AuthenticityReport.Evidence.Document {
    var evidence = AuthenticityReport.Evidence.Document(
      cardAccess: cardAccess, cardSecurity: cardSecurity, mrzInformation: zone)
    var reopenings = 2
    evidence.securityObject = try readIfPossible(&reopenings, &random) {
      document throws(CardError) in try document.readSecurityObject()
    }
    if includingCommonData {
      evidence.commonData = try readIfPossible(&reopenings, &random) {
        document throws(CardError) in try document.readCommonData()
      }
    }
    let signed = evidence.securityObject.flatMap { try? SecurityObject(file: $0) }
    let listed = signed?.travelDocumentGroups
    for group in Self.readingOrder where groups.contains(group) || group.servesTheProof {
      if let listed, !listed.contains(group) { continue }
      evidence.files[group] = try readIfPossible(&reopenings, &random) {
        document throws(CardError) in try document.read(group)
      }
    }
    evidence.chipAuthentication = try proof(with: evidence, signed, random: &random)
    if evidence.files[.dg15] != nil, evidence.chipAuthentication.leavesChannel {
      let challenge = try CardError.crypto(at: .answerChallenge) { () throws(CryptoError) in
        try random.bytes(ActiveAuthentication.challengeLength)
      }
      evidence.challenge = challenge
      evidence.response = try unlessEnded { document throws(CardError) in
        try document.answer(to: challenge)
      }
    }
    return evidence
  }

  /// Small files first: whoever holds the card may move it.
  private static var readingOrder: [DataGroup] {
    [
      .dg1, .dg11, .dg12, .dg14, .dg15, .dg13, .dg16, .dg5, .dg6, .dg7, .dg8, .dg9, .dg10, .dg2,
    ]
  }

  /// What the chip proves by its static key, in PACE already or now.
  private mutating func proof(
    with evidence: AuthenticityReport.Evidence.Document, _ signed: SecurityObject?,
    random: inout some RandomSource
  ) throws(CardError) -> AuthenticityReport.Evidence.Document.ChipAuthentication {
    switch chipMapping {
    case .proved: return .provedByMapping
    case .failed: return .failed
    case .notOffered, .unsupported, .refused, .channelEnded, .extendedLengthNeeded:
      return .unsupported
    case nil: break
    }
    guard let file = evidence.files[.dg14] else {
      return signed?.travelDocumentGroups.contains(.dg14) == false ? .notOffered : .notTried
    }
    // A key of which it is known already that the state did not sign it proves nothing, and is not calculated with.
    if case .false = AuthenticityReport.judgeHash(of: file, .dg14, signed) { return .notTried }
    return try authenticateChip(with: file, random: &random).evidence
  }

  /// Reads a file, if the card gives it. Where the card ends the channel over it, the document is opened once more:
  /// a file that was asked for in extended length is asked for in short commands then, any other one is left out.
  private mutating func readIfPossible(
    _ reopenings: inout Int, _ random: inout some RandomSource,
    _ body: (inout TravelDocument) throws(CardError) -> [UInt8]
  ) throws(CardError) -> [UInt8]? {
    while true {
      do throws(CardError) {
        return try body(&self)
      } catch {
        if error.leavesFileOut { return nil }
        let wasExtended = channel.isExtended
        guard error.endsChannel, reopenings > 0, try reopen(random: &random) else { throw error }
        reopenings -= 1
        if !wasExtended { return nil }
      }
    }
  }

  /// Nothing comes after it, so a channel that ends over it takes nothing away.
  private mutating func unlessEnded(
    _ body: (inout TravelDocument) throws(CardError) -> [UInt8]?
  ) throws(CardError) -> [UInt8]? {
    do throws(CardError) {
      return try body(&self)
    } catch {
      guard case .channelEnded = error.reason else { throw error }
      return nil
    }
  }
}

extension SecurityObject {
  /// The data groups that it has hashes of.
  fileprivate var travelDocumentGroups: Set<DataGroup> {
    Set(contents.dataGroups.compactMap { DataGroup(rawValue: $0.number) })
  }
}

extension CardError {
  /// Whether the card is there and only the channel is gone: it ended it, or a reader kept a long command to itself.
  fileprivate var endsChannel: Bool {
    switch reason {
    case .channelEnded, .channel(.lengthNotCarried): true
    default: false
    }
  }
}

extension ChipAuthenticationResult {
  /// As the report takes it.
  fileprivate var evidence: AuthenticityReport.Evidence.Document.ChipAuthentication {
    switch self {
    case .proved: .proved
    case .failed: .failed
    case .notOffered: .notOffered
    case .unsupported: .unsupported
    case .refused(let status): .refused(status)
    case .channelEnded(let status): .channelEnded(status)
    case .extendedLengthNeeded: .lengthNotCarried
    }
  }
}

extension AuthenticityReport.Evidence.Document.ChipAuthentication {
  /// Whether the card still shares our keys.
  fileprivate var leavesChannel: Bool {
    switch self {
    case .notOffered, .notTried, .unsupported, .refused, .proved, .provedByMapping: true
    case .channelEnded, .lengthNotCarried, .failed: false
    }
  }
}

extension DataGroup {
  /// DG14 and DG15 hold the keys that the chip proves itself with.
  fileprivate var servesTheProof: Bool { self == .dg14 || self == .dg15 }
}

extension TravelDocument where Channel: ~Copyable {
  /// The most ways of chip authentication that are tried; each costs two commands or three.
  private static var mostOffers: Int { 4 }

  /// Lets the chip prove that it holds the private key to a static key of DG14.
  ///
  /// It means nothing unless DG14 itself is genuine: the report looks at both.
  ///
  /// - Parameters:
  ///   - dataGroup14: the file.
  ///   - random: where the ephemeral key comes from.
  package mutating func authenticateChip(
    with dataGroup14: [UInt8], random: inout some RandomSource
  ) throws(CardError) -> ChipAuthenticationResult {
    report(.authenticateChip)
    guard let infos = try? SecurityInfos(dataGroup14: dataGroup14) else { return .notOffered }
    guard !infos.chipAuthenticationKeys.isEmpty else { return .notOffered }
    let offers = try CardError.crypto(at: .authenticateChip) { () throws(CryptoError) in
      try ChipAuthenticationOffer.all(in: infos)
    }
    // One way that is refused does not speak against the next.
    var result = ChipAuthenticationResult.unsupported
    for offer in offers.prefix(Self.mostOffers) {
      result = try ChipAuthentication.run(offer, through: &channel, random: &random)
      guard case .refused = result else { break }
    }
    return result
  }
}
