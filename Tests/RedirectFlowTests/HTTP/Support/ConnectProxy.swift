import TestSupport

/// `Tests/Servers/connect-proxy`: a proxy that opens tunnels, or refuses.
final class ConnectProxy {
  private let process: BackgroundProcess
  private let folder: TemporaryDirectory
  /// The TCP port.
  let port: Int

  init(_ arguments: [String] = []) throws {
    folder = try TemporaryDirectory()
    process = try BackgroundProcess(
      "/usr/bin/python3",
      [Repository.path("Tests/Servers/connect-proxy"), "--log", folder.path("log")] + arguments)
    guard let port = process.firstLine().flatMap({ Int($0) }) else { throw ServerFailure() }
    self.port = port
  }

  /// One line a request: its first, and its user name.
  var log: [String] {
    let text = (try? Repository.read(folder.path("log"))).map {
      String(decoding: $0, as: UTF8.self)
    }
    return (text ?? "").split(separator: "\n").map(String.init)
  }
}
