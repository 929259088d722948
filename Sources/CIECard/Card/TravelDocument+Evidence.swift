extension TravelDocument where Channel: ~Copyable {
  /// Collects the evidence of the travel document for `AuthenticityReport`: the signed hashes, data
  /// groups, and the chip's proofs.
  ///
  /// The chip's proof is requested last: if the chip ends the secure channel over it, the files
  /// have been read, and the report gives the reason for the missing proof. A group that the card
  /// refuses, or that is malformed, or at which it ends the channel, is left out, and the report
  /// states that it was not read; groups not listed in the security object are not requested. A
  /// failing reader or a lost card is an error.
  ///
  /// - Parameters:
  ///   - groups: the data groups to read besides DG14 and DG15, which are needed for the proof. DG3
  ///     and DG4 are for the issuing state.
  ///   - includingCommonData: true to read EF.COM too, which proves nothing. It is read anyway if
  ///     the security object is missing, because it is then the only list of the groups.
  ///   - zone: the machine readable zone, if that opened the document; DG1 must then contain the
  ///     same.
  ///   - random: the source of the ephemeral key of chip authentication and the challenge of active
  ///     authentication.
  public mutating func gatherEvidence(
    _ groups: Set<DataGroup>, includingCommonData: Bool = false,
    openedWith zone: MRZ.Information? = nil, random: inout some RandomSource
  ) throws(CardError) -> AuthenticityReport.Evidence.Document {
    var evidence: CardEvidence?
    return try gatherEvidence(
      groups, includingCommonData: includingCommonData, openedWith: zone, into: &evidence,
      random: &random)
  }

  /// Collects the same for another machine that judges it, too: in active authentication the chip signs its request.
  ///
  /// - Parameter portable: the evidence for the receiver's request; `nil` without one.
  package mutating func gatherEvidence(
    _ groups: Set<DataGroup>, includingCommonData: Bool = false,
    openedWith zone: MRZ.Information?, into portable: inout CardEvidence?,
    random: inout some RandomSource
  ) throws(CardError) -> AuthenticityReport.Evidence.Document {
    var evidence = AuthenticityReport.Evidence.Document(
      cardAccess: cardAccess, cardSecurity: cardSecurity, mrzInformation: zone)
    var reopenings = 2
    tryLongAnswers()
    evidence.securityObject = try readIfPossible(&reopenings, &random) {
      document throws(CardError) in try document.readSecurityObject()
    }
    let signed = evidence.securityObject.flatMap { try? SecurityObject(file: $0) }
    if includingCommonData || evidence.securityObject == nil {
      evidence.commonData = try readIfPossible(&reopenings, &random) {
        document throws(CardError) in try document.readCommonData()
      }
    }
    let listed = signed?.travelDocumentGroups
    let expected = listed ?? evidence.commonData.map(CommonData.groups) ?? []
    // DG14 and DG15 hold the keys for the chip's proof.
    let wanted = groups.union([.dg14, .dg15])
    for group in Self.readingOrder where wanted.contains(group) {
      if let listed, !listed.contains(group) { continue }
      evidence.files[group] = try readIfPossible(&reopenings, &random) {
        document throws(CardError) in try document.read(group)
      }
      if evidence.files[group] == nil, expected.contains(group) { evidence.unread.insert(group) }
    }
    evidence.chipAuthentication = try proof(with: evidence, signed, random: &random)
    if evidence.files[.dg15] != nil, evidence.chipAuthentication.leavesChannel {
      let challenge = try CardError.crypto(at: .answerChallenge) { () throws(CryptoError) in
        if let portable { return try portable.documentChallenge() }
        return try random.bytes(ActiveAuthentication.challengeLength)
      }
      evidence.challenge = challenge
      do throws(CardError) { evidence.response = try answer(to: challenge) } catch {
        // After the last operation a channel that ends costs nothing.
        guard case .channelEnded = error.reason else { throw error }
      }
    }
    portable?.document = evidence
    return evidence
  }

  /// Collects the evidence for another machine that judges it; in active authentication the chip signs its request.
  /// Gather it before that of the IAS side.
  ///
  /// - Parameters:
  ///   - groups: as for evidence that is judged here.
  ///   - zone: the machine readable zone, if that opened the document. It is not part of the evidence.
  ///   - evidence: that of the receiver's request.
  ///   - random: the source of the ephemeral key of chip authentication.
  public mutating func gatherEvidence(
    _ groups: Set<DataGroup>, openedWith zone: MRZ.Information? = nil,
    into evidence: inout CardEvidence, random: inout some RandomSource
  ) throws(CardError) {
    var portable: CardEvidence? = evidence
    _ = try gatherEvidence(groups, openedWith: zone, into: &portable, random: &random)
    if let portable { evidence = portable }
  }

  /// Small files first, because the card may be moved away.
  private static var readingOrder: [DataGroup] {
    [
      .dg1, .dg11, .dg12, .dg14, .dg15, .dg13, .dg16, .dg5, .dg6, .dg7, .dg8, .dg9, .dg10, .dg2,
    ]
  }

  /// The chip's proof by its static key, in PACE already or now.
  private mutating func proof(
    with evidence: AuthenticityReport.Evidence.Document, _ signed: SecurityObject?,
    random: inout some RandomSource
  ) throws(CardError) -> AuthenticityReport.ChipProof {
    switch chipMapping {
    case .proved, .provedByMapping: return .provedByMapping
    case .failed: return .failed
    case .notOffered, .notTried, .unsupported, .refused, .channelEnded, .lengthNotCarried,
      .toldByTerminal:
      return .unsupported
    case nil: break
    }
    guard let file = evidence.files[.dg14] else {
      return signed?.travelDocumentGroups.contains(.dg14) == false ? .notOffered : .notTried
    }
    // A key that is known not to be signed by the state proves nothing, and is not used.
    if case .false = AuthenticityReport.judgeHash(of: file, .dg14, signed) { return .notTried }
    return try authenticateChip(with: file, random: &random)
  }

  /// Reads a file, if the card returns it. If the card ends the channel over it, the document is
  /// opened again: a file that was requested in extended length is then requested in short
  /// commands, any other one is left out.
  private mutating func readIfPossible(
    _ reopenings: inout Int, _ random: inout some RandomSource,
    _ body: (inout TravelDocument) throws(CardError) -> [UInt8]
  ) throws(CardError) -> [UInt8]? {
    var isRepeated = false
    while true {
      do throws(CardError) {
        let file = try body(&self)
        if isRepeated { hasEndedOverLength = true }
        return file
      } catch {
        if error.leavesFileOut { return nil }
        // Short commands follow an extended one, so this happens once, and costs the files nothing.
        isRepeated = channel.isExtended
        guard error.endsChannel, isRepeated || reopenings > 0, try reopen(random: &random) else {
          throw error
        }
        if isRepeated { continue }
        reopenings -= 1
        return nil
      }
    }
  }
}

extension SecurityObject {
  fileprivate var travelDocumentGroups: Set<DataGroup> {
    Set(contents.dataGroups.compactMap { DataGroup(rawValue: $0.number) })
  }
}

extension CardError {
  /// True if the card is there and only the channel is lost: the card ended it, or the reader did
  /// not carry a long command.
  fileprivate var endsChannel: Bool {
    switch reason {
    case .channelEnded, .channel(.lengthNotCarried): true
    default: false
    }
  }
}

extension AuthenticityReport.ChipProof {
  /// True if the card still has our keys.
  fileprivate var leavesChannel: Bool {
    switch self {
    case .notOffered, .notTried, .unsupported, .refused, .proved, .provedByMapping: true
    case .channelEnded, .lengthNotCarried, .failed, .toldByTerminal: false
    }
  }
}

extension TravelDocument where Channel: ~Copyable {
  /// The most offers of chip authentication that are tried; each costs two or three commands.
  private static var mostOffers: Int { 4 }

  /// Makes the chip prove that it holds the private key to a static key of DG14.
  ///
  /// It means nothing unless DG14 itself is genuine: the report checks both.
  ///
  /// - Parameters:
  ///   - dataGroup14: the file.
  ///   - random: the source of the ephemeral key.
  package mutating func authenticateChip(
    with dataGroup14: [UInt8], random: inout some RandomSource
  ) throws(CardError) -> AuthenticityReport.ChipProof {
    report(.authenticateChip)
    guard let infos = try? SecurityInfos(dataGroup14: dataGroup14) else { return .notOffered }
    guard !infos.chipAuthenticationKeys.isEmpty else { return .notOffered }
    let offers = try CardError.crypto(
      at: .authenticateChip, try ChipAuthenticationOffer.all(in: infos))
    // A refused offer does not speak against the next one.
    var result = AuthenticityReport.ChipProof.unsupported
    for offer in offers.prefix(Self.mostOffers) {
      result = try ChipAuthentication.run(offer, through: &channel, random: &random)
      guard case .refused = result else { break }
    }
    return result
  }
}
