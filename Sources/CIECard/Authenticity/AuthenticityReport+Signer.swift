/// The checks common to both sides of a card: a signed list of hashes, its signer, and the CSCA
/// above it.
extension AuthenticityReport {
  static func signature(_ signed: SignedFile) -> Point {
    Point(kind: .signature, verdict: judgeSignature(signed), remark: signed.object?.remark)
  }

  private static func judgeSignature(_ signed: SignedFile) -> Verdict {
    switch signed {
    case .absent: .couldNotCheck(.notRead)
    case .malformed(let error): .false(.malformedSecurityObject(error))
    case .parsed(let object):
      switch object.signed.signature {
      case .valid where object.usesSHA1 && !object.isSHA1Genuine:
        .couldNotCheck(
          object.signed.scheme?.oddNameWithSHA1.map { .weakScheme($0) } ?? .weakAlgorithm)
      case .valid: .proved
      case .contentsAltered: .false(.contentsAltered)
      case .wrong: .false(.signatureWrong)
      case .noCertificate: .couldNotCheck(.noSignerCertificate)
      case .unsupported: .couldNotCheck(.unsupportedAlgorithm(object.signed.signatureAlgorithm))
      }
    }
  }

  static func signerChain(_ signed: SignedFile, _ chain: TrustStore.Chain?) -> Point {
    Point(
      kind: .signerChain, verdict: judgeChain(signed, chain),
      remark: signed.object?.signer?.remark(on: chain))
  }

  private static func judgeChain(
    _ signed: SignedFile, _ chain: TrustStore.Chain?
  ) -> Verdict {
    guard let object = signed.object else { return .couldNotCheck(.noSecurityObject) }
    guard let signer = object.signer else { return .couldNotCheck(.noSignerCertificate) }
    guard let chain else { return .couldNotCheck(.noTrustStore) }
    return switch chain {
    case .path: .proved
    case .issuerUnknown: .couldNotCheck(.issuerUnknown(signer.issuer))
    case .issuerKeyUnknown: .couldNotCheck(.issuerKeyUnknown(signer.issuer))
    case .notIssued: .false(.notIssuedByTrustStore)
    case .refused(let reason): .false(.chainRefused(reason: reason))
    case .notASigner: .false(.notASigner)
    case .unsupported(let algorithm):
      signer.isSignedWithSHA1
        ? .couldNotCheck(
          X509Chain.signature(of: signer.handle).scheme?.oddNameWithSHA1
            .map { .weakScheme($0) } ?? .weakAlgorithm)
        : .couldNotCheck(.unsupportedAlgorithm(algorithm))
    }
  }

  /// Judges the validity at the time of judging.
  static func judgeValidity(_ chain: TrustStore.Chain?, at moment: JudgementTime) -> Verdict {
    if case .path(let path) = chain, let issued = moment.isBefore(path.map(\.notBefore)) {
      return .couldNotCheck(.clockEarly(issued: issued))
    }
    return judgeValidity(chain, at: moment.time...moment.time)
  }

  /// - Parameter time: a moment, or a day if the hour is not known.
  static func judgeValidity(
    _ chain: TrustStore.Chain?, at time: ClosedRange<UTCTime>
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

  /// - Parameters:
  ///   - code: the document code in the zone; `nil` if it is not known.
  ///   - missing: the reason why it is not.
  static func judgeDocumentType(
    _ object: SecurityObject?, code: String?, missing: Obstacle = .notRead
  ) -> Verdict {
    guard let object else { return .couldNotCheck(.noSecurityObject) }
    guard let signer = object.signer else { return .couldNotCheck(.noSignerCertificate) }
    guard let list = DocumentTypeList(of: signer) else {
      return .couldNotCheck(.notStated)
    }
    guard let code else { return .couldNotCheck(missing) }
    return list.allows(code) ? .proved : .false(.otherDocumentType(list.types))
  }

  /// Every certificate above the signer must be of that state: a link certificate leads from one
  /// CSCA of a state to the next.
  ///
  /// - Parameter state: the issuing state, as written in the zone.
  static func judgeState(_ state: String, _ chain: TrustStore.Chain?) -> Verdict {
    guard case .path(let path) = chain else { return .couldNotCheck(.noChain) }
    let countries = IssuingState.countries(of: state)
    guard !countries.isEmpty else { return .couldNotCheck(.stateUnknown(state)) }
    let found = path.dropFirst().map { $0.subject.country?.uppercased() ?? "" }
    if let other = found.first(where: { !$0.isEmpty && !countries.contains($0) }) {
      return .false(.otherState(issuing: state, signing: other))
    }
    return found.isEmpty || found.contains("") ? .couldNotCheck(.stateUnknown("")) : .proved
  }
}

/// Cases in which SHA-1 is still accepted, namely those of genuine cards of 2016 to 2020; the
/// report then names it.
///
/// Published are travel documents of 2018 signed with SHA-1 and RSA throughout, with version 0 of
/// the list of hashes; IAS security objects of 2019, with SHA-256 hashes and such a signature; and
/// signers of those years whose certificates the CSCA of 2016 signed with SHA-1
/// (italia/cie-mrtd-dotnet-sdk, italia/cie-nis-dotnetcore-sdk). The CSCA of April 2020 signs with
/// SHA-512, and version 1 of the list has never come with less.
extension SecurityObject {
  /// True if SHA-1 is used in the hashes of the files, in the digest of their list, or in the
  /// signature.
  var usesSHA1: Bool {
    contents.hashAlgorithm == .sha1 || signed.usesSHA1
  }

  /// True if it is used as in genuine cards.
  var isSHA1Genuine: Bool {
    let isPKCS1 =
      switch signed.scheme {
      case .pkcs1, .keyAlone: true
      case .pss, .ecdsa, .ecdsaPlain, nil: false
      }
    guard contents.version == 0, isPKCS1, let signer, case .rsa = signer.publicKey else {
      return false
    }
    return signer.isOfSHA1Years
  }
}

extension Certificate {
  /// True if the certificate begins in the years 2016 to 2020.
  var isOfSHA1Years: Bool { (1_451_606_400..<1_609_459_200).contains(notBefore) }

  var isSignedWithSHA1: Bool {
    X509Chain.signature(of: handle).scheme?.usesSHA1(digest: nil) == true
  }
}
