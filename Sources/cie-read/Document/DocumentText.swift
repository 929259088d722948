import CIECard

/// What a person reads of a travel document: labels and values, one a line.
struct DocumentText {
  private let language: Language
  private var rows: [(label: String, value: String)] = []

  init(_ reading: DocumentJob.Reading, _ data: DocumentData, _ language: Language) {
    self.language = language
    addHolder(data)
    addDocument(data)
    add(it: "Aperto con", en: "Opened with", reading.access.text)
    addList(it: "Non sulla carta", en: "Not on the card", data.absent.map { $0.name.uppercased() })
    addList(it: "Illeggibili", en: "Unreadable", data.unreadable.map { $0.name.uppercased() })
  }

  /// The lines, the values under each other.
  var lines: [String] {
    let width = rows.map(\.label.count).max() ?? 0
    return rows.map { row in
      row.label + String(repeating: " ", count: width - row.label.count + 2) + row.value
    }
  }

  private mutating func addHolder(_ data: DocumentData) {
    add(it: "Cognome", en: "Surname", data.name?.surname)
    add(it: "Nome", en: "Given names", data.name?.givenNames)
    add(it: "Nascita", en: "Date of birth", data.birth?.description)
    addList(it: "Luogo di nascita", en: "Place of birth", data.person?.placeOfBirth ?? [])
    add(it: "Sesso", en: "Sex", data.zone?.sex.letter)
    add(it: "Cittadinanza", en: "Nationality", data.zone?.nationality)
    add(it: "Codice fiscale", en: "Fiscal code", data.person?.personalNumber)
    addList(it: "Residenza", en: "Address", data.person?.address ?? [])
    if let portrait = data.portrait {
      add(it: "Fotografia", en: "Portrait", portrait.text)
    }
  }

  private mutating func addDocument(_ data: DocumentData) {
    add(it: "Documento", en: "Document", data.zone?.documentNumber)
    add(it: "Stato", en: "Issuing state", data.zone?.issuingState)
    add(it: "Rilascio", en: "Date of issue", data.issue?.dateOfIssue?.description)
    let expired = Bilingual(it: " (SCADUTO)", en: " (EXPIRED)")(language)
    add(
      it: "Scadenza", en: "Date of expiry",
      data.expiry.map { $0.description + (data.isExpired == true ? expired : "") })
    add(it: "Rilasciato da", en: "Authority", data.issue?.issuingAuthority)
  }

  private mutating func add(it italian: String, en english: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    // One line each, whatever a file says.
    let line = value.split(whereSeparator: \.isNewline).joined(separator: " ")
    rows.append((Bilingual(it: italian, en: english)(language), line))
  }

  private mutating func addList(it italian: String, en english: String, _ values: [String]) {
    add(it: italian, en: english, values.joined(separator: ", "))
  }
}

extension AccessProtocol {
  /// As the specifications call it.
  var text: String {
    switch self {
    case .pace(let name): name
    case .basic: "BAC"
    }
  }
}

extension Portrait {
  fileprivate var text: String {
    let pixels = size.map { "\($0.width) × \($0.height), " } ?? ""
    return "\(format.title), \(pixels)\(image.count) byte"
  }
}

extension ImageFormat {
  fileprivate var title: String {
    switch self {
    case .jpeg: "JPEG"
    case .jp2, .jpeg2000Codestream: "JPEG 2000"
    }
  }
}

extension AuthenticityReport {
  /// Whether the data are believed, in one line that stands above them.
  var headline: Bilingual {
    switch outcome {
    case .proved:
      Bilingual(
        it: "AUTENTICO: i dati sono quelli che lo Stato ha firmato; \(cloning.text(.italian))",
        en: "GENUINE: the data are those that the state signed; \(cloning.text(.english))")
    case .knownFault(let fault):
      Bilingual(
        it: "NON PROVATO: \(fault.text(.italian)); \(cloning.text(.italian))",
        en: "NOT PROVEN: \(fault.text(.english)); \(cloning.text(.english))")
    case .false:
      Bilingual(
        it: "FALSO: i dati non sono da credere; \(cloning.text(.italian))",
        en: "FALSE: the data are not to be believed; \(cloning.text(.english))")
    case .couldNotCheck:
      Bilingual(
        it: "NON PROVATO: nulla è falso, ma i dati non sono provati; \(cloning.text(.italian))",
        en: "NOT PROVEN: nothing is false, but the data are not proven; \(cloning.text(.english))")
    }
  }
}
