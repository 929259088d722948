public import Primitives

extension Diagnosis {
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
