import Foundation
import TestSupport
import Testing

extension RealReaderTests {
  /// The promises of `watch` to a service manager, to its program and to readers of its events: `watch.py`.
  @Test func `watch as a service`() throws {
    let programs = URL(fileURLWithPath: try BuiltBinary("cie-read").path)
      .deletingLastPathComponent().path
    let result = try BuiltBinary(path: Repository.path("tools/with-pcscd")).run(
      ["/usr/bin/python3", Repository.path("Tests/CIEReadTests/RealReader/watch.py")],
      environment: ["CIE_PROGRAMS": programs], timeLimit: .seconds(300))
    #expect(result.exitStatus == 0, "\(result.errors)")
    #expect(result.errors.contains("\nRan 10 tests"))
    #expect(result.errors.hasSuffix("\nOK\n"), "none is left out")
  }
}
