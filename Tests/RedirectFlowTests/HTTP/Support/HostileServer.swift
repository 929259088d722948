import TestSupport

/// A server did not come up.
struct ServerFailure: Error {}

/// `Tests/Servers/hostile-server`: a web server that breaks the rules for servers.
final class HostileServer {
  private let process: BackgroundProcess
  /// The TCP port.
  let port: Int

  init(_ arguments: [String] = []) throws {
    process = try BackgroundProcess(
      "/usr/bin/python3", [Repository.path("Tests/Servers/hostile-server")] + arguments)
    guard let port = process.firstLine().flatMap({ Int($0) }) else { throw ServerFailure() }
    self.port = port
  }

  /// With TLS.
  convenience init(_ identity: TestAuthority.Identity, _ arguments: [String] = []) throws {
    try self.init(["--certificate", identity.certificate, "--key", identity.key] + arguments)
  }
}
