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
    case .knownFault(let fault): fault.reason
    case .couldNotCheck(let obstacle): obstacle.reason
    }
  }
}

extension AuthenticityReport.KnownFault {
  fileprivate var reason: ReportReason {
    switch self {
    case .dataGroup12:
      ReportReason(
        "listed-by-the-ministry",
        it: "difetto di produzione noto di carte del 2017 e 2018, elencato dal Ministero",
        en: "known production fault of cards of 2017 and 2018, listed by the Ministry")
    }
  }

  /// For people, where it is told of the whole card.
  var text: Bilingual {
    switch self {
    case .dataGroup12:
      Bilingual(
        it: "difetto di produzione noto, elencato dal Ministero: il gruppo DG12 non è quello "
          + "firmato e non è usato",
        en: "known production fault, listed by the Ministry: the group DG12 is not the signed one "
          + "and is not used")
    }
  }
}

extension AuthenticityReport.Remark {
  /// What is to be said of a point although it is proved.
  var reason: ReportReason {
    switch self {
    case .sha1:
      ReportReason(
        "sha1", it: "con SHA-1, debole, come sulle carte autentiche dal 2016 al 2020",
        en: "with SHA-1, which is weak, as on genuine cards of 2016 to 2020")
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
    case .chipKeyWrong:
      ReportReason(
        "chip-key-wrong", it: "il chip non ha la chiave privata",
        en: "the chip does not have the private key")
    case .announcementDiffers:
      ReportReason(
        "announcement-differs", it: "la copia firmata ne annuncia altri",
        en: "the signed copy announces others")
    case .otherZone:
      ReportReason("other-zone", it: "sono di un altro", en: "they are of another one")
    case .otherState(let issuing, let signing):
      ReportReason(
        "other-state", it: "il documento è di \(issuing), la CSCA di \(signing)",
        en: "the document is of \(issuing), the CSCA of \(signing)")
    case .otherDocumentType(let types):
      ReportReason(
        "other-document-type",
        it: "il suo certificato è per altri documenti (\(types.joined(separator: ", ")))",
        en: "its certificate is for other documents (\(types.joined(separator: ", ")))")
    }
  }
}

extension AuthenticityReport.Obstacle {
  fileprivate var reason: ReportReason {
    switch self {
    case .notRead:
      ReportReason("not-read", it: "la carta non lo dà", en: "the card does not give it")
    case .notOffered:
      ReportReason(
        "not-offered", it: "il documento non offre questa prova",
        en: "the document does not offer this proof")
    case .notTried:
      ReportReason("not-tried", it: "non è stato chiesto", en: "it was not asked for")
    case .unsupportedKey:
      ReportReason(
        "unsupported-key", it: "la sua chiave è di un tipo sconosciuto",
        en: "its key is of an unknown kind")
    case .refused(let status):
      ReportReason(
        "refused", it: "la carta l'ha rifiutata (\(status))", en: "the card refused it (\(status))")
    case .channelEnded(let status):
      ReportReason(
        "channel-ended", it: "la carta ha chiuso il canale sicuro (\(status))",
        en: "the card ended the secure channel (\(status))")
    case .lengthNotCarried:
      ReportReason(
        "length-not-carried", it: "il lettore non trasporta comandi così lunghi",
        en: "the reader does not carry commands as long as that")
    case .keyNotProved:
      ReportReason(
        "key-not-proved", it: "vale, ma con una chiave che niente prova dello Stato",
        en: "it holds, but with a key that nothing proves to be the State's")
    case .noCopy:
      ReportReason(
        "no-copy", it: "niente di firmato li ripete", en: "nothing signed repeats them")
    case .noDateOfIssue:
      ReportReason(
        "no-date-of-issue", it: "la data di emissione non è nota",
        en: "the date of issue is not known")
    case .notStated:
      ReportReason(
        "not-stated", it: "il certificato non lo dice", en: "the certificate does not say")
    case .namesDiffer:
      ReportReason(
        "names-differ", it: "nel certificato sono altri", en: "the certificate has others")
    case .weakAlgorithm:
      ReportReason(
        "weak-algorithm", it: "SHA-1, come su nessuna carta autentica",
        en: "SHA-1, as on no genuine card")
    case .stateUnknown(let code):
      ReportReason(
        "state-unknown", it: "il codice «\(code)» non è noto", en: "the code \"\(code)\" is unknown"
      )
    case .noTrustStore:
      ReportReason(
        "no-trust-store", it: "mancano i certificati CSCA", en: "the CSCA certificates are missing")
    case .issuerUnknown(let name):
      ReportReason(
        "issuer-unknown", it: "manca la CSCA \(name.text)", en: "the CSCA \(name.text) is missing")
    case .issuerKeyUnknown(let name):
      ReportReason(
        "issuer-key-unknown", it: "della CSCA \(name.text) manca la chiave indicata",
        en: "of the CSCA \(name.text) the key that is named is missing")
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
        "no-chain", it: "non c'è una catena fino a una CSCA fidata",
        en: "there is no chain to a trusted CSCA")
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
