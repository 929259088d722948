public import Primitives

/// The members of a document's contents for scripts. `cie-read read --json` prints the same ones.
extension DocumentData: StableObject, Encodable {
  package static let facts: [Fact<DocumentData>] = [
    Fact("document") { DocumentFacts(data: $0) }, Fact("holder") { HolderFacts(data: $0) },
    Fact("portrait", \.portrait),
    Fact("files", \.files, note: "All that was read, also for the proof alone."),
    Fact("absent") { $0.absent.map(\.name) },
    Fact(
      "unreadable", { $0.unreadable.map(\.name) },
      note:
        "Data groups that the document lists and the card did not return, or that are malformed."
    ),
  ]

  /// Encodes `document`, `holder`, `portrait`, `files`, `absent` and `unreadable`; what is unknown is null. Of the
  /// portrait and the files it has length and SHA-256, not the contents.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// The document itself: its numbers and dates.
private struct DocumentFacts: StableObject {
  let data: DocumentData

  static let facts: [Fact<DocumentFacts>] =
    [
      Fact("code") { $0.data.zone?.documentCode },
      Fact("number") { $0.data.zone?.documentNumber },
      Fact("issuingState") { $0.data.zone?.issuingState },
      Fact("issueDate") { $0.data.issue?.dateOfIssue }, Fact("expiryDate", \.data.expiry),
      Fact("authority") { $0.data.issue?.issuingAuthority }, Fact("mrz") { $0.data.zone?.text },
    ] + Fact.all(of: \.data.validity)
}

extension Validity: StableObject {
  package static let facts: [Fact<Validity>] = [
    Fact(
      "expired", \.isExpired,
      note:
        "Whether the date of expiry is over; null when nothing tells it, and by a clock that is wrong."
    ),
    Fact("validUntil", \.until),
    Fact(
      "certificateValidUntil", \.certificateUntil,
      note: "The end of the certificate of the document's signer."),
  ]
}

/// The person of the document.
private struct HolderFacts: StableObject {
  let data: DocumentData

  static let facts: [Fact<HolderFacts>] = [
    Fact("surname") { $0.data.name?.surname }, Fact("givenNames") { $0.data.name?.givenNames },
    Fact("birthDate", \.data.birth), Fact("birthPlace") { $0.data.person?.placeOfBirth },
    Fact("sex") { $0.data.zone?.sex.letter }, Fact("nationality") { $0.data.zone?.nationality },
    Fact("fiscalCode") { $0.data.person?.personalNumber },
    Fact("address") { $0.data.person?.address },
  ]
}

extension MRZ.Sex {
  /// As the zone writes it, with the X of the visual zone for the filler.
  package var letter: String {
    switch self {
    case .female: "F"
    case .male: "M"
    case .unspecified: "X"
    }
  }
}

extension DataGroup.Portrait: StableObject {
  package static let facts: [Fact<DataGroup.Portrait>] = [
    Fact("format", \.format.rawValue), Fact("width") { $0.size?.width },
    Fact("height") { $0.size?.height }, Fact("bytes", \.image.count),
    Fact("sha256", \.image.sha256),
  ]
}

extension ReadFile: StableObject {
  package static let facts: [Fact<ReadFile>] = [
    Fact("name", \.kind.name), Fact("bytes", \.bytes.count), Fact("sha256", \.bytes.sha256),
  ]
}

extension MRZ.PartialDate: StableValue {
  package static var schema: Schema {
    .named("date") {
      .text(pattern: "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$")
        .noted("A day as the document has it; what it leaves out is missing.")
    }
  }

  package var json: JSON { .string(description) }
}
