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
  /// Services to be asked for what the document lacks; nil to ask none.
  var service: RevocationService?
  /// Certificates of time stamp authorities or of their issuers; nil to judge no time stamp.
  var authorities: [Certificate]?

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
  ) throws(DocumentError) -> SignatureReport {
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
    let path = own.path(from: certificate, data)
    let then = provedTime ?? time
    let verdicts: [(SignatureReport.Kind, Verdict?)] = [
      (.coverage, signature?.verdict), (.attributes, attributesVerdict), (.contents, contents),
      (.signature, signed),
      (
        .signingCertificate,
        isBare ? .couldNotCheck(.notStated) : Self.reference(attributes, certificate)
      ),
      (.statedTime, (statedTime ?? claimed).flatMap { stated(at: $0, certificate) }),
      (.chain, path.verdict),
      (.validity, path.validity(at: then, notBefore: provedTime == nil ? earliest : nil)),
      (.revocation, own.revocation(on: path, in: data, at: then)), (.timeStamp, stamp?.verdict),
    ]
    return SignatureReport(
      signer: certificate, claimedTime: claimed,
      hasTimeStamp: signer.timeStamp != nil, stampedTime: provedTime,
      commits: certificate?.signingUses.commits ?? false,
      points: verdicts.compactMap { kind, verdict in
        verdict.map { (kind, Self.heedingMemory($0)) }
      }, in: signature)
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
    let attributes: SignedAttributes
    do throws(SignedAttributes.Fault) { attributes = try SignedAttributes(encoded) } catch {
      switch error {
      case .malformed: return (nil, .false(.malformedAttributes))
      case .missing(let type): return (nil, .false(.attributeMissing(CMSObject.dotted(type))))
      case .repeated(let type): return (nil, .false(.attributeRepeated(CMSObject.dotted(type))))
      }
    }
    var verdict = Verdict.proved
    let protected = attributes.protectedAlgorithms
    if attributes.contentType != data.contentType {
      verdict = .false(.contentTypeDiffers)
    } else if protected.map({ $0.digest != signer.digestAlgorithm }) == true
      || protected.map({ $0.signature != signer.signatureAlgorithm }) == true
      || !data.digestAlgorithms.contains(signer.digestAlgorithm)
    {
      verdict = .false(.algorithmsDiffer)
    } else if attributes.hasMalformedTime {
      verdict = .couldNotCheck(.malformedTime)
    } else if !mayHaveTime, attributes.signingTime != nil {
      verdict = .false(.timeInside)
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
      guard own == hash, isRSA else { return .false(.algorithmsDiffer) }
    case .ecdsa(let own):
      guard own == hash, !isRSA else { return .false(.algorithmsDiffer) }
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
        if case .pss = scheme {
          certificate.verifyPSS(
            signature: signer.signature, digest: digest, algorithm: signer.signatureAlgorithm)
        } else {
          certificate.verifies(signer.signature, of: digest, hash)
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
  private func stated(at stated: UTCTime, _ certificate: Certificate?) -> Verdict? {
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
      guard let named = reference.issuerAndSerial else { continue }
      let fields = certificate.encodedFields
      guard fields?.issuer == named.issuer, fields?.serialNumber == named.serial else {
        return .false(.otherCertificate)
      }
    }
    return .proved
  }

  /// A path to a trusted certificate, or the verdict on the lack of one.
  enum Path {
    case found([Certificate])
    case missing(Verdict)

    var verdict: Verdict {
      switch self {
      case .found: .proved
      case .missing(let verdict): verdict
      }
    }

    func validity(at time: UTCTime, notBefore earliest: UTCTime?) -> Verdict {
      guard case .found(let path) = self else { return .couldNotCheck(.noChain) }
      if let issued = earliest.map({ path.reduce($0) { max($0, $1.notBefore) } }), time < issued {
        return .couldNotCheck(.clockEarly(issued: issued))
      }
      if let late = path.first(where: { $0.notBefore > time }) {
        return .couldNotCheck(.notYetValid(notBefore: late.notBefore))
      }
      if let past = path.first(where: { $0.notAfter < time }) {
        return .couldNotCheck(.expired(notAfter: past.notAfter))
      }
      return .proved
    }
  }

  private func path(from certificate: Certificate?, _ data: SignedData) -> Path {
    guard let certificate else { return .missing(.couldNotCheck(.noCertificate)) }
    let uses = certificate.signingUses
    switch purpose {
    case .signatures:
      guard uses.signs || uses.commits, !uses.isForServices else {
        return .missing(.false(.notASigner))
      }
    case .timeStamps: guard uses.stamps else { return .missing(.false(.notATimeStamper)) }
    }
    guard !certificate.hasRecoverableKey else { return .missing(.couldNotCheck(.recoverableKey)) }
    guard let trust else { return .missing(.couldNotCheck(.noTrustStore)) }
    var others = data.certificates + store.certificates
    if let service {
      // Without an answer, the verdict on the path names the missing certificate.
      others += (try? service.path(from: certificate, to: trust, through: others)) ?? []
    }
    switch CertificationPath(from: certificate, to: trust, through: others) {
    case .found(let path) where path.contains { $0.hasRecoverableKey }:
      return .missing(.couldNotCheck(.recoverableKey))
    case .found(let path):
      if let weak = path.first(where: { $0.hasWeakKey }) {
        return .missing(.couldNotCheck(.weakKey(weak.subject)))
      }
      return Self.hasStray(data, known: path + trust)
        ? .missing(.couldNotCheck(.strayCertificate)) : .found(path)
    case .issuerUnknown: return .missing(.couldNotCheck(.issuerUnknown(certificate.issuer)))
    case .notIssued: return .missing(.false(.notIssued))
    case .refused(let reason): return .missing(.false(.chainRefused(reason: reason)))
    case .unsupported(let algorithm):
      return .missing(.couldNotCheck(.unsupportedAlgorithm(algorithm)))
    case .notBuilt: return .missing(.couldNotCheck(.noMemory))
    }
  }
}

extension Certificate {
  /// Verifies an RSASSA-PKCS1-v1_5 or ECDSA signature of a digest with the certified key.
  fileprivate func verifies(
    _ signature: [UInt8], of digest: [UInt8], _ algorithm: HashAlgorithm
  ) -> Bool {
    if case .rsa = publicKey {
      return verify(signature: signature, digest: digest, algorithm: algorithm)
    }
    guard let encoded = encodedFields?.publicKeyInfo, let key = SubjectPublicKey(encoded),
      case .curve = key.kind()
    else { return false }
    return key.verifyECDSA(signature, digest: digest)
  }
}
