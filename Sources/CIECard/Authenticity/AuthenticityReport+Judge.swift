extension AuthenticityReport {
  /// Judges evidence. Nothing is read and nothing is asked: the same evidence gives the same report.
  ///
  /// - Parameters:
  ///   - evidence: what was read from the card; malformed parts make their points false.
  ///   - trust: the CSCA certificates to believe; without them the chain could not be checked.
  ///   - time: the time of judging, seconds since 1970-01-01T00:00:00Z.
  public init(judging evidence: AuthenticityEvidence, trust: TrustStore?, at time: Int64) {
    side = .ias
    let signed = SignedFile(evidence.securityObject)
    let chain = signed.object.flatMap { object in trust?.chain(of: object.signer, at: time) }
    var points = [
      Point(kind: .signature, verdict: Self.judgeSignature(signed)),
      Point(kind: .signerChain, verdict: Self.judgeChain(signed, chain)),
      Point(kind: .signerValidity, verdict: Self.judgeValidity(chain, at: time...time)),
    ]
    for group in IASDataGroup.allCases {
      let file = evidence.files[group]
      guard group.isFree || file != nil else { continue }
      points.append(
        Point(kind: .hash(group), verdict: Self.judgeHash(of: file, group, signed.object)))
    }
    points.append(Point(kind: .challenge, verdict: Self.judgeChallenge(evidence)))
    self.points = points
  }

  /// The security object as far as it could be read.
  enum SignedFile {
    case absent
    case malformed(SecurityObjectError)
    case parsed(SecurityObject)

    init(_ file: [UInt8]?) {
      guard let file else {
        self = .absent
        return
      }
      do throws(SecurityObjectError) {
        self = .parsed(try SecurityObject(file: file))
      } catch {
        self = .malformed(error)
      }
    }

    var object: SecurityObject? {
      if case .parsed(let object) = self { object } else { nil }
    }
  }

  static func judgeSignature(_ signed: SignedFile) -> Verdict {
    switch signed {
    case .absent: .couldNotCheck(.notRead)
    case .malformed(let error): .false(.malformedSecurityObject(error))
    case .parsed(let object):
      switch object.signature {
      case .valid: .proved
      case .contentsAltered: .false(.contentsAltered)
      case .wrong: .false(.signatureWrong)
      case .unsupported: .couldNotCheck(.unsupportedAlgorithm(object.signatureAlgorithm))
      }
    }
  }

  static func judgeChain(
    _ signed: SignedFile, _ chain: TrustStore.Chain?
  ) -> Verdict {
    guard let object = signed.object else { return .couldNotCheck(.noSecurityObject) }
    guard let chain else { return .couldNotCheck(.noTrustStore) }
    return switch chain {
    case .path: .proved
    case .issuerUnknown: .couldNotCheck(.issuerUnknown(object.signer.issuer))
    case .issuerKeyUnknown: .couldNotCheck(.issuerKeyUnknown(object.signer.issuer))
    case .notIssued: .false(.notIssuedByTrustStore)
    case .refused(let reason): .false(.chainRefused(reason: reason))
    case .notASigner: .false(.notASigner)
    }
  }

  /// - Parameter time: a moment, or a day of which the hour is not known.
  static func judgeValidity(
    _ chain: TrustStore.Chain?, at time: ClosedRange<Int64>
  ) -> Verdict {
    guard case .path(let path) = chain else { return .couldNotCheck(.noChain) }
    if let late = path.map({ $0.notBefore }).max(), time.upperBound < late {
      return .couldNotCheck(.notYetValid(notBefore: late))
    }
    if let early = path.map({ $0.notAfter }).min(), early < time.lowerBound {
      return .couldNotCheck(.expired(notAfter: early))
    }
    return .proved
  }

  private static func judgeHash(
    of file: [UInt8]?, _ group: IASDataGroup, _ object: SecurityObject?
  ) -> Verdict {
    guard let file else { return .couldNotCheck(.notRead) }
    guard let part = group.hashedPart(of: file) else { return .false(.malformedFile) }
    guard let contents = object?.contents else { return .couldNotCheck(.noSecurityObject) }
    guard let listed = contents.hash(of: group.rawValue) else { return .false(.notListed) }
    do throws(CryptoError) {
      return try contents.hashAlgorithm.hash(part) == listed ? .proved : .false(.hashDiffers)
    } catch {
      return .couldNotCheck(.unsupportedAlgorithm(contents.hashAlgorithm.rawValue))
    }
  }

  /// The shortest challenge that proves anything, in bytes; published terminals use 8 to 32.
  static let shortestChallenge = 8

  private static func judgeChallenge(_ evidence: AuthenticityEvidence) -> Verdict {
    guard let challenge = evidence.challenge, let response = evidence.response,
      let file = evidence.files[.servicesKey]
    else { return .couldNotCheck(.notRead) }
    guard challenge.count >= shortestChallenge else { return .couldNotCheck(.challengeTooShort) }
    guard let key = RSAPublicKey(cuttingPKCS1: file) else { return .false(.malformedFile) }
    return key.openPKCS1Type1(response) == challenge ? .proved : .false(.answerWrong)
  }
}
