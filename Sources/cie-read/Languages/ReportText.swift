import CIECard

extension Outcome {
  /// Adds a report on authenticity.
  ///
  /// - Parameter leavingOut: points that nobody wanted to look at.
  mutating func add(
    _ report: AuthenticityReport, leavingOut: [AuthenticityReport.Kind] = [],
    _ language: Language
  ) {
    lines += report.lines(leavingOut: leavingOut, language)
    members += report.members(leavingOut: leavingOut, language)
  }
}

extension AuthenticityReport {
  /// For people: a line a point.
  func lines(leavingOut: [Kind] = [], _ language: Language) -> [String] {
    let points = points.filter { !leavingOut.contains($0.kind) }
    let words = points.map { $0.verdict.text(language) }
    let width = words.map(\.count).max() ?? 0
    return zip(points, words).map { point, word in
      let padding = String(repeating: " ", count: width - word.count + 2)
      let reason = point.reason.map { ": " + $0.text(language) } ?? ""
      return "  " + word + padding + point.kind.text(language) + reason
    }
  }

  /// For scripts.
  func members(leavingOut: [Kind] = [], _ language: Language) -> [JSON.Member] {
    let points = points.filter { !leavingOut.contains($0.kind) }
    return [
      .init("outcome", outcome.word), .init("cloning", cloning.word),
      .init("points", .array(points.map { $0.json(language) })),
    ]
  }
}

extension AuthenticityReport.Point {
  /// Why it is not proved, or what is to be said although it is.
  fileprivate var reason: ReportReason? { verdict.reason ?? remark?.reason }

  fileprivate func json(_ language: Language) -> JSON {
    .object([
      .init("point", kind.word), .init("verdict", verdict.word), .init("reason", reason?.name),
      .init("what", reason?.text(language)),
    ])
  }
}

extension AuthenticityReport.Outcome {
  /// For scripts.
  var word: String {
    switch self {
    case .proved: "proved"
    case .false: "false"
    case .knownFault: "known-production-fault"
    case .couldNotCheck: "could-not-check"
    }
  }
}

extension AuthenticityReport.Kind {
  fileprivate var text: Bilingual {
    switch self {
    case .signature:
      Bilingual(
        it: "le impronte sono firmate dal loro firmatario",
        en: "the hashes are signed by their signer")
    case .signerChain:
      Bilingual(
        it: "il firmatario è autorizzato da una CSCA fidata",
        en: "the signer was authorized by a trusted CSCA")
    case .signerDocumentType:
      Bilingual(
        it: "il firmatario può firmare documenti di questo tipo",
        en: "the signer may sign documents of this type")
    case .signerValidity:
      Bilingual(it: "quei certificati sono in vigore", en: "those certificates are in force")
    case .signerValidityAtIssue:
      Bilingual(
        it: "erano in vigore quando il documento fu emesso",
        en: "they were in force when the document was issued")
    case .hash(.servicesNumber):
      Bilingual(it: "il NIS è quello firmato", en: "the NIS is the signed one")
    case .hash(.documentNumber):
      Bilingual(
        it: "il numero del documento è quello firmato",
        en: "the document number is the signed one")
    case .hash(.certificate):
      Bilingual(it: "il certificato è quello firmato", en: "the certificate is the signed one")
    case .hash(.deviceKey):
      Bilingual(
        it: "la chiave del dispositivo è quella firmata", en: "the device key is the signed one")
    case .hash(.servicesKey):
      Bilingual(
        it: "la chiave dei servizi è quella firmata", en: "the services key is the signed one")
    case .hash(.dhParameters):
      Bilingual(
        it: "i parametri Diffie–Hellman sono quelli firmati",
        en: "the Diffie–Hellman parameters are the signed ones")
    case .challenge:
      Bilingual(
        it: "il chip possiede la chiave dei servizi", en: "the chip holds the services key")
    case .dataGroup(let group):
      Bilingual(
        it: "il gruppo \(group.name.uppercased()) è quello firmato",
        en: "the group \(group.name.uppercased()) is the signed one")
    case .chipAuthentication:
      Bilingual(
        it: "il chip è quello vero (chip authentication)",
        en: "the chip is the true one (chip authentication)")
    case .activeAuthentication:
      Bilingual(
        it: "il chip è quello vero (active authentication)",
        en: "the chip is the true one (active authentication)")
    case .announcement:
      Bilingual(
        it: "i protocolli annunciati in chiaro sono quelli firmati",
        en: "the protocols announced in clear are the signed ones")
    case .openedZone:
      Bilingual(
        it: "i dati sono del documento la cui zona a lettura ottica ha aperto il chip",
        en: "the data are of the document whose machine readable zone opened the chip")
    case .issuingState:
      Bilingual(
        it: "la CSCA è dello Stato che ha emesso il documento",
        en: "the CSCA is of the state that issued the document")
    case .certificateNames:
      Bilingual(
        it: "il certificato riporta il NIS e il numero della carta",
        en: "the certificate has the NIS and the number of the card")
    }
  }
}

extension AuthenticityReport.Verdict {
  fileprivate var text: Bilingual {
    switch self {
    case .proved: Bilingual(it: "provato", en: "proved")
    case .false: Bilingual(it: "FALSO", en: "FALSE")
    case .knownFault: Bilingual(it: "difetto noto", en: "known fault")
    case .couldNotCheck: Bilingual(it: "non verificabile", en: "not checked")
    }
  }
}

extension AuthenticityReport.Cloning {
  /// For people.
  var text: Bilingual {
    switch self {
    case .excluded:
      Bilingual(
        it: "il chip non è una copia", en: "the chip is no copy")
    case .possible:
      Bilingual(it: "potrebbe essere una copia", en: "it could be a copy")
    case .notJudged:
      Bilingual(
        it: "se sia una copia non si è potuto giudicare",
        en: "whether it is a copy could not be judged")
    }
  }
}
