import CIECard

extension Outcome {
  /// Adds a report on authenticity.
  ///
  /// - Parameter leavingOut: points that nobody wanted to look at.
  mutating func add(
    _ report: AuthenticityReport, leavingOut: [AuthenticityReport.Kind] = [],
    _ language: Language
  ) {
    let points = report.points.filter { !leavingOut.contains($0.kind) }
    let words = points.map { $0.verdict.text(language) }
    let width = words.map(\.count).max() ?? 0
    for (point, word) in zip(points, words) {
      let padding = String(repeating: " ", count: width - word.count + 2)
      let reason = point.verdict.reason.map { ": " + $0.text(language) } ?? ""
      lines.append("  " + word + padding + point.kind.text(language) + reason)
    }
    members += [
      .init("outcome", report.outcome.word),
      .init("points", .array(points.map { $0.json(language) })),
    ]
  }
}

extension AuthenticityReport.Point {
  fileprivate func json(_ language: Language) -> JSON {
    .object([
      .init("point", kind.word), .init("verdict", verdict.word),
      .init("reason", verdict.reason?.name), .init("what", verdict.reason?.text(language)),
    ])
  }
}

extension AuthenticityReport.Outcome {
  /// For scripts.
  var word: String {
    switch self {
    case .proved: "proved"
    case .false: "false"
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
    case .signerValidity:
      Bilingual(it: "quei certificati sono in vigore", en: "those certificates are in force")
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
    }
  }
}

extension AuthenticityReport.Verdict {
  fileprivate var text: Bilingual {
    switch self {
    case .proved: Bilingual(it: "provato", en: "proved")
    case .false: Bilingual(it: "FALSO", en: "FALSE")
    case .couldNotCheck: Bilingual(it: "non verificabile", en: "not checked")
    }
  }
}
