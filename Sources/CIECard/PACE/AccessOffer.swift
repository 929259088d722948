/// What EF.CardAccess offers, and which of it this program takes.
struct AccessOffer {
  private let candidates: [Candidate]

  /// A PACE variant that this program knows.
  private struct Candidate {
    let info: PACEInfo
    let number: Int
    let namesParameters: Bool

    /// Whether the public values of 2048 bits do not fit a short command.
    var needsExtendedLength: Bool {
      switch info.protocol.agreement {
      case .ecdh: false
      case .dh: number != Int(StandardGroup.modp1024of160.rawValue)
      }
    }
  }

  /// The data of a GENERAL AUTHENTICATE with 2048 bits: 7C 82 01 04 81 82 01 00 and the value.
  private static let longestTemplate = 264
  /// The version of PACE that there is (Doc 9303-11 §9.2.1).
  private static let version = 2

  /// - Parameter cardAccess: the file; what cannot be read offers nothing.
  init(cardAccess: [UInt8]?) {
    guard let cardAccess, let infos = try? SecurityInfos(cardAccess) else {
      candidates = []
      return
    }
    let offered = infos.infos.compactMap { info in
      if case .pace(let pace) = info, pace.version == Self.version { pace } else { nil }
    }
    candidates = offered.compactMap { info in
      // Without a number the parameters would be proprietary ones, which ICAO does not allow.
      guard let number = info.parameterIdentifier else { return nil }
      let sameProtocol = offered.filter { $0.protocol == info.protocol }
      return Candidate(info: info, number: number, namesParameters: sameProtocol.count > 1)
    }
  }

  /// The variant to run: AES before 3DES, then the order of the file (Doc 9303-11 §4.4.4).
  ///
  /// - Returns: `nil` when nothing is on offer that can be run.
  func selection(
    over reader: ChannelTraits.ExtendedLength
  ) throws(CardError) -> PACE.Selection? {
    let usable = candidates.filter {
      !$0.needsExtendedLength || reader.carries(Self.longestTemplate)
    }
    let preferred =
      usable.filter { $0.info.protocol.cipher != .tripleDES }
      + usable.filter { $0.info.protocol.cipher == .tripleDES }
    for candidate in preferred {
      let domain = try CardError.crypto(at: .openAccess) { () throws(CryptoError) in
        try AgreementDomain(standardized: candidate.number)
      }
      guard let domain, domain.method == candidate.info.protocol.agreement,
        candidate.info.protocol.mapping != .integrated || domain.takesIntegratedMapping
      else { continue }
      return PACE.Selection(
        info: candidate.info, domain: domain, namesParameters: candidate.namesParameters)
    }
    return nil
  }

  /// Why there is no selection.
  func obstacle(over reader: ChannelTraits.ExtendedLength) -> CardError.Reason {
    let isLong = candidates.contains { $0.needsExtendedLength }
    return isLong && !reader.carries(Self.longestTemplate)
      ? .extendedLengthNeeded(nil) : .noAccessProtocol
  }
}
