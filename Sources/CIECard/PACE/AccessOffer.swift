/// The offer in EF.CardAccess, and the selection from it.
struct AccessOffer {
  /// Each variant once, in file order: a card could repeat one thousands of times.
  let candidates: [Candidate]

  /// A PACE variant that this program supports.
  struct Candidate {
    let info: PACEInfo
    let number: Int
    let namesParameters: Bool

    /// True if the public values of 2048 bits do not fit a short command.
    var needsExtendedLength: Bool {
      switch info.protocol.agreement {
      case .ecdh: false
      case .dh: number != Int(StandardGroup.modp1024of160.rawValue)
      }
    }
  }

  /// The data of a GENERAL AUTHENTICATE with 2048 bits: 7C 82 01 04 81 82 01 00 and the value.
  private static let longestTemplate = 264
  /// The only version of PACE (Doc 9303-11 §9.2.1).
  private static let version = 2

  /// - Parameter cardAccess: the file; a malformed one offers nothing.
  init(cardAccess: [UInt8]?) {
    let infos = cardAccess.flatMap { try? SecurityInfos($0) }?.infos ?? []
    let offered = infos.compactMap { info in
      if case .pace(let pace) = info, pace.version == Self.version { pace } else { nil }
    }
    var counts: [PACEProtocol: Int] = [:]
    for info in offered { counts[info.protocol, default: 0] += 1 }
    var seen: Set<PACEInfo> = []
    candidates = offered.compactMap { info in
      // Without a number the parameters would be proprietary, which ICAO does not allow.
      guard let number = info.parameterIdentifier, seen.insert(info).inserted else { return nil }
      return Candidate(
        info: info, number: number, namesParameters: counts[info.protocol, default: 0] > 1)
    }
  }

  /// The variant to run: AES before 3DES, then in file order (Doc 9303-11 §4.4.4).
  ///
  /// - Returns: `nil` if no offered variant can be run.
  func selection(
    over reader: ChannelTraits.ExtendedLength
  ) throws(CardError) -> PACE.Selection? {
    try chosen(over: reader).map { candidate, domain in
      PACE.Selection(
        info: candidate.info, domain: domain, namesParameters: candidate.namesParameters)
    }
  }

  /// True if the variant to run needs extended length.
  func needsExtendedLength(
    over reader: ChannelTraits.ExtendedLength
  ) throws(CardError) -> Bool {
    // Without a long one, no domain is made.
    guard candidates.contains(where: \.needsExtendedLength) else { return false }
    return try chosen(over: reader)?.candidate.needsExtendedLength == true
  }

  private func chosen(
    over reader: ChannelTraits.ExtendedLength
  ) throws(CardError) -> (candidate: Candidate, domain: AgreementDomain)? {
    let usable = candidates.filter {
      !$0.needsExtendedLength || reader.carries(Self.longestTemplate)
    }
    let preferred =
      usable.filter { $0.info.protocol.cipher != .tripleDES }
      + usable.filter { $0.info.protocol.cipher == .tripleDES }
    for candidate in preferred {
      let domain = try CardError.crypto(
        at: .openAccess, try AgreementDomain(standardized: candidate.number))
      guard let domain, domain.method == candidate.info.protocol.agreement,
        candidate.info.protocol.mapping != .integrated || domain.takesIntegratedMapping
      else { continue }
      return (candidate, domain)
    }
    return nil
  }

  /// The reason why there is no selection.
  func obstacle(over reader: ChannelTraits.ExtendedLength) -> CardError.Reason {
    let isLong = candidates.contains { $0.needsExtendedLength }
    return isLong && !reader.carries(Self.longestTemplate)
      ? .extendedLengthNeeded(nil) : .noAccessProtocol
  }
}
