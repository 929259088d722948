public import Primitives

/// The reason why a point of a report is not proved: a stable name and a text.
public struct ReportReason: Sendable {
  /// The stable name, for scripts.
  public let name: String
  /// The text, for people.
  public let text: Message

  package init(_ name: String, _ arguments: [String: Message.Argument] = [:]) {
    self.init(name, text: Message("reason.\(name)", arguments))
  }

  package init(_ name: String, text: Message) {
    (self.name, self.text) = (name, text)
  }
}

extension AuthenticityReport.Verdict {
  /// The reason why it is not proved; nil when it is.
  public var reason: ReportReason? {
    switch self {
    case .proved: nil
    case .false(let falsehood): falsehood.reason
    case .knownFault(let fault): fault.reason
    case .couldNotCheck(let obstacle): obstacle.reason
    }
  }

  /// The reason why it is not proved, in words.
  var because: Message { reason?.text ?? Message("verdict.\(word)") }
}

extension AuthenticityReport.KnownFault {
  fileprivate var reason: ReportReason {
    switch self {
    case .dataGroup12: ReportReason("listed-by-the-ministry")
    }
  }

  /// The text for people, about the whole card.
  public var text: Message {
    switch self {
    case .dataGroup12: Message("known-fault.data-group-12")
    }
  }
}

extension AuthenticityReport.Remark {
  /// The remark on a point although it is proved.
  public var reason: ReportReason {
    switch self {
    case .sha1: ReportReason("sha1")
    case .checkDigits: ReportReason("check-digits")
    case .oddZone: ReportReason("odd-zone")
    case .oddPortrait: ReportReason("odd-portrait")
    case .oddVersion: ReportReason("odd-version")
    case .oddAlgorithms: ReportReason("odd-algorithms")
    case .oddSigner: ReportReason("odd-signer")
    case .oddKeyUsage: ReportReason("odd-key-usage")
    case .oddKeyIdentifier: ReportReason("odd-key-identifier")
    case .oddDates: ReportReason("odd-dates")
    }
  }
}

extension AuthenticityReport.Falsehood {
  fileprivate var reason: ReportReason {
    switch self {
    case .malformedSecurityObject: ReportReason("malformed-security-object")
    case .malformedFile: ReportReason("malformed-file")
    case .contentsAltered: ReportReason("contents-altered")
    case .signatureWrong: ReportReason("signature-wrong")
    case .notIssuedByTrustStore: ReportReason("not-issued")
    case .chainRefused(let reason): ReportReason("chain-refused", ["reason": reason])
    case .notASigner: ReportReason("not-a-signer")
    case .hashDiffers: ReportReason("hash-differs")
    case .notListed: ReportReason("not-listed")
    case .answerWrong: ReportReason("answer-wrong")
    case .chipKeyWrong: ReportReason("chip-key-wrong")
    case .announcementDiffers: ReportReason("announcement-differs")
    case .otherZone: ReportReason("other-zone")
    case .otherState(let issuing, let signing):
      ReportReason("other-state", ["issuing": issuing, "signing": signing])
    case .zoneOfOtherState(let state): ReportReason("zone-of-other-state", ["state": state])
    case .otherDocumentType(let types):
      ReportReason("other-document-type", ["types": types.joined(separator: ", ")])
    case .otherChallenge: ReportReason("other-challenge")
    case .otherAudience(let name?): ReportReason("other-audience", ["name": name])
    case .otherAudience(nil): ReportReason("no-audience")
    case .otherTerminal: ReportReason("other-terminal")
    }
  }
}

extension AuthenticityReport.Obstacle {
  /// The obstacle, in words.
  package var because: Message { reason.text }

  fileprivate var reason: ReportReason {
    switch self {
    case .notRead: ReportReason("not-read")
    case .notOffered: ReportReason("not-offered")
    case .notTried: ReportReason("not-tried")
    case .unsupportedKey: ReportReason("unsupported-key")
    case .refused(let status): ReportReason("refused", ["status": status])
    case .channelEnded(let status): ReportReason("channel-ended", ["status": status])
    case .lengthNotCarried: ReportReason("length-not-carried")
    case .keyNotProved: ReportReason("key-not-proved")
    case .zoneNotProved: ReportReason("zone-not-proved")
    case .recoverableKey: ReportReason("recoverable-key")
    case .noCopy: ReportReason("no-copy")
    case .noDateOfIssue: ReportReason("no-date-of-issue")
    case .notStated: ReportReason("not-stated")
    case .namesDiffer: ReportReason("names-differ")
    case .weakAlgorithm: ReportReason("weak-algorithm", ["scheme": ""])
    case .weakScheme(let scheme): ReportReason("weak-algorithm", ["scheme": scheme + ": "])
    case .stateUnknown(let code): ReportReason("state-unknown", ["code": code])
    case .noTrustStore: ReportReason("no-trust-store")
    case .issuerUnknown(let name): ReportReason("issuer-unknown", ["name": name.text])
    case .issuerKeyUnknown(let name): ReportReason("issuer-key-unknown", ["name": name.text])
    case .noSecurityObject: ReportReason("no-security-object")
    case .noSignerCertificate: ReportReason("no-signer-certificate")
    case .unsupportedAlgorithm(let identifier):
      ReportReason(
        "unsupported-algorithm", ["identifier": AlgorithmNames.text(identifier)])
    case .noChain: ReportReason("no-chain")
    case .expired(let end): ReportReason("expired", ["end": end])
    case .notYetValid(let start): ReportReason("not-yet-valid", ["start": start])
    case .clockEarly(let issued): ReportReason("clock-early", ["issued": issued])
    case .challengeTooShort: ReportReason("challenge-too-short")
    case .noMemory: ReportReason("no-memory")
    case .toldByTerminal: ReportReason("told-by-terminal")
    case .challengeNotNamed: ReportReason("challenge-not-named")
    case .audienceNotNamed(let name): ReportReason("audience-not-named", ["name": name])
    case .tooOld(let made): ReportReason("too-old", ["made": LocalMoment(made)])
    case .ofTheFuture(let made): ReportReason("of-the-future", ["made": LocalMoment(made)])
    case .terminalNotNamed: ReportReason("terminal-not-named")
    case .notSigned: ReportReason("not-signed")
    case .notInEvidence: ReportReason("not-in-evidence")
    }
  }
}

extension Certificate.DistinguishedName {
  /// The attributes in their order, on one line.
  package var text: String {
    attributes.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
  }
}
