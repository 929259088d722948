internal import Primitives
internal import Glibc

/// Members of one entry of a service description; each is taken once, and those left at the end are unknown.
struct ServiceEntry: Sendable {
  /// Base folder for relative paths, empty or ending in `/`; `nil` for a description from the network, which must not
  /// name files.
  let folder: String?
  private var values: [String: JSONValue] = [:]

  init(_ value: JSONValue, folder: String?) throws(SignInError) {
    self.folder = folder
    guard case .object(let members) = value else { throw .of(.notAnObject) }
    for (name, value) in members {
      guard values.updateValue(value, forKey: name) == nil else { throw .of(.repeatedMember(name)) }
    }
  }

  mutating func value(_ name: String) -> JSONValue? { values.removeValue(forKey: name) }

  /// Takes an optional string, which must not be empty.
  mutating func optionalText(_ name: String) throws(SignInError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.text, !text.isEmpty else { throw .of(.wrongMember(name)) }
    return text
  }

  mutating func text(_ name: String) throws(SignInError) -> String {
    guard let text = try optionalText(name) else { throw .of(.missingMember(name)) }
    return text
  }

  /// Takes an optional array of strings that are not empty.
  mutating func optionalTexts(_ name: String) throws(SignInError) -> [String]? {
    guard let value = value(name) else { return nil }
    guard let texts = value.texts, !texts.isEmpty, !texts.contains("") else {
      throw .of(.wrongMember(name))
    }
    return texts
  }

  mutating func flag(_ name: String) throws(SignInError) -> Bool {
    switch value(name) {
    case nil: return false
    case .flag(let value): return value
    default: throw .of(.wrongMember(name))
    }
  }

  mutating func url(_ name: String) throws(SignInError) -> RedirectURL {
    let text = try text(name)
    guard let url = try? RedirectURL(text), url.scheme == .https else { throw .of(.notHTTPS(name)) }
    return url
  }

  mutating func optionalURL(_ name: String) throws(SignInError) -> RedirectURL? {
    values[name] == nil ? nil : try url(name)
  }

  mutating func level() throws(SignInError) -> AuthenticationLevel? {
    guard let value = value("level") else { return nil }
    guard let level = value.integer.flatMap(AuthenticationLevel.init(rawValue:)) else {
      throw .of(.wrongMember("level"))
    }
    return level
  }

  /// Takes the base address of all of a method's paths: it ends in `/` and has no query.
  mutating func base(_ name: String) throws(SignInError) -> RedirectURL {
    let url = try url(name)
    guard url.path.hasSuffix("/"), url.query == nil else { throw .of(.notABase(name)) }
    return url
  }

  /// Takes hosts, each `host` or `host:port`; default empty.
  mutating func origins(_ name: String) throws(SignInError) -> Set<RedirectURL.Origin> {
    var origins: Set<RedirectURL.Origin> = []
    for host in try optionalTexts(name) ?? [] {
      guard !host.contains("/"), !host.contains("?"), let url = try? RedirectURL("https://" + host)
      else { throw .of(.wrongMember(name)) }
      origins.insert(url.origin)
    }
    return origins
  }

  /// Takes an optional file name; a relative one is resolved against the description's folder.
  mutating func file(_ name: String) throws(SignInError) -> String? {
    guard let text = try optionalText(name) else { return nil }
    guard let folder else { throw .of(.fileFromNetwork(name)) }
    return text.hasPrefix("/") ? text : folder + text
  }

  /// Takes the environment of the card's login: name of a built-in one, or a file; default: production.
  mutating func environment() throws(SignInError) -> LoginEnvironment {
    guard let text = try optionalText("environment") else { return .production }
    if let known = LoginEnvironment.builtIn.first(where: { $0.name == text }) { return known }
    guard let folder else { throw .of(.fileFromNetwork("environment")) }
    return try mapError(try LoginEnvironment(file: text.hasPrefix("/") ? text : folder + text)) {
      SignInError.of(.environment($0))
    }
  }

  func finish() throws(SignInError) {
    if let name = values.keys.min() { throw .of(.unknownMember(name)) }
  }
}

extension ServiceEntry {
  mutating func returnPlace() throws(SignInError) -> ReturnPlace? {
    guard let text = try optionalText("returnUrl") else { return nil }
    guard let place = ReturnPlace(text) else { throw .of(.wrongMember("returnUrl")) }
    return place
  }

  /// Takes `returnUrl`, an address of this machine that is sent to the service (our own extension of its interface),
  /// else `returnHosts`, the service's servers at which the browser ends; default: the server of `base`.
  mutating func returnPlace(of base: RedirectURL) throws(SignInError) -> ReturnPlace {
    let hosts = try origins("returnHosts")
    switch try returnPlace() {
    case nil: return .hosts(hosts.isEmpty ? [base.origin] : hosts)
    case .loopback(let path, let port)? where hosts.isEmpty:
      return .loopback(path: path, port: port)
    default: throw .of(.wrongMember("returnUrl"))
    }
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
