import CIECard
import CardWork
import Messages
import Primitives

extension DocumentFinding: Presentable {
  func lines(_ language: Language) -> [String] {
    let files = [
      photo.map { Message("read.photo-saved", ["path": $0]) },
      folder.map { Message("read.files-saved", ["path": $0]) },
    ].compactMap { $0?(language) }
    return [reading.validity.headline(reading.report.headline).of(test: reading.isTest)(language)]
      + DocumentText(reading, data, language).lines
      + reading.report.lines(isTest: reading.isTest, language) + signer.lines(language) + files
  }

  /// All keys are always present; unknown values are null.
  func members(_ language: Language) -> [JSON.Member] {
    [
      .init("access", reading.access?.json(language) ?? .null),
      .init("document", document(language)),
      .init("holder", holder),
      .init("portrait", portrait), .init("files", .array(files)),
      .init("absent", data.absent.map(\.name)),
      .init("unreadable", data.unreadable.map(\.name)),
    ] + reading.report.members(isTest: reading.isTest, language) + signer.members + [
      .init("photo", photo), .init("out", folder),
    ]
  }

  private func document(_ language: Language) -> JSON {
    let zone = data.zone
    let members: [JSON.Member] = [
      .init("code", zone?.documentCode), .init("number", zone?.documentNumber),
      .init("issuingState", zone?.issuingState),
      .init("issueDate", data.issue?.dateOfIssue?.description),
      .init("expiryDate", data.expiry?.description),
      .init("authority", data.issue?.issuingAuthority), .init("mrz", zone?.text),
    ]
    return .object(members + reading.validity.members(language))
  }

  private var holder: JSON {
    let person = data.person
    return .object([
      .init("surname", data.name?.surname), .init("givenNames", data.name?.givenNames),
      .init("birthDate", data.birth?.description),
      .init("birthPlace", .list(person?.placeOfBirth)), .init("sex", data.zone?.sex.letter),
      .init("nationality", data.zone?.nationality), .init("fiscalCode", person?.personalNumber),
      .init("address", .list(person?.address)),
    ])
  }

  private var portrait: JSON {
    guard let portrait = data.portrait else { return .null }
    return .object([
      .init("format", portrait.format.rawValue), .init("width", portrait.size?.width),
      .init("height", portrait.size?.height), .init("bytes", portrait.image.count),
      .init("sha256", portrait.image.sha256),
    ])
  }

  /// Every file that was read, also those read only for the proof.
  private var files: [JSON] {
    reading.files.map { file, bytes in
      .object([
        .init("name", file.name), .init("bytes", bytes.count), .init("sha256", bytes.sha256),
      ])
    }
  }
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

  fileprivate var members: [JSON.Member] {
    [
      .init("signedAt", signingTime?.description), .init("signer", Self.json(certificate)),
      .init("csca", Self.json(anchor)),
    ]
  }

  private static func json(_ certificate: Certificate?) -> JSON {
    guard let certificate else { return .null }
    return .object([
      .init("subject", certificate.subject.text), .init("serial", certificate.serial),
      .init("notBefore", certificate.notBefore.description),
      .init("notAfter", certificate.notAfter.description),
    ])
  }
}

extension [UInt8] {
  var sha256: String? { (try? HashAlgorithm.sha256.hash(self))?.hexadecimal }
}

extension JSON {
  fileprivate static func list(_ texts: [String]?) -> JSON {
    texts.map { .array($0.map(JSON.string)) } ?? .null
  }
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
