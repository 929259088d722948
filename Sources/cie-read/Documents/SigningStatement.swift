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
    return worth.map { $0(language) } + files(orders, language).map { "  " + $0 }
  }

  /// The files, each with its size and the first bytes of the digest that is signed.
  private static func files(_ orders: [SigningOrder], _ language: Language) -> [String] {
    orders.compactMap { order in
      order.document.map { line($0, order.path)(language) }
    }
  }

  /// The files, for a window that asks for the PIN and has room for a few of them.
  static func brief(_ orders: [SigningOrder], _ language: Language) -> [String] {
    let files = files(orders, language)
    return files.count > 6 ? files.prefix(5) + ["… (\(files.count))"] : files
  }

  private static func line(_ document: UnsignedDocument, _ path: String) -> Message {
    let digest = [UInt8](document.digest.bytes.prefix(8)).hexadecimal
    return switch (document.pages, document.signatures) {
    case (nil, 0):
      Message("sign.file", ["path": path, "length": document.length, "digest": digest])
    case (nil, let count):
      Message(
        "sign.signed-file",
        ["path": path, "length": document.length, "signatures": count, "digest": digest])
    case (let pages?, 0):
      Message(
        "sign.pdf",
        ["path": path, "length": document.length, "pages": pages, "digest": digest])
    case (let pages?, let count):
      Message(
        "sign.signed-pdf",
        [
          "path": path, "length": document.length, "pages": pages, "signatures": count,
          "digest": digest,
        ])
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
