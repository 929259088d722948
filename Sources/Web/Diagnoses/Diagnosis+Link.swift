public import Primitives

extension Diagnosis {
  package init(_ problem: HandOffProblem) {
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

  /// An error in the file of an environment.
  public init(_ error: LoginEnvironment.FileError, path: Message.Argument) {
    self.init(.usage, "environment-invalid", ["path": path, "detail": error.detail])
  }
}

extension LoginEnvironment.FileError {
  fileprivate var detail: Message.Argument {
    switch self {
    case .unreadable(let code): SystemError(code).reason
    case .tooLarge: "too large"
    case .notJSON(let offset): "no JSON at byte \(offset)"
    case .notAnObject: "no JSON object"
    case .unknownMember(let name): "unknown \(name)"
    case .repeatedMember(let name): "repeated \(name)"
    case .missingMember(let name): "no \(name)"
    case .wrongType(let name): "type of \(name)"
    case .invalidName: "name"
    case .url(let name, _): "URL in \(name)"
    case .notHTTPS(let name): "\(name) not https"
    case .notABase: "idp"
    case .builtInHost(let host): "reserved host \(host)"
    case .invalidPath(let path): "path \(path)"
    case .unknownMethod(let name): "method \(name)"
    }
  }
}

extension LoginEnvironment.FileError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self, path: Message.thisFile).description }
}
