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
  /// The ways in that it offers and that are known here, in its order.
  package let ways: [WayIn]
  /// Who may certify its servers.
  package let trust: HTTPTrust
  /// The description itself, so that a session can be refreshed and ended later.
  package let source: [UInt8]
  /// The folder that names of files begin in; `nil` for a description from the network.
  package let folder: String?

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
    var ways: [WayIn] = []
    for value in entries {
      var entry = try ServiceEntry(value, folder: folder)
      let name = try entry.text("method")
      guard let method = SignInMethod(rawValue: name) else { continue }
      guard !ways.contains(where: { $0.method == method }) else { throw .repeatedMethod(name) }
      ways.append(try WayIn(method, &entry))
    }
    guard !ways.isEmpty else { throw .noMethod }
    self.ways = ways
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
      case .writableByOthers: throw .unreadable(errno: EPERM)
      case .tooLarge: throw .tooLarge
      }
    }
    let slash = path.lastIndex(of: "/")
    try self.init(json: bytes, folder: slash.map { String(path[...$0]) } ?? "")
  }

  /// Reads a description from the network, from the service's own server, whose certificate the system's authorities
  /// must have signed. It cannot name files.
  package init(at url: RedirectURL, _ context: SignInContext) throws(ServiceProblem) {
    let line = context.line(to: [url.origin])
    let answer: ServiceAnswer
    do throws(ExchangeProblem) { answer = try line.get(url) } catch { throw .exchange(error) }
    guard answer.isSuccess, let bytes = answer.bytes else { throw .status(answer.status) }
    try self.init(json: bytes, folder: nil)
  }

  /// A way in by its name; `nil` where the service does not offer it.
  package func way(_ method: SignInMethod) -> WayIn? { ways.first { $0.method == method } }
}
