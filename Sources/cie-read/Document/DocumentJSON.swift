import CIECard
import System

/// The JSON of a travel document. All keys are always present; unknown values are null.
struct DocumentJSON {
  let reading: DocumentReading
  let data: DocumentData
  let validity: Validity

  var members: [JSON.Member] {
    [
      .init("access", reading.access.json), .init("document", document), .init("holder", holder),
      .init("portrait", portrait), .init("files", .array(files)),
      .init("absent", .array(data.absent.map { .string($0.name) })),
      .init("unreadable", .array(data.unreadable.map { .string($0.name) })),
    ]
  }

  private var document: JSON {
    let zone = data.zone
    let members: [JSON.Member] = [
      .init("code", zone?.documentCode), .init("number", zone?.documentNumber),
      .init("issuingState", zone?.issuingState),
      .init("issueDate", data.issue?.dateOfIssue?.description),
      .init("expiryDate", data.expiry?.description),
      .init("authority", data.issue?.issuingAuthority), .init("mrz", zone?.text),
    ]
    return .object(members + validity.members)
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
      .init("sha256", Self.hash(portrait.image)),
    ])
  }

  /// Every file that was read, also those read only for the proof.
  private var files: [JSON] {
    reading.files.map { file, bytes in
      .object([
        .init("name", file.name), .init("bytes", bytes.count),
        .init("sha256", Self.hash(bytes)),
      ])
    }
  }

  private static func hash(_ bytes: [UInt8]) -> String? {
    (try? HashAlgorithm.sha256.hash(bytes))?.hexadecimal
  }
}

extension JSON {
  fileprivate static func list(_ texts: [String]?) -> JSON {
    texts.map { .array($0.map(JSON.string)) } ?? .null
  }
}

extension AccessCode.AccessProtocol {
  /// The JSON for scripts.
  var json: JSON {
    switch self {
    case .pace(let name): .object([.init("protocol", "pace"), .init("variant", name)])
    case .basic: .object([.init("protocol", "bac"), .init("variant", .null)])
    }
  }
}
