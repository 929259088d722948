internal import CIECard
internal import Primitives

/// Judges one SignerInfo, point by point (RFC 5652 §5.6; EN 319 102-1 as far as the points say).
struct SignerJudge {
  let trust: [Certificate]?
  var time: UTCTime
  /// Time that the present cannot precede, if the time of judging is a clock's; nil for any other time.
  var earliest: UTCTime?
  var purpose = Purpose.signatures
  /// Certificates and evidence of revocations that came with the document, beside those of a signature.
  var store = SecurityStore()
  /// Certificates of time stamp authorities or of their issuers; nil to judge no time stamp.
  var authorities: [Certificate]?
  /// The services of trusted lists; nil without any.
  var services: ServiceJudge?

  enum Purpose {
    case signatures
    /// Nothing but time stamps (RFC 3161 §2.3).
    case timeStamps
  }

  typealias Verdict = SignatureVerdict
  /// The hash of contents by an algorithm; nil if there are none.
  typealias Hashing = (HashAlgorithm) throws(DocumentError) -> [UInt8]?

  /// - Parameters:
  ///   - provedTime: a time at which the signature existed, by a time stamp of a PDF; nil without one.
  ///   - signature: that of a PDF, which holds the signer; nil for other files.
  ///   - mayBeBare: true if the contents cannot be signed attributes of another signature, so that there need not be any.
  ///   - statedTime: the time that a time stamp states; nil for the signer's own word.
  func judge(
    _ signer: SignerInfo, of data: SignedData, in signature: EmbeddedSignature? = nil,
    provedTime: UTCTime? = nil, mayBeBare: Bool = false, statedTime: UTCTime? = nil,
    hashing: Hashing
  ) throws(DocumentError) -> JudgedSignature {
    let certificate = signer.certificate(among: data.certificates)
    let hash = CMSObject.hash(signer.digestAlgorithm)
    let isBare = mayBeBare && signer.signedAttributes == nil && data.contentType == CMSObject.data
    let (attributes, attributesVerdict) =
      isBare
      ? (nil, .proved)
      : Self.attributes(of: signer, data, mayHaveTime: signature?.mayHaveTime ?? true)
    let digest =
      try isBare ? hash.flatMap { (hash) throws(DocumentError) in try hashing(hash) } : nil
    let signed = Self.signature(of: signer, certificate, hash, bare: digest, isBare)
    let claimed = signature?.claimedTime ?? attributes?.signingTime
    // Without attributes the signature is of the contents themselves (RFC 5652 §5.4).
    let contents = isBare ? signed : try Self.contents(attributes, signer, hash, hashing)
    var own = self
    own.store.add(SecurityStore([], RevocationEvidence(choices: data.revocation)))
    let stamp = try own.stamp(of: signer, in: data, hashing)
    // A proved time is the one at which the certificates had to be valid.
    let provedTime = stamp?.time ?? provedTime
    let stated = statedTime ?? claimed
    let question = PathQuestion(
      judge: own, certificate: certificate, data: data, provedTime: provedTime, statedTime: stated)
    var none: AuthorityExchanges?
    let path = question.findings(asking: &none)
    let isTimeStamp = purpose == .timeStamps
    let report = SignatureReport(
      signer: certificate, claimedTime: stated,
      hasTimeStamp: !isTimeStamp && signer.timeStamp != nil, isTimeStamp: isTimeStamp,
      stampedTime: isTimeStamp ? nil : provedTime, trustedBy: path.trustedBy,
      commits: certificate?.signingUses.commits ?? false, in: signature
    ) { kind in
      let verdict: Verdict? =
        switch kind {
        case .coverage: signature?.verdict
        case .attributes: attributesVerdict
        case .contents: contents
        case .signature: signed
        case .signingCertificate:
          isBare ? .couldNotCheck(.notStated) : Self.reference(attributes, certificate)
        case .statedTime: stated.flatMap { own.objection(to: $0, certificate) }
        case .chain: path.chain
        case .validity: path.validity
        case .revocation: path.revocation
        case .timeStamp: stamp?.verdict
        }
      return own.finding(verdict, on: kind, hasTimeStamp: !signer.timeStamps.isEmpty)
    }
    return JudgedSignature(report: report, question: question)
  }

  /// The finding about a point by its verdict; nil if it was not judged.
  func finding(
    _ verdict: Verdict?, on kind: SignatureReport.Kind, hasTimeStamp: Bool
  ) -> SignatureReport.Finding {
    verdict.map { .judged(Self.heedingMemory($0)) }
      ?? .unjudged(absence(of: kind, hasTimeStamp: hasTimeStamp))
  }

  /// The reason why a point without a verdict was not judged.
  private func absence(
    of kind: SignatureReport.Kind, hasTimeStamp: Bool
  ) -> SignatureReport.Absence {
    switch kind {
    case .revocation: .noEvidence
    case .timeStamp: hasTimeStamp ? .noAuthorities : .nothingToJudge
    case .coverage, .attributes, .contents, .signature, .signingCertificate, .statedTime, .chain,
      .validity:
      .nothingToJudge
    }
  }

  /// The verdict, unless OpenSSL ran out of memory on the way: then nothing is shown to be false.
  private static func heedingMemory(_ verdict: Verdict) -> Verdict {
    guard case .false = verdict, CryptoError.outOfMemory("judgement") != nil else { return verdict }
    return .couldNotCheck(.noMemory)
  }

  private static func attributes(
    of signer: SignerInfo, _ data: SignedData, mayHaveTime: Bool
  ) -> (SignedAttributes?, Verdict) {
    guard let encoded = signer.signedAttributes else { return (nil, .false(.noSignedAttributes)) }
    let (read, falsehood) = SignedAttributes.read(encoded)
    guard let attributes = read else { return (nil, .false(falsehood ?? .malformedAttributes)) }
    var verdict = Verdict.proved
    let protected = attributes.protectedAlgorithms
    if attributes.contentType != data.contentType {
      verdict = .false(.contentTypeDiffers)
    } else if let protected,
      !CMSObject.isSame(protected.digest, signer.digestAlgorithm)
        || !CMSObject.isSame(protected.signature, signer.signatureAlgorithm)
    {
      verdict = .false(.algorithmsDiffer)
    } else if !data.digestAlgorithms.contains(where: {
      CMSObject.isSame($0, signer.digestAlgorithm)
    }) {
      verdict = .couldNotCheck(.algorithmsDisagree)
    } else if attributes.hasMalformedTime {
      verdict = .couldNotCheck(.malformedTime)
    } else if !mayHaveTime, attributes.signingTime != nil {
      verdict = .couldNotCheck(.timeInside)
    }
    return (attributes, verdict)
  }

  private static func contents(
    _ attributes: SignedAttributes?, _ signer: SignerInfo, _ hash: HashAlgorithm?,
    _ hashing: Hashing
  ) throws(DocumentError) -> Verdict {
    guard let attributes else { return .couldNotCheck(.notReached) }
    guard let hash else {
      return .couldNotCheck(.unsupportedAlgorithm(CMSObject.name(signer.digestAlgorithm)))
    }
    guard hash != .sha1 else { return .couldNotCheck(.weakAlgorithm) }
    guard let value = try hashing(hash) else { return .couldNotCheck(.noContents) }
    return value == attributes.messageDigest ? .proved : .false(.contentsAltered)
  }

  private static func signature(
    of signer: SignerInfo, _ certificate: Certificate?, _ hash: HashAlgorithm?,
    bare: [UInt8]?, _ isBare: Bool
  ) -> Verdict {
    guard isBare || signer.signedAttributes != nil else { return .couldNotCheck(.notReached) }
    guard let certificate else { return .couldNotCheck(.noCertificate) }
    guard let hash else {
      return .couldNotCheck(.unsupportedAlgorithm(CMSObject.name(signer.digestAlgorithm)))
    }
    guard let scheme = SignatureAlgorithm(algorithmIdentifier: signer.signatureAlgorithm) else {
      return .couldNotCheck(.unsupportedAlgorithm(CMSObject.name(signer.signatureAlgorithm)))
    }
    if case .pss = scheme {
    } else if CMSObject.identifier(signer.signatureAlgorithm) == nil {
      // The parameters of a key, which no standard has here.
      return .couldNotCheck(.unsupportedAlgorithm(CMSObject.name(signer.signatureAlgorithm)))
    }
    var isRSA = false
    if case .rsa = certificate.publicKey { isRSA = true }
    switch scheme {
    case .pkcs1(let own), .pss(let own, mask: _):
      guard own == hash, isRSA else { return .couldNotCheck(.algorithmsDisagree) }
    case .ecdsa(let own), .ecdsaPlain(let own):
      guard own == hash, !isRSA else { return .couldNotCheck(.algorithmsDisagree) }
    case .keyAlone: break
    }
    guard !scheme.usesSHA1(digest: hash) else { return .couldNotCheck(.weakAlgorithm) }
    if let name = certificate.unsupportedKey {
      return .couldNotCheck(.unsupportedAlgorithm(name))
    }
    if isBare, bare == nil { return .couldNotCheck(.noContents) }
    let isRight = try? CryptoError.heedingMemory("signature") { () throws(CryptoError) in
      var digests: [[UInt8]] = []
      if let bare {
        digests = [bare]
      } else {
        for message in signer.signedEncodings() { digests.append(try hash.hash(message)) }
      }
      return digests.contains { digest in
        switch scheme {
        case .pss:
          certificate.verifyPSS(
            signature: signer.signature, digest: digest, algorithm: signer.signatureAlgorithm)
        case .pkcs1, .ecdsa, .ecdsaPlain, .keyAlone:
          certificate.verifies(
            signer.signature, of: digest, hash, isPlain: scheme == .ecdsaPlain(hash))
        }
      }
    }
    guard let isRight else { return .couldNotCheck(.noMemory) }
    if isRight { return .proved }
    let messages =
      (try? bare.map { [$0] } ?? signer.signedEncodings().map { try hash.hash($0) }) ?? []
    return messages.contains { certificate.signedWithoutNULL(signer.signature, digest: $0, hash) }
      ? .couldNotCheck(.digestInfo) : .false(.signatureWrong)
  }

  /// The verdict on a time that is stated and lies ahead, or outside of the certificate's own times; nil for others.
  private func objection(to stated: UTCTime, _ certificate: Certificate?) -> Verdict? {
    if let earliest, time < earliest { return nil }
    guard stated.seconds <= time.seconds + CertificateStatus.tolerance else {
      return .couldNotCheck(.claimsFuture)
    }
    guard let certificate else { return nil }
    let start = certificate.notBefore
    let end = certificate.notAfter
    let isPossible = stated.seconds >= start.seconds - CertificateStatus.tolerance && stated <= end
    return isPossible ? nil : .couldNotCheck(.claimsOtherTime(from: start, to: end))
  }

  private static func reference(
    _ attributes: SignedAttributes?, _ certificate: Certificate?
  ) -> Verdict {
    guard let attributes else { return .couldNotCheck(.notReached) }
    guard let certificate else { return .couldNotCheck(.noCertificate) }
    guard !attributes.certificateReferences.isEmpty else { return .couldNotCheck(.notStated) }
    for reference in attributes.certificateReferences {
      guard let algorithm = reference.algorithm else {
        return .couldNotCheck(.unsupportedAlgorithm(""))
      }
      guard let hash = try? algorithm.hash(certificate.der), hash == reference.hash else {
        return .false(.otherCertificate)
      }
      guard let serialNumber = reference.serialNumber else { continue }
      // The hash has bound the issuer, whose name has more than one encoding (RFC 5280 §7.1).
      guard certificate.encodedFields?.serialNumber == serialNumber else {
        return .false(.otherCertificate)
      }
    }
    return .proved
  }
}

extension Certificate {
  /// Verifies an RSASSA-PKCS1-v1_5 or ECDSA signature of a digest with the certified key.
  ///
  /// - Parameter isPlain: true for ecdsa-plain-signatures (BSI TR-03111 §5.2.1).
  fileprivate func verifies(
    _ signature: [UInt8], of digest: [UInt8], _ algorithm: HashAlgorithm, isPlain: Bool
  ) -> Bool {
    if case .rsa = publicKey {
      return verify(signature: signature, digest: digest, algorithm: algorithm)
    }
    guard let encoded = encodedFields?.publicKeyInfo, let key = SubjectPublicKey(encoded),
      case .curve = key.kind()
    else { return false }
    return isPlain
      ? key.verifyPlainECDSA(signature, digest: digest)
      : key.verifyECDSA(signature, digest: digest)
  }
}
