import CIECard
import CardWork
import Messages
import Primitives

extension DocumentFinding: DescribedObject {
  func lines(_ language: Language) -> [String] {
    [reading.validity.headline(reading.report.headline).of(test: reading.isTest)(language)]
      + DocumentText(reading, data, language).lines
      + reading.report.lines(isTest: reading.isTest, language) + signer.lines(language)
  }

  /// All keys are always present; unknown values are null.
  static let members: [Member<DocumentFinding>] =
    [
      Member("access", \.reading.access).of { AccessCode.AccessProtocol.schema },
      Member("document") { DocumentFacts(data: $0.data, validity: $0.reading.validity) },
      Member("holder") { HolderFacts(data: $0.data) }, Member("portrait", \.data.portrait),
      Member(
        "files", { $0.reading.files.map(ReadFile.init) },
        note: "All that was read, also for the proof alone."),
      Member("absent") { $0.data.absent.map(\.name) },
      Member(
        "unreadable", { $0.data.unreadable.map(\.name) },
        note:
          "Data groups that the document lists and the card did not return, or that are malformed."
      ),
    ] + Member.all { ReportFacts(report: $0.reading.report, isTest: $0.reading.isTest) }
    + Member.all(of: \.signer)
}

/// The document itself: its numbers and dates.
private struct DocumentFacts: DescribedObject {
  let data: DocumentData
  let validity: Validity

  static let members: [Member<DocumentFacts>] =
    [
      Member("code") { $0.data.zone?.documentCode },
      Member("number") { $0.data.zone?.documentNumber },
      Member("issuingState") { $0.data.zone?.issuingState },
      Member("issueDate") { $0.data.issue?.dateOfIssue }, Member("expiryDate", \.data.expiry),
      Member("authority") { $0.data.issue?.issuingAuthority }, Member("mrz") { $0.data.zone?.text },
    ] + Member.all(of: \.validity)
}

/// The person of the document.
private struct HolderFacts: DescribedObject {
  let data: DocumentData

  static let members: [Member<HolderFacts>] = [
    Member("surname") { $0.data.name?.surname }, Member("givenNames") { $0.data.name?.givenNames },
    Member("birthDate", \.data.birth), Member("birthPlace") { $0.data.person?.placeOfBirth },
    Member("sex") { $0.data.zone?.sex.letter }, Member("nationality") { $0.data.zone?.nationality },
    Member("fiscalCode") { $0.data.person?.personalNumber },
    Member("address") { $0.data.person?.address },
  ]
}

extension DataGroup.Portrait: DescribedObject {
  static let members: [Member<DataGroup.Portrait>] = [
    Member("format", \.format.rawValue), Member("width") { $0.size?.width },
    Member("height") { $0.size?.height }, Member("bytes", \.image.count),
    Member("sha256", \.image.sha256),
  ]
}

/// A file that was read, also one read only for the proof.
private struct ReadFile: DescribedObject {
  let file: DocumentFile
  let bytes: [UInt8]

  static let members: [Member<ReadFile>] = [
    Member("name", \.file.name), Member("bytes", \.bytes.count), Member("sha256", \.bytes.sha256),
  ]
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

extension MRZ.PartialDate: Described {
  static var schema: Schema {
    .named("date") {
      .text(pattern: "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$")
        .noted("A day as the document has it; what it leaves out is missing.")
    }
  }

  func json(_ language: Language) -> JSON { .string(description) }
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

extension Validity: DescribedObject {
  static let members: [Member<Validity>] = [
    Member(
      "expired", \.isExpired,
      note:
        "Whether the date of expiry is over; null when nothing tells it, and by a clock that is wrong."
    ),
    Member("validUntil", \.until),
    Member(
      "certificateValidUntil", \.certificateUntil,
      note: "The end of the certificate of the document's signer."),
  ]

  /// The expiries in one sentence, for people; nil without one.
  var text: Message? {
    if let clockProblem { return clockProblem.what }
    guard let until, let isExpired else { return nil }
    if isExpired {
      return Message("validity.expired", ["until": until])
    }
    guard let certificateUntil, isCertificateEnded else { return nil }
    return Message("validity.signer-expired", ["until": until, "end": certificateUntil])
  }

  /// A judgement after the expiry, which comes first.
  func headline(_ judgement: Message) -> Message {
    guard let text else { return judgement }
    return Message("validity.headline", ["validity": text, "judgement": judgement])
  }
}
