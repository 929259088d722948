package import Primitives

extension Diagnosis {
  package init(_ error: HTTPError, at stage: String) {
    switch error {
    case .resolve(let host): self = .network("host-unknown", ["host": host])
    case .connect(let host): self = .network("not-connected", ["host": host])
    case .proxy(let problem, let host): self.init(problem, at: host)
    case .disconnected: self = .network("disconnected", ["stage": stage])
    case .timeout: self = .network("timeout", ["stage": stage])
    case .malformedResponse: self = .network("not-http", ["stage": stage])
    case .handshake(nil): self = .network("tls-failed", ["stage": stage])
    case .handshake(let alert?):
      self = .network(
        "tls-failed", ["stage": stage, "alert": alert], key: "tls-failed-alert")
    case .headersTooLong: self = .refused("headers-too-long", ["stage": stage])
    case .bodyTooLarge: self = .refused("body-too-large", ["stage": stage])
    case .serverCertificate(let problem):
      self = .untrusted(
        "server-certificate-\(problem.name)", ["problem": problem.text],
        key: "server-certificate")
    case .unusableURL: self = .untrusted("url-unusable")
    case .serverDemandsTLS13: self = .demand("server-demands-tls13")
    case .serverWithoutForwardSecrecy: self = .refused("server-without-forward-secrecy")
    case .serverDemandsPSS: self = .demand("server-demands-pss")
    case .serverDemandsOtherSignature: self = .demand("server-demands-other-signature")
    case .secondSignatureRefused: self = .demand("server-demands-second-signature")
    case .certificateNotRequested(let status):
      self = .refused("certificate-not-requested", ["status": status])
    case .cardCertificateExpired: self = .cardRefused("expired")
    case .cardCertificateRevoked: self = .cardRefused("revoked")
    case .cardCertificateUnknownAuthority: self = .cardRefused("unknown-authority")
    case .cardCertificateRefused(let alert): self = .cardRefused("refused", ["alert": alert])
    case .trustFile(let path): self.init(.usage, "ca-unusable", ["path": path])
    case .cancelled: self = .interrupted
    case .library(let code): self.init(.internalFailure, "http-library", ["code": code])
    }
  }

  /// - Parameter name: the row after `server-says-`, the error after `card-certificate-`.
  private static func cardRefused(
    _ name: String, _ arguments: [String: Message.Argument] = [:]
  ) -> Diagnosis {
    refused(
      "card-certificate-\(name)", arguments, key: "server-says-\(name)", advice: .newCard)
  }

  private static func network(
    _ name: String, _ arguments: [String: Message.Argument], key: String? = nil
  ) -> Diagnosis {
    Diagnosis(.network, name, arguments, key: key, advice: Message("network.do"))
  }

  /// The server requires an algorithm that the card lacks.
  private static func demand(_ name: String) -> Diagnosis {
    Diagnosis(.serverRefused, name, advice: Message("server-demands.do"))
  }
}

extension Diagnosis {
  init(_ problem: ProxyProblem, at host: String) {
    let proxy = host.isEmpty ? Message("proxy") : Message("proxy-at", ["host": host])
    var arguments: [String: Message.Argument] = ["proxy": proxy]
    var name = problem.name
    switch problem {
    case .refused(let status): arguments["status"] = status
    case .certificate(let problem):
      name += "-\(problem.name)"
      arguments["problem"] = problem.text
    case .unusable, .resolve, .connect, .timeout, .authenticationRequired, .failed: break
    }
    self.init(
      .network, "proxy-\(name)", arguments, key: "proxy-\(problem.name)",
      advice: Message("proxy.do"))
  }
}

extension ProxyProblem {
  fileprivate var name: String {
    switch self {
    case .unusable: "unusable"
    case .resolve: "unknown"
    case .connect: "not-connected"
    case .timeout: "timeout"
    case .authenticationRequired: "authentication"
    case .refused: "refused"
    case .certificate: "certificate"
    case .failed: "failed"
    }
  }
}

extension ServerCertificateProblem {
  var name: String {
    switch self {
    case .expired: "expired"
    case .notYetValid: "not-yet-valid"
    case .wrongHost: "wrong-host"
    case .unknownAuthority: "unknown-authority"
    case .other: "invalid"
    }
  }

  /// The continuation of "the certificate".
  var text: Message {
    if case .other(let code) = self { return Message("certificate.invalid", ["code": code]) }
    return Message("certificate.\(name)")
  }
}
