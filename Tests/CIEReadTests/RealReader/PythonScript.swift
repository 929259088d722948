import Foundation
import Glibc
import TestSupport
import Testing

/// A script of unit tests in Python, in a private pcscd with the virtual reader.
enum PythonScript {
  /// Runs a script, and expects that it runs all of its tests, and that all pass.
  ///
  /// - Returns: its report, as unittest writes it.
  static func run(_ path: String, within limit: Duration) throws -> String {
    let programs = URL(fileURLWithPath: try BuiltBinary("cie-read").path)
      .deletingLastPathComponent().path
    // Its own processes alone: doctor names eight of those that may hold a card, and other tests have dozens.
    let alone =
      ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
      + (geteuid() == 0 ? [] : ["--map-root-user"])
    let result = try BuiltBinary(path: Repository.path("tools/with-pcscd")).run(
      alone + ["/usr/bin/python3", Repository.path(path)],
      environment: ["CIE_PROGRAMS": programs], timeLimit: limit)
    #expect(result.exitStatus == 0, "\(result.errors)")
    #expect(result.errors.hasSuffix("\nOK\n"), "none is left out")
    return result.errors
  }
}
