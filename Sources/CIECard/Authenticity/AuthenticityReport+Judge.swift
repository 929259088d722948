package import Primitives

extension AuthenticityReport {
  /// Judges evidence of the IAS side. No card is needed: the same evidence gives the same report.
  ///
  /// - Parameters:
  ///   - evidence: the data read from the card; malformed parts make their points false.
  ///   - trust: the trusted CSCA certificates; without them the chain could not be checked. Only an
  ///     Italian one makes a CIE genuine.
  ///   - time: the time of judging.
  ///   - earliest: if that is the time of a clock, a time that the present cannot precede. Nothing is valid, expired or
  ///     not yet valid by a clock that is before it, or before the issue of a certificate on the path.
  public init(
    judging evidence: Evidence, trust: TrustStore?, at time: UTCTime,
    notBefore earliest: UTCTime? = nil
  ) {
    side = .ias
    points = Self.heedingMemory {
      Self.points(of: evidence, trust: trust, at: JudgementTime(time, notBefore: earliest))
    }
  }

  private static func points(
    of evidence: Evidence, trust: TrustStore?, at moment: JudgementTime
  ) -> [Point] {
    let time = moment.time
    let signed = SignedFile(evidence.securityObject)
    let chain = signed.object?.signer.flatMap { trust?.chain(of: $0, at: time) }
    var points = [
      Self.signature(signed), Self.signerChain(signed, chain),
      Point(
        kind: .signerDocumentType,
        verdict: Self.judgeDocumentType(signed.object, code: Self.identityCard)),
      Point(kind: .signerValidity, verdict: Self.judgeValidity(chain, at: moment)),
    ]
    for group in IASDataGroup.allCases {
      let file = evidence.files[group]
      guard group.isFree || file != nil else { continue }
      points.append(
        Point(kind: .hash(group), verdict: Self.judgeHash(of: file, group, signed.object)))
    }
    points += [
      Point(kind: .challenge, verdict: Self.judgeChallenge(evidence)),
      Point(kind: .issuingState, verdict: Self.judgeState(IssuingState.italy, chain)),
    ]
    if let file = evidence.files[.certificate] {
      points.append(
        Point(kind: .certificateNames, verdict: Self.judgeNames(in: file, evidence)))
    }
    return points
  }

  /// Judges; if OpenSSL ran out of memory on the way, a false point becomes one that could not be
  /// checked.
  static func heedingMemory(_ judge: () -> [Point]) -> [Point] {
    var points: [Point] = []
    do throws(CryptoError) {
      try CryptoError.heedingMemory("judgement") { points = judge() }
      return points
    } catch {
      return points.map { point in
        guard case .false = point.verdict else { return point }
        return Point(kind: point.kind, verdict: .couldNotCheck(.noMemory))
      }
    }
  }

  /// The document code of identity cards in the zone (Doc 9303-5 §4.2.2; on a CIE).
  private static let identityCard = "C"

  /// The security object, as far as it could be read.
  enum SignedFile {
    case absent
    case malformed(SecurityObjectError)
    case parsed(SecurityObject)

    /// One that must contain its signer's certificate, because a chip that withholds it is refused like a false one.
    init(_ file: [UInt8]?) {
      self.init(file, knowing: nil)
      if case .parsed(let object) = self, object.signer == nil {
        self = .malformed(.noSignerCertificate)
      }
    }

    /// - Parameter store: has the signer's certificate, perhaps, if the file does not.
    init(_ file: [UInt8]?, knowing store: TrustStore?) {
      guard let file else {
        self = .absent
        return
      }
      do throws(SecurityObjectError) {
        self = .parsed(try SecurityObject(file: file, knowing: store))
      } catch {
        self = .malformed(error)
      }
    }

    var object: SecurityObject? {
      if case .parsed(let object) = self { object } else { nil }
    }
  }

  static func judgeHash(
    of file: [UInt8]?, _ group: IASDataGroup, _ object: SecurityObject?
  ) -> Verdict {
    guard let file else { return .couldNotCheck(.notRead) }
    guard let part = group.hashedPart(of: file) else { return .false(.malformedFile) }
    return judgeHash(of: [part], number: group.rawValue, object)
  }

  /// - Parameter forms: the contents, of which one must have the signed hash.
  static func judgeHash(
    of forms: [[UInt8]], number: UInt8, _ object: SecurityObject?
  ) -> Verdict {
    guard let list = object?.contents else { return .couldNotCheck(.noSecurityObject) }
    guard let listed = list.hash(of: number) else { return .false(.notListed) }
    do throws(CryptoError) {
      for form in forms where try list.hashAlgorithm.hash(form) == listed { return .proved }
      return .false(.hashDiffers)
    } catch {
      return .couldNotCheck(.unsupportedAlgorithm(list.hashAlgorithm.rawValue))
    }
  }

  /// The shortest challenge that proves anything, in bytes; published terminals use 8 to 32.
  static let shortestChallenge = 8

  private static func judgeChallenge(_ evidence: Evidence) -> Verdict {
    guard let challenge = evidence.challenge, let response = evidence.response,
      let file = evidence.files[.servicesKey]
    else { return .couldNotCheck(.notRead) }
    guard challenge.count >= shortestChallenge else { return .couldNotCheck(.challengeTooShort) }
    guard let key = RSAPublicKey(cuttingPKCS1: file) else { return .false(.malformedFile) }
    guard key.openPKCS1Type1(response) == challenge else { return .false(.answerWrong) }
    return key.hasROCAFingerprint ? .couldNotCheck(.recoverableKey) : .proved
  }

  /// A difference between two signed sources is the issuer's error: it is reported, but not called
  /// a forgery.
  private static func judgeNames(
    in file: [UInt8], _ evidence: Evidence
  ) -> Verdict {
    let certificate: Certificate
    do { certificate = try Certificate(cutting: file) } catch { return .false(.malformedFile) }
    let holder = CertificateHolder(certificate.subject)
    let number = evidence.servicesNumber
    let document = evidence.files[.documentNumber]
      .flatMap { DocumentNumber([UInt8]($0.prefix(9))) }
    guard number != nil || document != nil else { return .couldNotCheck(.notRead) }
    let agrees = holder.agrees(with: number) && holder.agrees(with: document)
    return agrees ? .proved : .couldNotCheck(.namesDiffer)
  }

  /// Judges whether the Italian state vouches for a key of device authentication, before a PIN goes
  /// to the chip that holds it.
  ///
  /// The key's hash is in group A4 of the IAS security object, which must be signed by a signer of
  /// card documents issued by an Italian CSCA. Expired certificates do not matter: a key that the
  /// state vouched for when it issued the card is the card's as long as it works.
  ///
  /// - Parameters:
  ///   - file: EF.Int.Kpub (1004), as read; padding is dropped.
  ///   - securityObject: EF.SOD (1006); `nil` if the card did not return it.
  ///   - trust: the trusted CSCA certificates.
  ///   - time: the time of judging; of several chains one that is valid is preferred.
  /// - Returns: `proved`; `false` as soon as any point is; otherwise the first point that could not
  ///   be checked.
  public static func judgeDeviceKey(
    _ file: [UInt8], securityObject: [UInt8]?, trust: TrustStore?, at time: UTCTime
  ) -> Verdict {
    let evidence = Evidence(
      securityObject: securityObject, files: [.deviceKey: file])
    let report = AuthenticityReport(judging: evidence, trust: trust, at: time)
    // Everything is required except the document type, which a signer need not state, and the
    // validity.
    let falsehood = report.points.first { if case .false = $0.verdict { true } else { false } }
    if let falsehood { return falsehood.verdict }
    if RSAPublicKey(cuttingPKCS1: file)?.hasROCAFingerprint == true {
      return .couldNotCheck(.recoverableKey)
    }
    let required: [Kind] = [.signature, .hash(.deviceKey), .signerChain, .issuingState]
    return required.compactMap { report[$0] }.first { $0 != .proved } ?? .proved
  }
}

/// Time of judging, which is wrong if a clock says it and it cannot be the present.
package struct JudgementTime {
  let time: UTCTime
  /// Time that the present cannot precede; `nil` for a time that is not a clock's.
  private let earliest: UTCTime?

  package init(_ time: UTCTime, notBefore earliest: UTCTime?) {
    self.time = time
    self.earliest = earliest
  }

  /// - Parameter issues: times that are certainly past, such as the issue of certificates, which exist.
  /// - Returns: the latest of them and of what the program knows, if the clock is before it.
  package func isBefore(_ issues: [UTCTime]) -> UTCTime? {
    guard let earliest else { return nil }
    let issued = issues.reduce(earliest, max)
    return time < issued ? issued : nil
  }
}

extension TrustStore {
  /// Issue of the newest certificate that is built in: a clock that is before it is wrong. Stated here, because decoding
  /// all of them takes longer than reading a card; a test compares.
  package static let newestBuiltIn: UTCTime = 1_727_759_875
}
