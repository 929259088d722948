import CIECard
import CardWork
import Messages

/// The text of a travel document for people: labels and values, one a line.
struct DocumentText {
  private let language: Language
  private var rows: [(label: String, value: String)] = []

  init(_ reading: DocumentReading, _ data: DocumentData, _ language: Language) {
    self.language = language
    addHolder(data)
    addDocument(data)
    add("document.opened-with", reading.access.text)
    addList("document.not-on-the-card", data.absent.map { $0.name.uppercased() })
    addList("document.unreadable", data.unreadable.map { $0.name.uppercased() })
  }

  /// The lines, with aligned values.
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
