import CIECard
import Messages

/// Who signed a document, and the CSCA behind: names and dates.
struct SignerText {
  private let signer: Certificate?
  private let anchor: Certificate?
  private let signingTime: UTCTime?

  init(securityObject file: [UInt8]?, trust: TrustStore?, at time: UTCTime) {
    let object = file.flatMap { try? SecurityObject(file: $0) }
    signer = object?.signer
    signingTime = object?.signingTime
    anchor = object.flatMap { trust?.anchor(of: $0.signer, at: time) }
  }

  func lines(_ language: Language) -> [String] {
    let named = [
      (Message("label.signer"), signer),
      (Message("label.csca"), anchor),
    ]
    return named.compactMap { label, certificate in
      certificate.map { "\(label(language)): \($0.subject.text), \($0.days)" }
    }
  }

  var members: [JSON.Member] {
    [
      .init("signedAt", signingTime?.description), .init("signer", Self.json(signer)),
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

extension Certificate {
  /// Its period of validity, as days.
  fileprivate var days: String {
    [notBefore, notAfter].map { $0.day }.joined(separator: "–")
  }
}
