internal import Glibc
package import RedirectFlow
package import System

/// The members of one entry of a service description, each taken once; what is left at the end is unknown.
package struct ServiceEntry: Sendable {
  /// The folder that relative names of files begin in, empty or ending in `/`; `nil` for a description from the network,
  /// which has no say about files.
  package let folder: String?
  private var values: [String: JSONValue] = [:]

  /// - Throws: `.notAnObject`, `.repeatedMember`.
  package init(_ value: JSONValue, folder: String?) throws(ServiceProblem) {
    self.folder = folder
    guard case .object(let members) = value else { throw .notAnObject }
    for (name, value) in members {
      guard values.updateValue(value, forKey: name) == nil else { throw .repeatedMember(name) }
    }
  }

  /// Takes a member, whatever it is.
  package mutating func value(_ name: String) -> JSONValue? { values.removeValue(forKey: name) }

  /// Takes a text that may be missing.
  package mutating func optionalText(_ name: String) throws(ServiceProblem) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.text, !text.isEmpty else { throw .wrongMember(name) }
    return text
  }

  /// Takes a text.
  package mutating func text(_ name: String) throws(ServiceProblem) -> String {
    guard let text = try optionalText(name) else { throw .missingMember(name) }
    return text
  }

  /// Takes a list of texts that are not empty; `nil` where there is none.
  package mutating func optionalTexts(_ name: String) throws(ServiceProblem) -> [String]? {
    guard let value = value(name) else { return nil }
    guard case .array(let elements) = value else { throw .wrongMember(name) }
    let texts = elements.compactMap(\.text).filter { !$0.isEmpty }
    guard texts.count == elements.count, !texts.isEmpty else { throw .wrongMember(name) }
    return texts
  }

  /// Takes `true` or `false`; `false` where it is missing.
  package mutating func flag(_ name: String) throws(ServiceProblem) -> Bool {
    switch value(name) {
    case nil: return false
    case .flag(let value): return value
    default: throw .wrongMember(name)
    }
  }

  /// Takes an `https` address.
  package mutating func url(_ name: String) throws(ServiceProblem) -> RedirectURL {
    let text = try text(name)
    guard let url = try? RedirectURL(text), url.scheme == .https else { throw .notHTTPS(name) }
    return url
  }

  /// Takes an `https` address that may be missing.
  package mutating func optionalURL(_ name: String) throws(ServiceProblem) -> RedirectURL? {
    values[name] == nil ? nil : try url(name)
  }

  /// Takes the address below which all of a method's paths lie: it ends in `/` and has no query.
  package mutating func base(_ name: String) throws(ServiceProblem) -> RedirectURL {
    let url = try url(name)
    guard url.path.hasSuffix("/"), url.query == nil else { throw .notABase(name) }
    return url
  }

  /// Takes hosts, each `host` or `host:port`; empty where there are none.
  package mutating func origins(_ name: String) throws(ServiceProblem) -> Set<RedirectURL.Origin> {
    var origins: Set<RedirectURL.Origin> = []
    for host in try optionalTexts(name) ?? [] {
      guard !host.contains("/"), !host.contains("?"), let url = try? RedirectURL("https://" + host)
      else { throw .wrongMember(name) }
      origins.insert(url.origin)
    }
    return origins
  }

  /// Takes the name of a file; a relative one is meant to lie beside the description.
  package mutating func file(_ name: String) throws(ServiceProblem) -> String? {
    guard let text = try optionalText(name) else { return nil }
    guard let folder else { throw .fileFromNetwork(name) }
    return text.hasPrefix("/") ? text : folder + text
  }

  /// Takes the environment of the card's login: a built-in one's name or a file; the production one where there is none.
  package mutating func environment() throws(ServiceProblem) -> LoginEnvironment {
    guard let text = try optionalText("environment") else { return .production }
    if let known = LoginEnvironment.builtIn.first(where: { $0.name == text }) { return known }
    guard let folder else { throw .fileFromNetwork("environment") }
    do throws(LoginEnvironment.FileError) {
      return try LoginEnvironment(file: text.hasPrefix("/") ? text : folder + text)
    } catch { throw .environment(error) }
  }

  /// - Throws: `.unknownMember` where something is left.
  package func finish() throws(ServiceProblem) {
    if let name = values.keys.min() { throw .unknownMember(name) }
  }
}

/// Why a service description cannot be used.
package enum ServiceProblem: Error, Sendable, Equatable {
  /// It cannot be opened or read; the system's error number.
  case unreadable(errno: Int32)
  /// More than 64 KiB.
  case tooLarge
  /// It did not come over the network.
  case exchange(ExchangeProblem)
  /// The server has none; its status.
  case status(Int)
  /// Not one JSON value (RFC 8259); where reading stopped, in bytes.
  case notJSON(offset: Int)
  /// JSON, but no object where one must be.
  case notAnObject
  /// A member that is there twice.
  case repeatedMember(String)
  /// A member that must be there.
  case missingMember(String)
  /// A member with the wrong kind of value, or an empty one.
  case wrongMember(String)
  /// A member that does not exist.
  case unknownMember(String)
  /// A member whose address is none, or not `https`.
  case notHTTPS(String)
  /// A member whose address does not end in `/`, or has a query.
  case notABase(String)
  /// The same method twice.
  case repeatedMethod(String)
  /// None of its methods is known here.
  case noMethod
  /// Its environment of the card's login cannot be used.
  case environment(LoginEnvironment.FileError)
  /// A description from the network that names files of this machine.
  case fileFromNetwork(String)
}

extension SignInError {
  /// A description that cannot be used, or did not come.
  static func of(_ problem: ServiceProblem) -> SignInError {
    if case .exchange(let problem) = problem { return SignInError(problem) }
    if case .status(let status) = problem { return SignInError(.status(status)) }
    return SignInError(.description(problem))
  }
}
