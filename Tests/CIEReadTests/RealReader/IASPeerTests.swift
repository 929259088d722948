import Foundation
import TestSupport
import Testing

extension RealReaderTests {
  /// The program against the IAS card of `Tests/Peers`, which shares no code with `VirtualCIE`: `ias_journeys.py`.
  @Test func `every journey with an independent IAS card`() throws {
    let programs = URL(fileURLWithPath: try BuiltBinary("cie-read").path)
      .deletingLastPathComponent().path
    let result = try BuiltBinary(path: Repository.path("tools/with-pcscd")).run(
      ["/usr/bin/python3", Repository.path("Tests/Peers/ias_journeys.py")],
      environment: ["CIE_PROGRAMS": programs], timeLimit: .seconds(300))
    #expect(result.exitStatus == 0, "\(result.errors)")
    #expect(result.errors.contains("\nRan 21 tests"))
    #expect(result.errors.hasSuffix("\nOK\n"), "none is left out")
  }
}
