import Foundation
import TestSupport
import Testing

extension RealReaderTests {
  /// A service of another protocol version, one that hangs, half answers: `proxied.py` with `proxy.py`.
  @Test func `a service behind a proxy`() throws {
    let programs = URL(fileURLWithPath: try BuiltBinary("cie-read").path)
      .deletingLastPathComponent().path
    let result = try BuiltBinary(path: Repository.path("tools/with-pcscd")).run(
      ["/usr/bin/python3", Repository.path("Tests/CIEReadTests/RealReader/proxied.py")],
      environment: ["CIE_PROGRAMS": programs], timeLimit: .seconds(1200))
    #expect(result.exitStatus == 0, "\(result.errors)")
    #expect(result.errors.hasSuffix("\nOK\n"), "none is left out")
  }
}
