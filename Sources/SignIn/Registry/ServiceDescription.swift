package import RedirectFlow
internal import System
internal import Glibc

/// Which ways in a service offers, and where: a JSON object with `name`, `methods` (an object each, with a member
/// `method`) and, if wanted, `ca`, a PEM file with the only authorities that may certify its servers.
///
/// Methods that are not known here are left out; what is wrong in one that is known is an error.
package struct ServiceDescription: Sendable {
  /// The longest description, in bytes.
  static let lengthLimit = 64 << 10

  /// What people call the service. Anybody can have written it.
  package let name: UntrustedText
  /// The methods that it offers and that are known here, in its order.
  package let methods: [any LoginMethod]
  /// Who may certify its servers.
  package let trust: HTTPTrust
  /// The description itself, so that a session can be refreshed and ended later.
  package let source: [UInt8]
  /// The folder that names of files begin in; `nil` for a description from the network.
  package let folder: String?

  /// All methods, in the order of the table of the documentation.
  private static let known: [any LoginMethod.Type] = [
    CardSignIn.self, AppSignIn.self, SPIDSignIn.self, EmailSignIn.self, IdentityAppSignIn.self,
    BankSignIn.self,
    OIDCSignIn.self,
  ]

  /// Reads a description.
  package init(json bytes: [UInt8], folder: String?) throws(ServiceProblem) {
    let value: JSONValue
    do throws(JSONProblem) { value = try JSONValue(bytes) } catch {
      throw .notJSON(offset: error.offset)
    }
    if let name = value.repeatedMember { throw .repeatedMember(name) }
    var members = try ServiceEntry(value, folder: folder)
    name = UntrustedText(try members.text("name"))
    trust = try members.file("ca").map { .file(path: $0) } ?? .system
    guard case .array(let entries) = members.value("methods") else {
      throw .missingMember("methods")
    }
    try members.finish()
    var methods: [any LoginMethod] = []
    for value in entries {
      var entry = try ServiceEntry(value, folder: folder)
      let name = try entry.text("method")
      guard let kind = Self.known.first(where: { $0.name.rawValue == name }) else { continue }
      guard !methods.contains(where: { type(of: $0).name == kind.name }) else {
        throw .repeatedMethod(name)
      }
      methods.append(try kind.init(&entry))
      try entry.finish()
    }
    guard !methods.isEmpty else { throw .noMethod }
    self.methods = methods
    self.folder = folder
    source = bytes
  }

  /// Reads a description from a file.
  package init(file path: String) throws(ServiceProblem) {
    let bytes: [UInt8]
    do throws(PlainFile.Failure) {
      bytes = try PlainFile.read(path, limit: Self.lengthLimit)
    } catch {
      switch error {
      case .unreadable(let reason): throw .unreadable(errno: reason.code)
      case .notPlain(let isFolder): throw .unreadable(errno: isFolder ? EISDIR : EINVAL)
      case .tooLarge: throw .tooLarge
      }
    }
    let slash = path.lastIndex(of: "/")
    try self.init(json: bytes, folder: slash.map { String(path[...$0]) } ?? "")
  }

  /// Reads a description from the network, from the service's own server, whose certificate the system's authorities
  /// must have signed. It cannot name files.
  package init(at url: RedirectURL, _ context: SignInContext) async throws(ServiceProblem) {
    let line = context.line(to: [url.origin])
    let answer: ServiceAnswer
    do throws(ExchangeProblem) { answer = try await line.get(url) } catch { throw .exchange(error) }
    guard answer.isSuccess, let bytes = answer.bytes else { throw .status(answer.status) }
    try self.init(json: bytes, folder: nil)
  }

  /// A method by its name; `nil` where the service does not offer it.
  package func method(_ name: SignInMethod) -> (any LoginMethod)? {
    methods.first { type(of: $0).name == name }
  }
}
