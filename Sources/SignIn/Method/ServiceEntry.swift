internal import Primitives
internal import Glibc

/// Members of one entry of a service description; each is taken once, and those left at the end are unknown.
package struct ServiceEntry: Sendable {
  /// Base folder for relative paths, empty or ending in `/`; `nil` for a description from the network, which must not
  /// name files.
  package let folder: String?
  private var values: [String: JSONValue] = [:]

  package init(_ value: JSONValue, folder: String?) throws(ServiceProblem) {
    self.folder = folder
    guard case .object(let members) = value else { throw .notAnObject }
    for (name, value) in members {
      guard values.updateValue(value, forKey: name) == nil else { throw .repeatedMember(name) }
    }
  }

  package mutating func value(_ name: String) -> JSONValue? { values.removeValue(forKey: name) }

  /// Takes an optional string, which must not be empty.
  package mutating func optionalText(_ name: String) throws(ServiceProblem) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.text, !text.isEmpty else { throw .wrongMember(name) }
    return text
  }

  package mutating func text(_ name: String) throws(ServiceProblem) -> String {
    guard let text = try optionalText(name) else { throw .missingMember(name) }
    return text
  }

  /// Takes an optional array of strings that are not empty.
  package mutating func optionalTexts(_ name: String) throws(ServiceProblem) -> [String]? {
    guard let value = value(name) else { return nil }
    guard let texts = value.texts, !texts.isEmpty, !texts.contains("") else {
      throw .wrongMember(name)
    }
    return texts
  }

  package mutating func flag(_ name: String) throws(ServiceProblem) -> Bool {
    switch value(name) {
    case nil: return false
    case .flag(let value): return value
    default: throw .wrongMember(name)
    }
  }

  package mutating func url(_ name: String) throws(ServiceProblem) -> RedirectURL {
    let text = try text(name)
    guard let url = try? RedirectURL(text), url.scheme == .https else { throw .notHTTPS(name) }
    return url
  }

  package mutating func optionalURL(_ name: String) throws(ServiceProblem) -> RedirectURL? {
    values[name] == nil ? nil : try url(name)
  }

  package mutating func level() throws(ServiceProblem) -> AuthenticationLevel? {
    guard let value = value("level") else { return nil }
    guard let level = value.integer.flatMap(AuthenticationLevel.init(rawValue:)) else {
      throw .wrongMember("level")
    }
    return level
  }

  /// Takes the base address of all of a method's paths: it ends in `/` and has no query.
  package mutating func base(_ name: String) throws(ServiceProblem) -> RedirectURL {
    let url = try url(name)
    guard url.path.hasSuffix("/"), url.query == nil else { throw .notABase(name) }
    return url
  }

  /// Takes hosts, each `host` or `host:port`; default empty.
  package mutating func origins(_ name: String) throws(ServiceProblem) -> Set<RedirectURL.Origin> {
    var origins: Set<RedirectURL.Origin> = []
    for host in try optionalTexts(name) ?? [] {
      guard !host.contains("/"), !host.contains("?"), let url = try? RedirectURL("https://" + host)
      else { throw .wrongMember(name) }
      origins.insert(url.origin)
    }
    return origins
  }

  /// Takes an optional file name; a relative one is resolved against the description's folder.
  package mutating func file(_ name: String) throws(ServiceProblem) -> String? {
    guard let text = try optionalText(name) else { return nil }
    guard let folder else { throw .fileFromNetwork(name) }
    return text.hasPrefix("/") ? text : folder + text
  }

  /// Takes the environment of the card's login: name of a built-in one, or a file; default: production.
  package mutating func environment() throws(ServiceProblem) -> LoginEnvironment {
    guard let text = try optionalText("environment") else { return .production }
    if let known = LoginEnvironment.builtIn.first(where: { $0.name == text }) { return known }
    guard let folder else { throw .fileFromNetwork("environment") }
    return try mapError(try LoginEnvironment(file: text.hasPrefix("/") ? text : folder + text)) {
      ServiceProblem.environment($0)
    }
  }

  package func finish() throws(ServiceProblem) {
    if let name = values.keys.min() { throw .unknownMember(name) }
  }
}

package enum ServiceProblem: Error, Sendable, Equatable {
  case unreadable(errno: Int32)
  /// The description is larger than 64 KiB.
  case tooLarge
  case exchange(ExchangeProblem)
  case status(Int)
  /// The text is not one JSON value (RFC 8259); the byte offset at which parsing stopped.
  case notJSON(offset: Int)
  case notAnObject
  case repeatedMember(String)
  case missingMember(String)
  /// Member with a value of the wrong type, or an empty one.
  case wrongMember(String)
  case unknownMember(String)
  case notHTTPS(String)
  /// Member whose address does not end in `/`, or has a query.
  case notABase(String)
  case repeatedMethod(String)
  case noMethod
  /// The environment of the card's login cannot be used.
  case environment(LoginEnvironment.FileError)
  /// A description from the network names files of this machine.
  case fileFromNetwork(String)
}

extension SignInError {
  static func of(_ problem: ServiceProblem) -> SignInError {
    if case .exchange(let problem) = problem { return SignInError(problem) }
    if case .status(let status) = problem { return SignInError(.status(status)) }
    return SignInError(.description(problem))
  }
}

/// Sign-in method that a service may offer; raw value: its name in the service description.
public enum SignInMethod: String, Sendable, Hashable, CaseIterable {
  /// The card in a reader: "Entra con CIE" at level 3.
  case card
  /// Identity provider's app: hand-off and return.
  case app
  /// SPID provider.
  case spid
  /// E-mail address: a one-time code, a password, or both.
  case email
  /// Identity app on a phone: a link or QR code, then polling.
  case identityApp = "identity-app"
  /// Bank chosen from a list, then a redirect.
  case bank
  /// OpenID provider: authorization code, PKCE, the client's own key.
  case oidc
}
