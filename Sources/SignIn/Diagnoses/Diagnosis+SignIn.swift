public import Primitives
internal import Web

extension Diagnosis {
  /// A step of the sign-in failed.
  public init(_ error: SignInError) {
    switch error.cause {
    case .exchange(let problem): self.init(problem)
    case .status(let status): self = .refused("sign-in-status", ["status": status])
    case .tooManyRequests(let seconds): self = .tooOften(seconds)
    case .userNotFound: self.init(.wrongCode, "user-not-found")
    case .invalidUserName: self.init(.usage, "invalid-user-name")
    case .invalidCredentials, .invalidPassword: self.init(.wrongCode, "wrong-credentials")
    case .noPassword: self = .refused("no-password")
    case .passwordResetRequired: self = .refused("password-reset-required")
    case .invalidCode: self.init(.wrongCode, "wrong-one-time-code")
    case .expired: self = .refused("sign-in-expired")
    case .methodBlocked: self.init(.blocked, "method-blocked")
    case .invalidChallenge: self = .refused("second-factor", advice: .inABrowser)
    case .registrationRequired: self = .refused("registration-required", advice: .inABrowser)
    case .browserRequired: self = .refused("browser-required", advice: .inABrowser)
    case .invalidScope: self = .refused("scope-refused", advice: .tellTheMakers)
    case .refreshTokenExpired:
      self.init(.notSignedIn, "refresh-expired", advice: Message("sign-in-again.do"))
    case .clientRefused: self = .refused("client-refused", advice: .tellTheMakers)
    case .badRequest(let word):
      self = .refused("request-refused", ["text": word.display], advice: .tellTheMakers)
    case .denied(let word): self = .refused("sign-in-denied", ["text": word.display])
    case .template(let result):
      self = .refused(
        "result-shown", ["title": result.title.display, "text": result.text.display])
    case .saml(let number): self = .notGranted(number)
    case .token(let problem):
      self.init(.false, "token-not-believed", ["detail": problem.caseName])
    case .clientKey(let problem, let path): self.init(problem, path)
    case .openID(let problem): self.init(problem)
    case .otherSession: self = .untrusted("other-session")
    case .unknownProvider: self.init(.usage, "provider-unknown", advice: .otherWay)
    case .notOffered: self.init(.usage, "not-offered", advice: .otherWay)
    case .timedOut: self.init(.network, "sign-in-timeout", advice: .again)
    case .cancelled: self = .interrupted
    case .notSignedIn: self.init(.notSignedIn, "not-signed-in", advice: Message("sign-in-again.do"))
    case .description(let problem): self.init(problem)
    case .store(let error): self.init(error)
    case .file(let path): self = .usage("service-file", ["path": path])
    case .returnAddress: self.init(.usage, "return-address")
    case .listener:
      self.init(.internalFailure, "listener-failed", ["detail": "loopback"])
    case .cryptography: self.init(.internalFailure, "crypto-failed", ["operation": "random"])
    }
  }

  private static func tooOften(_ seconds: Int?) -> Diagnosis {
    guard let seconds else { return refused("too-many-requests", advice: .later) }
    return refused(
      "too-many-requests", ["count": seconds], key: "too-many-requests-wait", advice: .later)
  }

  private init(_ problem: ExchangeProblem) {
    switch problem {
    case .http(let error): self.init(error, at: "service-provider")
    case .notHTTPS: self = .unusable("https")
    case .foreignHost(let origin): self = .untrusted("foreign-host", ["origin": origin])
    case .redirected: self = .untrusted("answer-redirects")
    case .notJSON: self = .unusable("JSON")
    case .repeatedMember(let name), .missingMember(let name), .wrongMember(let name):
      self = .unusable(UntrustedText(name).display)
    case .unusableToken: self = .unusable("token")
    }
  }

  private init(_ problem: OpenIDProblem) {
    switch problem {
    case .refused(let word):
      // Names for scripts have hyphens alone.
      let name = String(word.rawValue.map { $0 == "_" ? "-" : $0 })
      self = .refused(
        "openid-\(name)", ["text": word.rawValue], key: "request-refused",
        advice: .tellTheMakers)
    case .refusedOtherwise(let word):
      self = .refused("request-refused", ["text": word.display], advice: .tellTheMakers)
    case .issuerWrong: self = .untrusted("openid-issuer")
    case .endpointForeign(let member): self = .untrusted("openid-endpoint", ["member": member])
    case .metadataMissing(let member), .metadataWrong(let member), .notSupported(let member):
      self = .unusable(UntrustedText(member).display)
    case .answerMalformed: self = .unusable("code, error")
    case .tokenTypeWrong: self = .unusable("token_type")
    case .notSigned: self.init(.false, "token-not-believed", ["detail": "notSigned"])
    case .federation(let problem):
      self.init(.false, "openid-federation", ["detail": problem.name])
    }
  }

  /// The client's own key, which is not registered at the provider.
  private init(_ problem: ClientKeyProblem, _ path: String) {
    switch problem {
    case .unreadable: self.init(.usage, "client-key-unreadable", ["path": path])
    case .exposed: self.init(.usage, "client-key-exposed", ["path": path])
    case .unusable: self.init(.usage, "client-key-unusable", ["path": path])
    case .onlySigns: self.init(.usage, "client-key-only-signs", ["path": path])
    }
  }

  private static func unusable(_ detail: String) -> Diagnosis {
    refused("answer-unusable", ["detail": detail], advice: .again)
  }

  private init(_ error: SessionProblem) {
    switch error {
    case .keyLost:
      self.init(.notSignedIn, "not-signed-in", advice: Message("sign-in-again.do"))
    case .tooLarge: self.init(.internalFailure, "session-unusable", ["detail": "256 KiB"])
    case .folder(let failure): self.init(failure)
    case .crypto(let error): self.init(error)
    }
  }
}

extension Diagnosis {
  init(_ problem: ServiceProblem) {
    switch problem {
    case .unreadable(let code):
      self = .usage("service-unreadable", ["reason": SystemError(code).reason])
    case .tooLarge: self = .usage("service-too-large")
    case .notJSON(let offset): self = .usage("service-not-json", ["offset": offset])
    case .notAnObject: self = .usage("service-not-an-object")
    case .repeatedMember(let name), .repeatedMethod(let name):
      self = .usage("service-member-repeated", ["member": name])
    case .missingMember(let name): self = .usage("service-member-missing", ["member": name])
    case .wrongMember(let name): self = .usage("service-member-wrong", ["member": name])
    case .unknownMember(let name): self = .usage("service-member-unknown", ["member": name])
    case .notHTTPS(let name): self = .usage("service-not-https", ["member": name])
    case .notABase(let name): self = .usage("service-not-a-base", ["member": name])
    case .noMethod: self = .usage("service-no-method")
    case .environment: self = .usage("service-member-wrong", ["member": "environment"])
    case .fileFromNetwork(let name): self = .usage("service-names-file", ["member": name])
    }
  }

  private static func usage(
    _ name: String, _ arguments: [String: Message.Argument] = [:]
  ) -> Diagnosis {
    Diagnosis(.usage, name, arguments, advice: Message("service-description.do"))
  }
}

extension Message {
  fileprivate static let inABrowser = Message("in-a-browser.do")
  fileprivate static let tellTheMakers = Message("tell-the-makers.do")
  fileprivate static let otherWay = Message("other-way.do")
  fileprivate static let later = Message("later.do")
}

extension FederationProblem {
  fileprivate var name: String {
    if case .statement(let problem) = self { return problem.caseName }
    return String("\(self)".prefix { $0 != "(" })
  }
}

extension TokenProblem {
  /// The claim's name in the specification, without the contents of the token or statement.
  fileprivate var caseName: String { String("\(self)".prefix { $0 != "(" }) }
}
