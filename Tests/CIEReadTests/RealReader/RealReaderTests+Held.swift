import Foundation
import TestSupport
import Testing

extension RealReaderTests {
  /// Other programs at the reader, which hold the card: `held.py`.
  @Test func `a card that another program holds`() throws {
    let programs = URL(fileURLWithPath: try BuiltBinary("cie-read").path)
      .deletingLastPathComponent().path
    let result = try BuiltBinary(path: Repository.path("tools/with-pcscd")).run(
      ["/usr/bin/python3", Repository.path("Tests/CIEReadTests/RealReader/held.py")],
      environment: ["CIE_PROGRAMS": programs], timeLimit: .seconds(600))
    #expect(result.exitStatus == 0, "\(result.errors)")
    #expect(result.errors.hasSuffix("\nOK\n"), "none is left out")
  }
}
