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
    return [validity.headline(reading.report.headline).of(test: reading.isTest)(language)]
      + DocumentText(reading, data, language).lines
      + reading.report.lines(isTest: reading.isTest, language) + signer.lines(language) + files
  }

  /// All keys are always present; unknown values are null.
  func members(_ language: Language) -> [JSON.Member] {
    [
      .init("access", reading.access.json), .init("document", document), .init("holder", holder),
      .init("portrait", portrait), .init("files", .array(files)),
      .init("absent", .array(data.absent.map { .string($0.name) })),
      .init("unreadable", .array(data.unreadable.map { .string($0.name) })),
    ] + reading.report.members(isTest: reading.isTest, language) + signer.members + [
      .init("photo", photo), .init("out", folder),
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
  /// Their SHA-256 in hexadecimal.
  var sha256: String? { (try? HashAlgorithm.sha256.hash(self))?.hexadecimal }
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
