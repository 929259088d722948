import CIECard
import CardWork
import Messages
import Primitives

extension CardInformation: Presentable {
  func lines(_ language: Language) -> [String] {
    var rows = [
      (Message("label.chip"), family.text(language)), (Message("label.atr"), atr.hexadecimal),
    ]
    if let applications {
      let names = applications.map { $0.text(language) }
      rows.append((Message("label.applications"), names.joined(separator: ", ")))
    }
    if let number { rows.append((Message("label.nis"), number.description)) }
    switch tries {
    case .reported(let pin, let puk):
      for (name, left) in [("PIN", pin), ("PUK", puk)] {
        if let left { rows.append((Message("label.tries", ["name": name]), "\(left)")) }
      }
    case .refused(let error):
      let reason = Message("info.not-told", ["reason": Diagnosis(error).what])
      rows.append((Message("label.all-tries"), reason(language)))
    case nil: break
    }
    return (summary.map { [$0(language)] } ?? []) + rows.map { $0.0.row($0.1, language) }
  }

  /// One sentence about a CIE; `nil` for another card, whose failure says it.
  private var summary: Message? {
    guard failure == nil else { return nil }
    guard case .reported(let pin?, _) = tries else { return Message("info.card") }
    return Message(pin == 0 ? "info.card-blocked" : "info.card-tries", ["count": pin])
  }

  func members(_ language: Language) -> [JSON.Member] {
    var members: [JSON.Member] = [
      .init("family", family.rawValue), .init("atr", atr.hexadecimal),
    ]
    if let applications {
      members.append(
        .init("applications", applications.map(\.rawValue)))
    }
    if let number { members.append(.init("servicesNumber", number.description)) }
    guard let tries else { return members }
    let (pin, puk, refusal): (Int?, Int?, JSON) =
      switch tries {
      case .reported(let pin, let puk): (pin, puk, .null)
      case .refused(let error): (nil, nil, Diagnosis(error).json(language))
      }
    return members + [
      .init("pinTriesLeft", pin), .init("pukTriesLeft", puk), .init("triesRefusal", refusal),
    ]
  }
}

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

extension PCSCContext.Reader {
  /// The JSON for scripts.
  ///
  /// - Parameter number: its place in the list.
  func json(number: Int) -> JSON {
    .object([
      .init("number", number), .init("name", name), .init("available", isAvailable),
      .init("card", answerToReset != nil), .init("atr", answerToReset?.hexadecimal),
      .init("family", answerToReset.map { ChipFamily(atr: $0).rawValue }),
    ])
  }
}
