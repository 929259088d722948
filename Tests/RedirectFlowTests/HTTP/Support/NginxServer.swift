import Foundation
import Glibc
import TestSupport

/// nginx with a required client certificate, as Debian packages it.
final class NginxServer {
  private let folder: TemporaryDirectory
  private let process: BackgroundProcess
  /// The TCP port.
  let port: Int

  /// - Parameters:
  ///   - tls: further directives of the server, such as `ssl_protocols TLSv1.3;`.
  ///   - verify: the value of `ssl_verify_client`.
  init(
    _ identity: TestAuthority.Identity, clients: String, tls: String, verify: String = "on"
  ) throws {
    // Another program may take a free port before nginx does.
    for _ in 0..<5 {
      let folder = try TemporaryDirectory()
      let port = try Self.freePort()
      let configuration = try folder.write(
        "nginx.conf",
        Array(Self.configuration(port, identity, clients, tls, verify).utf8))
      let process = try BackgroundProcess(
        "/usr/sbin/nginx",
        ["-p", folder.url.path, "-e", folder.path("error.log"), "-c", configuration])
      // The file is written when nginx listens.
      let identifier = folder.path("nginx.pid")
      if process.wait(until: { access(identifier, F_OK) == 0 }) {
        self.folder = folder
        self.process = process
        self.port = port
        return
      }
    }
    throw ServerFailure()
  }

  /// One line a request: status, the result of verifying the client's certificate, its subject, TLS version.
  func log() -> [String] {
    let path = folder.path("access.log")
    _ = process.wait {
      (try? Repository.read(path))?.last == UInt8(ascii: "\n")
    }
    let text = (try? Repository.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  private static func configuration(
    _ port: Int, _ identity: TestAuthority.Identity, _ clients: String, _ tls: String,
    _ verify: String
  ) -> String {
    """
    daemon off;
    master_process off;
    pid nginx.pid;
    events {}
    http {
      log_format short '$status $ssl_client_verify $ssl_protocol $ssl_client_s_dn';
      access_log access.log short;
      client_body_temp_path body;
      proxy_temp_path proxy;
      fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi;
      scgi_temp_path scgi;
      server {
        listen 127.0.0.1:\(port) ssl;
        ssl_certificate \(identity.certificate);
        ssl_certificate_key \(identity.key);
        ssl_client_certificate \(clients);
        ssl_verify_client \(verify);
        \(tls)
        location / { return 200 'codice:0123456789012345'; }
        location /elsewhere { return 302 https://127.0.0.1:\(port)/; }
      }
    }

    """
  }

  static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw ServerFailure() }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0
          && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard code else { throw ServerFailure() }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
