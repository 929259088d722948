import CIECard

/// Why a point of a report is not proved: a stable name and a text.
struct ReportReason {
  let name: String
  let text: Bilingual

  init(_ name: String, it: String, en: String) {
    self.name = name
    text = Bilingual(it: it, en: en)
  }
}

extension AuthenticityReport.Verdict {
  /// Why it is not proved; nil when it is.
  var reason: ReportReason? {
    switch self {
    case .proved: nil
    case .false(let falsehood): falsehood.reason
    case .couldNotCheck(let obstacle): obstacle.reason
    }
  }
}

extension AuthenticityReport.Falsehood {
  fileprivate var reason: ReportReason {
    switch self {
    case .malformedSecurityObject:
      ReportReason(
        "malformed-security-object", it: "l'oggetto di sicurezza non ha la forma prescritta",
        en: "the security object does not have its form")
    case .malformedFile:
      ReportReason(
        "malformed-file", it: "il file non ha la forma prescritta",
        en: "the file does not have its form")
    case .contentsAltered:
      ReportReason(
        "contents-altered", it: "sono state cambiate dopo la firma",
        en: "they were changed after signing")
    case .signatureWrong:
      ReportReason(
        "signature-wrong", it: "la firma non è sua", en: "the signature is not its own")
    case .notIssuedByTrustStore:
      ReportReason(
        "not-issued", it: "la CSCA indicata non lo ha emesso",
        en: "the CSCA that it names did not issue it")
    case .chainRefused(let reason):
      ReportReason("chain-refused", it: reason, en: reason)
    case .notASigner:
      ReportReason(
        "not-a-signer", it: "la sua chiave non serve a firmare documenti",
        en: "its key is not one for signing")
    case .hashDiffers:
      ReportReason("hash-differs", it: "l'impronta è diversa", en: "the hash differs")
    case .notListed:
      ReportReason("not-listed", it: "non ha un'impronta firmata", en: "it has no signed hash")
    case .answerWrong:
      ReportReason(
        "answer-wrong", it: "la risposta alla sfida è sbagliata",
        en: "the answer to the challenge is wrong")
    }
  }
}

extension AuthenticityReport.Obstacle {
  fileprivate var reason: ReportReason {
    switch self {
    case .notRead:
      ReportReason("not-read", it: "la carta non lo dà", en: "the card does not give it")
    case .noTrustStore:
      ReportReason(
        "no-trust-store", it: "mancano i certificati CSCA", en: "the CSCA certificates are missing")
    case .issuerUnknown(let name):
      ReportReason(
        "issuer-unknown", it: "manca la CSCA \(name.text)", en: "the CSCA \(name.text) is missing")
    case .noSecurityObject:
      ReportReason(
        "no-security-object", it: "manca l'oggetto di sicurezza",
        en: "there is no security object")
    case .unsupportedAlgorithm(let identifier):
      ReportReason(
        "unsupported-algorithm", it: "algoritmo sconosciuto (\(identifier))",
        en: "unknown algorithm (\(identifier))")
    case .noChain:
      ReportReason(
        "no-chain", it: "non c'è una catena di cui guardare le date",
        en: "there is no chain whose dates could be looked at")
    case .expired(let end):
      ReportReason(
        "expired", it: "scaduto il \(UTCTime.text(end))", en: "ended on \(UTCTime.text(end))")
    case .notYetValid(let start):
      ReportReason(
        "not-yet-valid", it: "in vigore dal \(UTCTime.text(start))",
        en: "begins on \(UTCTime.text(start))")
    case .challengeTooShort:
      ReportReason(
        "challenge-too-short", it: "la sfida è troppo corta", en: "the challenge is too short")
    }
  }
}

extension DistinguishedName {
  /// The attributes in their order, on one line.
  var text: String {
    attributes.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
  }
}
