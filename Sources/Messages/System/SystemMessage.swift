import Glibc

/// What the system says of an error number.
package func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }

/// Whether there is a smart card service that could be started.
enum ServiceInstallation {
  /// Where distributions put pcscd.
  private static let programs = ["/usr/sbin/pcscd", "/usr/bin/pcscd", "/usr/local/sbin/pcscd"]

  static var isThere: Bool { programs.contains { access($0, X_OK) == 0 } }
}
