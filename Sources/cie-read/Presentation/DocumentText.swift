import CIECard
import CardWork
import Messages
import Primitives

extension DocumentFinding: DescribedObject {
  func lines(_ language: Language) -> [String] {
    [reading.headline.of(test: reading.isTest)(language)]
      + DocumentText(reading, data, language).lines
      + reading.report.lines(isTest: reading.isTest, language) + signer.lines(language)
  }

  /// All keys are always present; unknown values are null.
  static let members: [Member<DocumentFinding>] =
    [Member("access", \.reading.access).of { AccessCode.AccessProtocol.schema }]
    + Member.facts(of: \.data)
    + Member.all { ReportFacts(report: $0.reading.report, isTest: $0.reading.isTest) }
    + Member.all(of: \.signer)
}

extension DocumentSigner {
  fileprivate func lines(_ language: Language) -> [String] {
    let named = [(Message("label.signer"), certificate), (Message("label.csca"), anchor)]
    return named.compactMap { label, certificate in
      certificate.map {
        let days = [$0.notBefore, $0.notAfter].map { language.text($0) }.joined(separator: "–")
        return Message("labelled", ["label": label, "value": "\($0.subject.text), \(days)"])(
          language)
      }
    }
  }
}

extension DocumentSigner: DescribedObject {
  static let members: [Member<DocumentSigner>] = [
    Member("signedAt", \.signingTime),
    Member("signer") { $0.certificate.map(CertificateFacts.init) },
    Member("csca") { $0.anchor.map(CertificateFacts.init) },
  ]
}

/// A certificate by its name, number and days.
private struct CertificateFacts: DescribedObject {
  let certificate: Certificate

  static let definition: String? = "certificate"
  static let members: [Member<CertificateFacts>] = [
    Member("subject", \.certificate.subject.text), Member("serial", \.certificate.serial),
    Member("notBefore", \.certificate.notBefore), Member("notAfter", \.certificate.notAfter),
  ]
}

extension AccessCode.AccessProtocol: DescribedObject {
  static let definition: String? = "access"

  static let members: [Member<AccessCode.AccessProtocol>] = [
    Member("protocol", \.word).of { .words(["pace", "bac"]) }, Member("variant", \.variant),
  ]

  private var word: String {
    switch self {
    case .pace: "pace"
    case .basic: "bac"
    }
  }

  private var variant: String? { if case .pace(let name) = self { name } else { nil } }
}

/// The text of a travel document for people: labels and values, one a line.
struct DocumentText {
  private let language: Language
  private var rows: [(label: String, value: String)] = []

  init(_ reading: DocumentReading, _ data: DocumentData, _ language: Language) {
    self.language = language
    addHolder(data)
    addDocument(data)
    add("document.opened-with", reading.access?.text)
    addList("document.not-on-the-card", data.absent.map { $0.name.uppercased() })
    addList("document.unreadable", data.unreadable.map { $0.name.uppercased() })
  }

  var lines: [String] {
    let width = rows.map(\.label.count).max() ?? 0
    return rows.map { row in
      row.label + String(repeating: " ", count: width - row.label.count + 2) + row.value
    }
  }

  private mutating func addHolder(_ data: DocumentData) {
    add("document.surname", data.name?.surname)
    add("document.given-names", data.name?.givenNames)
    add("document.date-of-birth", data.birth.map(language.text))
    addList("document.place-of-birth", data.person?.placeOfBirth ?? [])
    add("document.sex", data.zone?.sex.letter)
    add("document.nationality", data.zone?.nationality)
    add("document.fiscal-code", data.person?.personalNumber)
    addList("document.address", data.person?.address ?? [])
    if let portrait = data.portrait {
      add("document.portrait", portrait.text(language))
    }
  }

  private mutating func addDocument(_ data: DocumentData) {
    add("document.document", data.zone?.documentNumber)
    add("document.issuing-state", data.zone?.issuingState)
    add("document.date-of-issue", data.issue?.dateOfIssue.map(language.text))
    add(
      "document.date-of-expiry",
      data.expiry.map {
        data.isExpired == true
          ? Message("document.expired", ["date": $0])(language) : language.text($0)
      })
    add("document.authority", data.issue?.issuingAuthority)
  }

  private mutating func add(_ key: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    // One line each, whatever a file contains.
    let line = value.split(whereSeparator: \.isNewline).joined(separator: " ")
    rows.append((Message(key)(language), line))
  }

  private mutating func addList(_ key: String, _ values: [String]) {
    add(key, values.joined(separator: ", "))
  }
}

extension AccessCode.AccessProtocol {
  /// The name in the specifications.
  var text: String {
    switch self {
    case .pace(let name): name
    case .basic: "BAC"
    }
  }
}

extension DataGroup.Portrait {
  fileprivate func text(_ language: Language) -> String {
    let (format, length) = (format.title, image.count)
    guard let size else {
      return Message("portrait.unknown-size", ["format": format, "length": length])(language)
    }
    return Message(
      "portrait.size",
      ["format": format, "width": size.width, "height": size.height, "length": length])(language)
  }
}

extension DataGroup.Portrait.ImageFormat {
  fileprivate var title: String {
    switch self {
    case .jpeg: "JPEG"
    case .jp2, .jpeg2000Codestream: "JPEG 2000"
    }
  }
}

extension AuthenticityReport {
  /// The headline above the data: the judgement of their authenticity.
  var headline: Message {
    switch outcome {
    case .proved:
      Message("headline.proved", ["cloning": cloning.text])
    case .knownFault(let fault):
      Message("headline.known-production-fault", ["fault": fault.text, "cloning": cloning.text])
    case .false:
      Message("headline.false", ["cloning": cloning.text])
    case .couldNotCheck:
      Message("headline.could-not-check", ["cloning": cloning.text])
    }
  }
}

extension DocumentReading {
  /// The expiries in one sentence, for people; nil without one.
  var expiries: Message? {
    if let clockProblem { return clockProblem.what }
    guard let until = validity.until, let isExpired = validity.isExpired else { return nil }
    if isExpired {
      return Message("validity.expired", ["until": until])
    }
    guard let end = validity.certificateUntil, validity.isCertificateEnded else { return nil }
    return Message("validity.signer-expired", ["until": until, "end": end])
  }

  /// The judgement after the expiries, which come first.
  fileprivate var headline: Message {
    guard let expiries else { return report.headline }
    return Message("validity.headline", ["validity": expiries, "judgement": report.headline])
  }
}
