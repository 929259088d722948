internal import Primitives

extension LoginEnvironment {
  static let fileLimit = 64 << 10

  /// Reads an environment from a JSON file.
  ///
  /// Members: `name`; `idp`, the base URL; `linkHosts`, each `host` or `host:port`; `nextPaths`; and, if wanted,
  /// `method` (`client-certificate` or `signed-challenge`) and `ca`, a PEM file, relative to the file's folder.
  ///
  /// - Throws: `LoginEnvironment.FileError`; unknown and repeated members are errors, and so are the built-in hosts.
  public init(file path: String) throws(FileError) {
    let slash = path.lastIndex(of: "/")
    let bytes = try mapError(try PlainFile.read(path, limit: Self.fileLimit)) {
      (error: PlainFile.Failure) in
      error.number.map { FileError.unreadable(errno: $0) } ?? .tooLarge
    }
    try self.init(json: bytes, folder: slash.map { String(path[...$0]) } ?? "")
  }

  /// Reads an environment from the contents of such a file.
  ///
  /// - Parameter folder: the prefix of a relative `ca`; empty or ending in `/`.
  init(json bytes: [UInt8], folder: String) throws(FileError) {
    var members = try EnvironmentMembers(bytes)
    let name = try members.text("name")
    guard Self.isName(name), !Self.builtIn.contains(where: { $0.name == name }) else {
      throw .invalidName
    }
    let base = try Self.base(try members.text("idp"))
    var origins: Set<RedirectURL.Origin> = []
    for host in try members.texts("linkHosts") { origins.insert(try Self.linkOrigin(host)) }
    let paths = try members.texts("nextPaths")
    for path in paths {
      guard Self.isPath(path, at: base.origin) else { throw .invalidPath(path) }
    }
    var method = Method.clientCertificate
    if let text = try members.optionalText("method") {
      guard let known = Method(rawValue: text) else { throw .unknownMethod(text) }
      method = known
    }
    let authority = try members.optionalText("ca")
    guard authority?.isEmpty != true else { throw .wrongType("ca") }
    try members.finish()
    self.init(
      name: name, identityProvider: base, linkOrigins: origins, nextPaths: Set(paths),
      method: method, authorityFile: authority.map { $0.hasPrefix("/") ? $0 : folder + $0 })
  }

  /// 1 to 64 letters, digits, hyphens, full stops and underscores.
  private static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { ASCII.isUnreserved($0) && $0 != UInt8(ascii: "~") }
  }

  private static func base(_ text: String) throws(FileError) -> RedirectURL {
    let url = try checked("idp", text)
    guard url.path.hasSuffix("/"), !url.hasEmptySegment, url.query == nil else {
      throw .notABase
    }
    return url
  }

  private static func linkOrigin(_ text: String) throws(FileError) -> RedirectURL.Origin {
    let url = try checked("linkHosts", "https://" + text)
    // A path, a query or anything else behind host and port would be lost silently.
    guard !text.utf8.contains(where: { [UInt8]("/?".utf8).contains($0) }) else {
      throw .url("linkHosts", .invalidHost)
    }
    return url.origin
  }

  private static func isPath(_ path: String, at origin: RedirectURL.Origin) -> Bool {
    guard path.hasPrefix("/"), let url = try? RedirectURL("\(origin)" + path) else { return false }
    return url.path == path && !url.hasEmptySegment
  }

  /// A URL that is `https` and not at one of the real hosts.
  private static func checked(
    _ member: String, _ text: String
  ) throws(FileError) -> RedirectURL {
    let url = try mapError(try RedirectURL(text)) { FileError.url(member, $0) }
    guard url.scheme == .https else { throw .notHTTPS(member) }
    guard url.host != reservedDomain, !url.host.hasSuffix("." + reservedDomain) else {
      throw .builtInHost(url.host)
    }
    return url
  }
}

/// The members of an environment file, each taken once; the ones left at the end are unknown.
struct EnvironmentMembers {
  private var values: [String: JSONValue] = [:]

  init(_ bytes: [UInt8]) throws(LoginEnvironment.FileError) {
    let value = try mapError(try JSONValue(bytes)) { (error: JSONProblem) in
      LoginEnvironment.FileError.notJSON(offset: error.offset)
    }
    guard case .object(let members) = value else { throw .notAnObject }
    for (name, value) in members {
      guard values.updateValue(value, forKey: name) == nil else { throw .repeatedMember(name) }
    }
  }

  mutating func optionalText(_ name: String) throws(LoginEnvironment.FileError) -> String? {
    guard let value = values.removeValue(forKey: name) else { return nil }
    guard case .string(let text) = value else { throw .wrongType(name) }
    return text
  }

  mutating func text(_ name: String) throws(LoginEnvironment.FileError) -> String {
    guard let text = try optionalText(name) else { throw .missingMember(name) }
    return text
  }

  /// A list of at least one text.
  mutating func texts(_ name: String) throws(LoginEnvironment.FileError) -> [String] {
    guard let value = values.removeValue(forKey: name) else { throw .missingMember(name) }
    guard case .array(let elements) = value, !elements.isEmpty else { throw .wrongType(name) }
    var texts: [String] = []
    for element in elements {
      guard case .string(let text) = element else { throw .wrongType(name) }
      texts.append(text)
    }
    return texts
  }

  func finish() throws(LoginEnvironment.FileError) {
    if let name = values.keys.min() { throw .unknownMember(name) }
  }
}
