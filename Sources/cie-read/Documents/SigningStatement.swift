import CIECard
import DocumentSigning
import Messages
import Primitives

/// The statement that a person reads before the PIN: the worth of the signature, the name in it, and the files.
enum SigningStatement {
  /// The lines of it.
  static func lines(_ orders: [SigningOrder], _ language: Language) -> [String] {
    let worth = [
      Message("sign.statement.holder"), Message("sign.statement.worth"),
      Message("sign.statement.limits"),
    ]
    return worth.map { $0(language) }
      + orders.compactMap { order in
        order.document.map { "  " + line($0, order.path)(language) }
      }
  }

  private static func line(_ document: UnsignedDocument, _ path: String) -> Message {
    var values: [String: Message.Argument] = [
      "path": path, "length": document.length,
      "digest": [UInt8](document.digest.bytes.prefix(8)).hexadecimal,
    ]
    if let pages = document.pages { values["pages"] = pages }
    let isSigned = document.signatures > 0
    if isSigned { values["signatures"] = document.signatures }
    return switch (document.pages == nil, isSigned) {
    case (true, false): Message("sign.file", values)
    case (true, true): Message("sign.signed-file", values)
    case (false, false): Message("sign.pdf", values)
    case (false, true): Message("sign.signed-pdf", values)
    }
  }

  /// The name in the signatures, which the card shows only after the PIN.
  static func signer(_ certificate: Certificate) -> Message {
    let subject = certificate.subject
    // The common name of a CIE is the tax code and a number; given name and surname stand beside it.
    let names = [subject.givenName, subject.surname].compactMap { $0 }.joined(separator: " ")
    let parts = [names, subject.commonName ?? ""].filter { !$0.isEmpty }
    let name = parts.isEmpty ? subject.text : parts.joined(separator: ", ")
    return Message("sign.statement.signer", ["name": name])
  }
}
