/// Description of a service and its sign-in methods: a JSON object with `name`, `methods` (an object each, with a
/// member `method`) and, optionally, `ca`, a PEM file with the only authorities that may certify its servers.
///
/// Unknown methods are ignored; errors in known ones are reported.
package struct ServiceDescription: Sendable {
  static let lengthLimit = 64 << 10

  /// Name for people. Untrusted text.
  let name: UntrustedText
  /// Known sign-in methods, in the order of the service.
  let ways: [ConfiguredMethod]
  /// A PEM file with the only authorities that may certify its servers; `nil` for the system's.
  package let trust: String?
  /// Text of the description, stored because a later refresh and sign-out need it.
  let source: [UInt8]
  /// Base folder for relative paths; `nil` for a description from the network.
  let folder: String?

  init(json bytes: [UInt8], folder: String?) throws(SignInError) {
    let value = try mapError(try JSONValue(bytes)) { (error: JSONProblem) in
      SignInError.of(.notJSON(offset: error.offset))
    }
    if let name = value.repeatedMember { throw .of(.repeatedMember(name)) }
    var members = try ServiceEntry(value, folder: folder)
    name = UntrustedText(try members.text("name"))
    trust = try members.file("ca")
    guard case .array(let entries) = members.value("methods") else {
      throw .of(.missingMember("methods"))
    }
    try members.finish()
    var ways: [ConfiguredMethod] = []
    for value in entries {
      var entry = try ServiceEntry(value, folder: folder)
      let name = try entry.text("method")
      guard let method = SignInMethod(rawValue: name) else { continue }
      guard !ways.contains(where: { $0.method == method }) else { throw .of(.repeatedMethod(name)) }
      ways.append(try ConfiguredMethod(method, &entry))
    }
    guard !ways.isEmpty else { throw .of(.noMethod) }
    self.ways = ways
    self.folder = folder
    source = bytes
  }

  init(file path: String) throws(SignInError) {
    let bytes = try mapError(try PlainFile.read(path, limit: Self.lengthLimit)) {
      (error: PlainFile.Failure) in
      SignInError.of(error.number.map { .unreadable(errno: $0) } ?? .tooLarge)
    }
    let slash = path.lastIndex(of: "/")
    try self.init(json: bytes, folder: slash.map { String(path[...$0]) } ?? "")
  }

  /// Fetches a description from the service's own server, whose certificate must be valid under the system's
  /// authorities. It must not name files.
  init(at url: RedirectURL, _ context: SignInContext) throws(SignInError) {
    let line = context.line(to: [url.origin])
    let answer = try line.get(url)
    guard answer.isSuccess, let bytes = answer.bytes else {
      throw SignInError(.status(answer.status))
    }
    try self.init(json: bytes, folder: nil)
  }

  func way(_ method: SignInMethod) -> ConfiguredMethod? {
    ways.first { $0.method == method }
  }
}
