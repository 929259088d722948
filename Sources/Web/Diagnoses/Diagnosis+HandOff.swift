package import Primitives

extension Diagnosis {
  package init(_ error: HandOffError) {
    switch error {
    case .link(let problem): self.init(problem)
    case .code(let problem): self = .refused(problem.name, key: "code-unusable")
    case .listener(.timedOut): self.init(.network, "app-timeout", advice: .again)
    case .listener(let problem):
      self.init(.internalFailure, "listener-failed", ["detail": problem.summary])
    case .appReturn(let problem):
      self = .untrusted("return-\(problem.name)", key: "return-unusable")
    case .response(let problem):
      self = .refused("response-unreadable", ["detail": problem.detail])
    }
  }

  /// The app's own report of a failure.
  package static func failed(_ failure: AppFailure) -> Diagnosis {
    switch failure {
    case .cancelledByUser: refused("app-cancelled")
    case .certificateExpired: refused("card-certificate-expired", advice: .newCard)
    case .certificateRevoked: refused("card-certificate-revoked", advice: .newCard)
    case .invalidOperation: refused("app-invalid-operation")
    case .unknown: refused("app-failed")
    case .other(let text): refused("app-failed", ["text": text.display], key: "app-failed-text")
    }
  }

  private init(_ problem: HandOffProblem) {
    switch problem {
    case .url: self = .untrusted("link-malformed")
    case .notHTTPS: self = .untrusted("link-not-https")
    case .foreignHost(let origin):
      self = .untrusted("link-foreign-host", ["origin": origin])
    // A page of the right identity provider: trusted, but not the needed one.
    case .notAHandOff: self.init(.usage, "page-without-link")
    case .missingParameter(let name): self = .untrusted("link-missing-parameter", ["name": name])
    case .repeatedParameter: self = .untrusted("link-repeated-parameter")
    case .injectedParameter: self = .untrusted("link-injected-parameter")
    case .malformedParameter: self = .untrusted("link-malformed-parameter")
    case .nestedURL, .nestedNotHTTPS: self = .untrusted("link-nested-malformed")
    case .nestedElsewhere(_, let origin):
      self = .untrusted("link-nested-elsewhere", ["origin": origin])
    case .nestedPath, .nestedQuery: self = .untrusted("link-nested-path")
    }
  }
}

extension LoginCodeProblem {
  fileprivate var name: String {
    switch self {
    case .empty: "code-empty"
    case .tooLong: "code-too-long"
    case .noMarker: "code-unmarked"
    case .notDigits: "code-not-digits"
    case .wrongLength: "code-length"
    }
  }
}

extension ReturnProblem {
  fileprivate var name: String {
    switch self {
    case .url: "malformed"
    case .notHTTPS: "not-https"
    case .foreignHost: "foreign-host"
    case .unknownPage: "unknown-page"
    case .missingParameter: "missing-parameter"
    case .repeatedParameter: "repeated-parameter"
    case .unexpectedParameter: "unexpected-parameter"
    case .malformedParameter: "malformed-parameter"
    case .otherSession: "other-session"
    }
  }
}

extension SAMLProblem {
  fileprivate var detail: String {
    switch self {
    case .notBase64: "base64"
    case .notXML: "XML"
    case .documentType: "DOCTYPE"
    case .tooComplex, .tooLarge: "too large"
    case .notAResponse: "no Response"
    case .noStatus: "no Status"
    }
  }
}

extension ListenerProblem {
  fileprivate var summary: String {
    switch self {
    case .system(let call, let code): "\(call): \(SystemError(code).message)"
    case .random: "random"
    case .timedOut, .cancelled, .ended: "ended"
    }
  }
}
