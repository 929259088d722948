extension TravelDocument where Channel: ~Copyable {
  /// Collects what `AuthenticityReport` judges of the travel document: the signed hashes, data groups, and what the
  /// chip proves of itself.
  ///
  /// The chip is asked to prove itself before the long files are read. A group that the card refuses, or that has
  /// not its form, is left out, and the report says that it was not read; groups that the security object does not
  /// list are not asked for. A failing reader or a lost card is an error.
  ///
  /// - Parameters:
  ///   - groups: what is wanted besides DG14 and DG15, which serve the proof. DG3 and DG4 are for the issuing state.
  ///   - zone: what opened the document, where that was its machine readable zone; DG1 must then say the same.
  ///   - challenge: eight fresh random bytes for active authentication.
  ///   - random: where the ephemeral key of chip authentication comes from.
  public mutating func gatherEvidence(
    _ groups: Set<DataGroup>, openedWith zone: MRZInformation? = nil, challenge: [UInt8],
    random: inout some RandomSource
  ) throws(CardError) -> TravelDocumentEvidence {
    var evidence = TravelDocumentEvidence(
      cardAccess: cardAccess, cardSecurity: cardSecurity, mrzInformation: zone)
    if let mapping = chipMapping {
      evidence.chipAuthentication = mapping == .proved ? .provedByMapping : .failed
    }
    evidence.securityObject = try unlessRefused { document throws(CardError) in
      try document.readSecurityObject()
    }
    let listed = evidence.securityObject.flatMap { Self.groupsListed(in: $0) }
    for group in Self.readingOrder where groups.contains(group) || group.servesTheProof {
      if let listed, !listed.contains(group) { continue }
      let file = try unlessRefused { document throws(CardError) in try document.read(group) }
      guard let file else { continue }
      evidence.files[group] = file
      switch group {
      case .dg14 where chipMapping == nil:
        evidence.chipAuthentication = try prove(with: file, random: &random)
        // The card no longer shares our keys: nothing more can be read.
        if evidence.chipAuthentication == .failed { return evidence }
      case .dg15:
        evidence.challenge = challenge
        evidence.response = try answer(to: challenge)
      default: break
      }
    }
    if chipMapping == nil, evidence.files[.dg14] == nil, let listed, !listed.contains(.dg14) {
      evidence.chipAuthentication = .notOffered
    }
    return evidence
  }

  /// Small files first: whoever holds the card may move it.
  private static var readingOrder: [DataGroup] {
    [
      .dg14, .dg15, .dg1, .dg11, .dg12, .dg13, .dg16, .dg5, .dg6, .dg7, .dg8, .dg9, .dg10, .dg2,
    ]
  }

  private static func groupsListed(in securityObject: [UInt8]) -> Set<DataGroup>? {
    guard let object = try? SecurityObject(file: securityObject) else { return nil }
    return Set(object.contents.dataGroups.compactMap { DataGroup(rawValue: $0.number) })
  }

  private mutating func prove(
    with dataGroup14: [UInt8], random: inout some RandomSource
  ) throws(CardError) -> TravelDocumentEvidence.ChipAuthentication {
    switch try authenticateChip(with: dataGroup14, random: &random) {
    case .proved: .proved
    case .failed: .failed
    case .notOffered: .notOffered
    case .unsupported, .refused, .extendedLengthNeeded: .notTried
    }
  }

  private mutating func unlessRefused(
    _ body: (inout TravelDocument) throws(CardError) -> [UInt8]
  ) throws(CardError) -> [UInt8]? {
    do throws(CardError) {
      return try body(&self)
    } catch {
      guard error.leavesFileOut else { throw error }
      return nil
    }
  }
}

extension DataGroup {
  /// DG14 and DG15 hold the keys that the chip proves itself with.
  fileprivate var servesTheProof: Bool { self == .dg14 || self == .dg15 }
}
