/// The authenticity of a card, point by point, for one side of it: the IAS application or the
/// travel document.
///
/// Passive: the security object's signature, the path from its signer to a CSCA, the hashes of the
/// files. Active: the chip proves that it holds a key whose public half is among those files. Only
/// both together distinguish a chip from a copy of its files. Revocation is not checked.
public struct AuthenticityReport: Sendable, Equatable {
  /// Side of the card that was judged.
  public let side: Side
  /// The points in the order of `Kind`. Hashes: on the IAS side of the free files in any case, and
  /// of the others if they were read; of a travel document, of DG1 in any case and of the others if
  /// they were read or withheld.
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
    /// Everything required was checked and holds.
    case proved
    /// At least one point was checked and does not hold.
    case `false`
    /// Nothing is false except a fault of genuine cards that the state has published.
    case knownFault(KnownFault)
    /// Nothing is false, but something required could not be checked.
    case couldNotCheck
  }

  /// The outcome as a whole: false if any point is, a known fault if any point is one.
  ///
  /// Proved requires the signature, its chain, the state of the CSCA and the validity; on the IAS
  /// side the hashes of services number and services key, and the challenge; of a travel document
  /// the hashes of DG1 and of every group that was read or withheld, and chip authentication or
  /// active authentication. Otherwise it could not be checked. A travel document's certificates count
  /// as valid if they are so now, or were on the day stated in its signed DG12, because documents
  /// valid for fifty years outlive their signers.
  public var outcome: Outcome {
    if isFalse { return .false }
    if let fault = knownFault { return .knownFault(fault) }
    return isPassivelyProved && isChipProved ? .proved : .couldNotCheck
  }

  /// True if everything is proved that files can prove, and nothing is false: the state signed the
  /// data. A copy of the files also satisfies this.
  public var isPassivelyProved: Bool {
    isPassivelyProved(besides: [])
  }

  /// True if that is so, or would be if these points were proved.
  package func isPassivelyProved(besides assumed: [Kind]) -> Bool {
    !isFalse && (isValid || assumed.contains(.signerValidity))
      && required.allSatisfy { self[$0] == .proved || assumed.contains($0) }
  }

  private var isFalse: Bool {
    points.contains { if case .false = $0.verdict { true } else { false } }
  }

  /// The fault of genuine cards that was found, if any.
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

  /// The points by which a chip proves that it is not a copy.
  private var chipProofs: [Verdict] {
    let kinds: [Kind] =
      switch side {
      case .ias: [.challenge]
      case .travelDocument: [.chipAuthentication, .activeAuthentication]
      }
    return kinds.compactMap { self[$0] }
  }

  private var isChipProved: Bool { chipProofs.contains(.proved) }

  /// True if the chip proved that it holds the private key to the services key that it presented.
  ///
  /// If not, all the rest could come from a copy of the files. If so, that key is the state's only
  /// if signature, chain and the hash of the services key are proved too.
  public var chipHoldsKey: Bool { self[.challenge] == .proved }

  /// Answers to the question whether this side of the card could be a copy.
  public enum Cloning: String, Sendable, Equatable {
    /// No: the chip holds a private key that never leaves it, and the state signed the public one.
    case excluded
    /// Yes: the document offers no such proof, or gave a false one.
    case possible
    /// No proof was requested, or it could not be linked to the state.
    case notJudged = "not-judged"
  }

  /// Judges whether this side of the card could be a copy.
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

  /// The verdict on a point; `nil` if it was not judged.
  public subscript(kind: Kind) -> Verdict? {
    points.first { $0.kind == kind }?.verdict
  }
}

extension AuthenticityReport {
  /// The reason why a file is not a document security object.
  public enum SecurityObjectError: Error, Sendable, Equatable {
    /// The file is not one object with tag `77`, or it is truncated.
    case notASecurityObject
    /// The contents are not a CMS SignedData; with the malformed part.
    case malformedSignedData(reason: String)
    /// This number of signers instead of one.
    case signerCount(Int)
    case noSignerCertificate
    /// The signed attribute contentType or messageDigest is absent or repeated (RFC 5652 §5.3).
    case signedAttributes
    /// Signed contents of another type than LDSSecurityObject; the object identifier, dotted.
    case contentType(String)
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

  /// Result of chip authentication or chip-authentication mapping, as far as the protocol goes (Doc
  /// 9303-11 §6.2, §4.4.3.3.3). The report answers the separate question whether the state signed the
  /// key.
  public enum ChipProof: Sendable, Hashable {
    /// The document announces no static key.
    case notOffered
    case notTried
    /// The program does not support the announced key or protocol.
    case unsupported
    case refused(StatusWord)
    /// The card ended the secure channel over it with this status word, in clear.
    case channelEnded(StatusWord)
    /// The reader does not carry commands of the key's length.
    case lengthNotCarried
    /// The chip answered with keys that only the holder of the static private key can have.
    case proved
    /// Mapping held, with the key in EF.CardSecurity.
    case provedByMapping
    /// It began, and the chip's response was not made with those keys.
    case failed
    /// A terminal says that it was proved: the keys of that proof are the terminal's, so nothing shows it to others.
    case toldByTerminal
  }
}
