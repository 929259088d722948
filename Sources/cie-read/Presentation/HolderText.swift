import CIECard
import CardWork
import Messages
import Primitives

extension PINState: Presentable {
  func lines(_ language: Language) -> [String] { [Message("pin.\(rawValue)")(language)] }

  func members(_ language: Language) -> [JSON.Member] { [.init("pin", rawValue)] }
}

extension HolderCertificate: Presentable {
  func lines(_ language: Language) -> [String] { [] }

  /// The holder's name is not among them: that is in the certificate alone.
  func members(_ language: Language) -> [JSON.Member] {
    var members: [JSON.Member] = [
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
