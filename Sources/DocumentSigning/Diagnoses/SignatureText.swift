public import CIECard
public import Primitives

extension SignatureReport.Kind {
  /// The point to prove, as a statement.
  public var text: Message { Message("signed.point.\(rawValue)") }
}

extension SignatureVerdict {
  /// The word for scripts, as in a report on a card; it does not change.
  public var word: String {
    switch self {
    case .proved: "proved"
    case .false: "false"
    case .couldNotCheck: "could-not-check"
    }
  }

  /// The verdict, in a word or two.
  public var text: Message { Message("verdict.\(word)") }

  /// The reason why it is not proved; nil when it is.
  public var reason: ReportReason? {
    switch self {
    case .proved: nil
    case .false(let falsehood): falsehood.reason
    case .couldNotCheck(let obstacle): obstacle.reason
    }
  }
}

extension Certificate.DistinguishedName {
  /// The name of the person or body, as short as the certificate has it.
  fileprivate var shortText: String {
    let person = [givenName, surname].compactMap { $0 }
    return (person.count == 2 ? person.joined(separator: " ") : commonName ?? text).printable
  }
}

extension SignatureReport {
  /// The quality of a signature that is proved by a trusted list, in a sentence; nil for others.
  public var quality: Message? {
    guard let trustedBy, let qualification else { return nil }
    let name: Message.Argument = signer?.subject.shortText ?? Message("signed.unknown-signer")
    let arguments: [String: Message.Argument] = [
      "name": name, "issuer": trustedBy.provider.printable, "day": trustedBy.issued,
      "territory": trustedBy.list.territory, "date": trustedBy.list.issued,
    ]
    switch qualification {
    case .qualifiedSignature: return Message("signed.trust.qualified-signature", arguments)
    case .qualifiedSeal: return Message("signed.trust.qualified-seal", arguments)
    case .signature: return Message("signed.trust.signature", arguments)
    case .seal: return Message("signed.trust.seal", arguments)
    case .advanced where trustedBy.isNational: return Message("signed.trust.national", arguments)
    case .advanced, .advancedSeal, .other: return Message("signed.trust.other", arguments)
    case .timeStamp: return Message("signed.trust.time-stamp", arguments)
    case .undetermined: return Message("signed.trust.undetermined", arguments)
    }
  }

  /// The remark that the trusted list behind it is old; nil if it is not.
  public var listAge: Message? {
    guard let trustedBy, trustedBy.isListOld else { return nil }
    let territory = trustedBy.list.territory
    guard let date = trustedBy.list.nextUpdate else {
      return Message("signed.trust.closed", ["territory": territory])
    }
    return Message("signed.trust.old", ["territory": territory, "date": date])
  }
}

extension DocumentReport.Form {
  /// The form, in words.
  public var text: Message { Message("signed.form.\(rawValue)") }
}

extension DocumentReport.Outside {
  /// The thing, as a remark.
  public var text: Message { Message("signed.outside.\(rawValue)") }
}

extension DocumentError.Container {
  /// The kind of file, and its contents.
  var text: Message {
    switch self {
    case .zip(let type?): Message("signed.container.asic", ["type": type])
    case .zip: Message("signed.container.zip")
    case .timeStampedData: Message("signed.container.time-stamped-data")
    case .timeStamp: Message("signed.container.time-stamp")
    case .multipart: Message("signed.container.multipart")
    case .blocks: Message("signed.container.blocks")
    case .xml: Message("signed.container.xml")
    case .page: Message("signed.container.page")
    case .encryptedPDF: Message("signed.container.encrypted-pdf")
    }
  }
}

extension SignatureVerdict.Falsehood {
  fileprivate var reason: ReportReason {
    switch self {
    case .noSignedAttributes: ReportReason("no-signed-attributes")
    case .malformedAttributes: ReportReason("malformed-attributes")
    case .attributeMissing(let type): ReportReason("attribute-missing", ["type": type])
    case .attributeRepeated(let type): ReportReason("attribute-repeated", ["type": type])
    case .contentTypeDiffers: ReportReason("content-type-differs")
    case .algorithmsDiffer: ReportReason("algorithms-differ")
    case .contentsAltered:
      ReportReason("contents-altered", text: Message("reason.contents-altered.signed"))
    case .signatureWrong: ReportReason("signature-wrong")
    case .otherContents: ReportReason("other-contents")
    case .otherCertificate: ReportReason("other-certificate")
    case .notIssued: ReportReason("not-issued-by-named")
    case .coverage(.ranges): ReportReason("coverage-ranges")
    case .coverage(.beginning): ReportReason("coverage-beginning")
    case .coverage(.gap): ReportReason("coverage-gap")
    case .coverage(.revision): ReportReason("coverage-revision")
    case .malformedSignature: ReportReason("malformed-signature")
    case .malformedTimeStamp: ReportReason("malformed-time-stamp")
    case .otherImprint: ReportReason("other-imprint")
    case .revoked(let time): ReportReason("revoked", ["time": time])
    case .archiveAltered: ReportReason("archive-altered")
    }
  }
}

extension SignatureVerdict.Obstacle {
  fileprivate var reason: ReportReason {
    switch self {
    case .noContents: ReportReason("no-contents")
    case .noCertificate: ReportReason("no-certificate")
    case .notStated: ReportReason("certificate-not-named")
    case .unsupportedAlgorithm(let identifier):
      ReportReason("unsupported-algorithm", ["identifier": identifier])
    case .weakAlgorithm: ReportReason("weak-signature")
    case .algorithmsDisagree: ReportReason("algorithms-disagree")
    case .chainRefused(let reason): ReportReason("chain-refused", ["reason": reason])
    case .notASigner: ReportReason("not-a-signer")
    case .notATimeStamper: ReportReason("not-a-time-stamper")
    case .timeInside: ReportReason("time-inside")
    case .notDetached: ReportReason("not-detached")
    case .bytesBehind: ReportReason("bytes-behind")
    case .revokedSince(let time, _): ReportReason("revoked-since", ["time": time])
    case .unsupportedFormat(let format): ReportReason("unsupported-format", ["format": format])
    case .weakKey(let name): ReportReason("weak-key", ["name": name.text])
    case .malformedTime: ReportReason("malformed-time")
    case .digestInfo: ReportReason("digest-info")
    case .claimsFuture: ReportReason("claims-future")
    case .claimsOtherTime(let start, let end):
      ReportReason("claims-other-time", ["start": start, "end": end])
    case .recoverableKey: ReportReason("recoverable-key")
    case .noTrustStore: ReportReason("no-trusted-issuers")
    case .issuerUnknown(let name, let lists): Self.unknown(name, lists)
    case .serviceNotGranted(let name, let list, let status, let since):
      ReportReason(
        "service-not-granted",
        ["name": name.printable, "list": list, "status": status, "since": since])
    case .serviceNotListedYet(let name, let list, let since):
      ReportReason(
        "service-not-listed-yet", ["name": name.printable, "list": list, "since": since])
    case .serviceUnclear(let name, let list):
      ReportReason("service-unclear", ["name": name.printable, "list": list])
    case .servicesUnreadable: ReportReason("services-unreadable")
    case .strayCertificate: ReportReason("stray-certificate")
    case .strayEvidence: ReportReason("stray-evidence")
    case .deltaList: ReportReason("delta-list")
    case .indirectList: ReportReason("indirect-list")
    case .partialList: ReportReason("partial-list")
    case .unknownListExtension: ReportReason("unknown-list-extension")
    case .unknownAttribute(let type): ReportReason("unknown-attribute", ["type": type])
    case .noChain: ReportReason("no-path")
    case .expired(let end): ReportReason("expired", ["end": end])
    case .notYetValid(let start): ReportReason("not-yet-valid", ["start": start])
    case .clockEarly(let issued): ReportReason("clock-early", ["issued": issued])
    case .notReached: ReportReason("not-reached")
    case .noMemory: ReportReason("no-memory")
    case .revocationUnknown(let name):
      ReportReason("revocation-unknown", ["name": name.text])
    }
  }

  /// The same name with other words where there are trusted lists.
  private static func unknown(
    _ issuer: Certificate.DistinguishedName, _ lists: [String]
  ) -> ReportReason {
    let reason = ReportReason("issuer-not-trusted", ["name": issuer.text])
    guard !lists.isEmpty else { return reason }
    return ReportReason(
      reason.name,
      text: Message(
        "reason.issuer-not-listed", ["name": issuer.text, "lists": lists.joined(separator: ", ")]))
  }
}
