import RedirectFlow

/// Proxies that a login does not get through.
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
  /// A part of a stable name.
  var name: String {
    switch self {
    case .expired: "expired"
    case .notYetValid: "not-yet-valid"
    case .wrongHost: "wrong-host"
    case .unknownAuthority: "unknown-authority"
    case .other: "invalid"
    }
  }

  /// What goes after "the certificate".
  var text: Message {
    if case .other(let code) = self { return Message("certificate.invalid", ["code": code]) }
    return Message("certificate.\(name)")
  }
}
