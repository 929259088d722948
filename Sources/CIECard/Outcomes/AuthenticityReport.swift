/// What could be proved of a card's authenticity, point by point; for one side of the card, the IAS application or
/// the travel document.
///
/// Passive: the security object's signature, the way from its signer to a CSCA, the hashes of the files. Active:
/// the chip proves that it holds a key whose public half is among those files. Only both together tell a
/// chip from a copy of its files. Revocation is not known to any of it.
public struct AuthenticityReport: Sendable, Equatable {
  /// Which side of the card it is about.
  public let side: Side
  /// The points in the order of `Kind`. Of the hashes: on the IAS side the free files in any case and the others
  /// where they were read; of a travel document DG1 in any case and the others where they were read.
  public let points: [Point]

  /// The sides of a card.
  public enum Side: Sendable, Equatable {
    /// The IAS application, with NIS and certificate.
    case ias
    /// The travel document, with the holder's data and portrait.
    case travelDocument
  }

  /// The outcome as a whole.
  public enum Outcome: Sendable, Equatable {
    /// Everything that it takes was checked and holds.
    case proved
    /// Something was checked and does not hold.
    case `false`
    /// Nothing is false but what the state has published as a fault of genuine cards.
    case knownFault(KnownFault)
    /// Nothing is false, but something that it takes could not be checked.
    case couldNotCheck
  }

  /// The outcome as a whole: false when any point is, a known fault when any point is one.
  ///
  /// Proved takes the signature, its chain, the state of the CSCA and the validity; on the IAS side the hashes of services
  /// number and services key, and the challenge; of a travel document the hashes of DG1 and of every group that was read,
  /// and chip authentication or active authentication. Else it could not be checked. The certificates of a travel
  /// document are valid that are so now, or were on the day that its signed DG12 tells: documents of fifty years outlive
  /// their signers.
  public var outcome: Outcome {
    if isFalse { return .false }
    if let fault = knownFault { return .knownFault(fault) }
    return isPassivelyProved && isChipProved ? .proved : .couldNotCheck
  }

  /// Whether all is proved that files can prove, and nothing is false: the state signed what was read. A copy of the
  /// files has that too.
  public var isPassivelyProved: Bool {
    !isFalse && isValid && required.allSatisfy { self[$0] == .proved }
  }

  private var isFalse: Bool {
    points.contains { if case .false = $0.verdict { true } else { false } }
  }

  /// The fault of genuine cards that was found, if one was.
  public var knownFault: KnownFault? {
    for case .knownFault(let fault) in points.map(\.verdict) { return fault }
    return nil
  }

  private var isValid: Bool {
    self[.signerValidity] == .proved || self[.signerValidityAtIssue] == .proved
  }

  private var required: [Kind] {
    let passive: [Kind] = [.signature, .signerChain, .issuingState]
    return switch side {
    case .ias: passive + [.hash(.servicesNumber), .hash(.servicesKey)]
    case .travelDocument:
      passive
        + points.map { $0.kind }.filter { if case .dataGroup = $0 { true } else { false } }
    }
  }

  /// The points by which a chip proves that it is no copy.
  private var chipProofs: [Verdict] {
    let kinds: [Kind] =
      switch side {
      case .ias: [.challenge]
      case .travelDocument: [.chipAuthentication, .activeAuthentication]
      }
    return kinds.compactMap { self[$0] }
  }

  private var isChipProved: Bool { chipProofs.contains(.proved) }

  /// Whether the chip proved that it holds the private key to the services key it showed.
  ///
  /// Where it did not, all the rest could come from a copy of the files. Where it did, that key is the state's
  /// choice only if signature, chain and the hash of the services key are proved too.
  public var chipHoldsKey: Bool { self[.challenge] == .proved }

  /// Whether this side of the card could be a copy of another one.
  public enum Cloning: Sendable, Equatable {
    /// No: the chip holds a private key that never leaves it, and the state signed the public one.
    case excluded
    /// Yes: the document offers no such proof, or gave a false one.
    case possible
    /// It was not asked, or the proof could not be carried through to the state.
    case notJudged
  }

  /// Whether this side of the card could be a copy of another one.
  public var cloning: Cloning {
    let passive: [Kind] =
      switch side {
      case .ias: [.signature, .signerChain, .issuingState, .hash(.servicesKey)]
      case .travelDocument: [.signature, .signerChain, .issuingState]
      }
    let foundation = passive.compactMap { self[$0] }
    if isChipProved, foundation.allSatisfy({ $0 == .proved }) { return .excluded }
    let isFalse = (chipProofs + foundation).contains {
      if case .false = $0 { true } else { false }
    }
    let isOffered = chipProofs.contains { $0 != .couldNotCheck(.notOffered) }
    return isFalse || !isOffered ? .possible : .notJudged
  }

  /// What came of a point; `nil` when it was not looked at.
  public subscript(kind: Kind) -> Verdict? {
    points.first { $0.kind == kind }?.verdict
  }
}

extension AuthenticityReport {
  /// Why a file is no document security object.
  public enum SecurityObjectError: Error, Sendable, Equatable {
    /// The file is not one object with tag `77`, or it ends before that object does.
    case notASecurityObject
    /// The contents are no CMS structure; with OpenSSL's reason.
    case malformedSignedData(reason: String)
    /// Not one signer, but this many.
    case signerCount(Int)
    /// The signer's certificate is not included.
    case noSignerCertificate
    /// Of the signed attributes, contentType or messageDigest is absent or doubled (RFC 5652 §5.3).
    case signedAttributes
    /// Signed contents of another type than LDSSecurityObject; the object identifier, dotted.
    case contentType(String)
    /// The list of hashes cannot be read.
    case malformedHashList
    /// A version of the list other than 0 and 1; its content bytes.
    case unknownVersion([UInt8])
    /// A hash function that documents do not use; the content octets of its object identifier.
    case unknownHashAlgorithm(objectIdentifier: [UInt8])
    /// A hash whose length is not that of the list's hash function.
    case hashLength(dataGroup: UInt8, length: Int)
    /// Two hashes for the same data group.
    case repeatedDataGroup(UInt8)
  }
}
