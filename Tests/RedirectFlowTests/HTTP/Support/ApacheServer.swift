import Foundation
import Glibc
import TestSupport

/// Apache, which asks for a client certificate only in a request for `/card`: by renegotiation.
final class ApacheServer {
  private let folder: TemporaryDirectory
  private let process: BackgroundProcess
  /// The TCP port.
  let port: Int

  init(_ identity: TestAuthority.Identity, clients: String) throws {
    // Another program may take a free port before Apache does.
    for _ in 0..<5 {
      let folder = try TemporaryDirectory()
      let port = try NginxServer.freePort()
      let configuration = try folder.write(
        "apache.conf", Array(Self.configuration(port, folder.url.path, identity, clients).utf8))
      let process = try BackgroundProcess(
        "/usr/sbin/apache2", ["-X", "-d", folder.url.path, "-f", configuration])
      // The file is written when Apache listens.
      let identifier = folder.path("apache.pid")
      if process.wait(until: { access(identifier, F_OK) == 0 }) {
        self.folder = folder
        self.process = process
        self.port = port
        return
      }
    }
    throw ServerFailure()
  }

  private static func configuration(
    _ port: Int, _ folder: String, _ identity: TestAuthority.Identity, _ clients: String
  ) -> String {
    let modules = ["mpm_prefork", "authz_core", "ssl"].map {
      "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so"
    }
    return modules.joined(separator: "\n") + """

      Listen 127.0.0.1:\(port) https
      ServerName localhost
      DocumentRoot \(folder)
      PidFile \(folder)/apache.pid
      Mutex file:\(folder)
      ErrorLog \(folder)/error.log
      SSLEngine on
      SSLProtocol TLSv1.2
      SSLCertificateFile \(identity.certificate)
      SSLCertificateKeyFile \(identity.key)
      SSLCACertificateFile \(clients)
      <Location /card>
        SSLVerifyClient require
        SSLVerifyDepth 1
      </Location>

      """
  }
}
