import CIECard
import CardWork
import Messages
import Primitives

extension HolderCertificate: Presentable {
  func lines(_ language: Language) -> [String] {
    let subject = certificate.subject
    let names = [subject.givenName, subject.surname].compactMap { $0 }
    let rows: [(Message, String?)] = [
      (Message("label.holder"), names.isEmpty ? subject.text : names.joined(separator: " ")),
      (Message("document.fiscal-code"), fiscalCode),
      (Message("label.issuer"), certificate.issuer.commonName ?? certificate.issuer.text),
      (
        Message("label.validity"),
        [certificate.notBefore, certificate.notAfter].map(language.text).joined(separator: "–")
      ),
      (Message("label.serial"), certificate.serial),
    ]
    return rows.compactMap { label, value in value.map { label.row($0, language) } }
      + (path.map { [Message("cert.saved", ["path": $0])(language)] } ?? [])
  }

  /// The part of the common name before the number of the card.
  private var fiscalCode: String? {
    certificate.subject.commonName?.split(separator: "/").first.map(String.init)
  }

  func members(_ language: Language) -> [JSON.Member] {
    var members: [JSON.Member] = [
      .init("subject", certificate.subject.text), .init("issuer", certificate.issuer.text),
      .init("serial", certificate.serial), .init("notBefore", certificate.notBefore.description),
      .init("notAfter", certificate.notAfter.description), .init("expired", hasEnded),
      .init("recoverableKey", certificate.hasRecoverableKey),
      .init("sha256", certificate.der.sha256), .init("out", path),
    ]
    if path == nil { members.append(.init("certificate", certificate.pem)) }
    if let text { members.append(.init("text", text)) }
    return members
  }
}

extension HolderSignatures: Presentable {
  func lines(_ language: Language) -> [String] {
    list.map { Message("sign.done", ["input": $0.input, "path": $0.path ?? "-"])(language) }
  }

  func members(_ language: Language) -> [JSON.Member] {
    let signatures = list.map { signed in
      let digest = signed.assertion.digest
      return JSON.object([
        .init("in", signed.input), .init("out", signed.path),
        .init("algorithm", digest.algorithm.rawValue), .init("digest", digest.bytes.hexadecimal),
        .init("signature", signed.assertion.signature.hexadecimal),
      ])
    }
    return [.init("signatures", .array(signatures))]
  }
}

/// A reader in a list, and the card in it.
struct ListedReader: DescribedObject {
  let number: Int
  let reader: PCSCContext.Reader

  static let members: [Member<ListedReader>] = [
    Member("number", \.number), Member("name", \.reader.name),
    Member("available", \.reader.isAvailable), Member("card") { $0.reader.answerToReset != nil },
    Member("atr") { $0.reader.answerToReset.map(Digits.init) },
    Member("family") { $0.reader.answerToReset.map { ChipFamily(atr: $0).rawValue } },
  ]
}
