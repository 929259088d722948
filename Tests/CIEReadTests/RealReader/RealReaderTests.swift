import Foundation
import Glibc
import TestSupport
import Testing
import VirtualCIE

/// The program over the real pcscd and its virtual reader, in separate namespaces, apart from other tests.
///
/// Skipped without such a service, unless CI is set: then it fails.
@Suite(
  .enabled(
    if: getenv("PRIVATE_PCSCD") != nil || getenv("CI") != nil,
    "needs pcscd and the virtual reader: tools/run-tests, or tools/with-pcscd swift test"))
struct RealReaderTests {
  @Test func `readers, cards and signals in a real pcscd`() throws {
    let directory = try TemporaryDirectory()
    let programs = URL(fileURLWithPath: try BuiltBinary("cie-read").path)
      .deletingLastPathComponent().path
    let result = try BuiltBinary(path: Repository.url("tools/with-pcscd").path).run(
      [
        "bash", Repository.url("Tests/CIEReadTests/RealReader/real-reader.sh").path, programs,
        directory.url.path,
      ], timeLimit: .seconds(300))
    #expect(result.exitStatus == 0, "\(result.errors)")
    let statuses = Dictionary(
      result.output.split(separator: "\n").map { line in
        let words = line.split(separator: " ")
        return (String(words[0]), words.count > 1 ? Int(words[1]) : nil)
      }, uniquingKeysWith: { first, _ in first })
    #expect(
      statuses == [
        "empty": 5, "absent": 4, "number": 4, "ambiguous": 4, "readers": 0, "wait-INT": 130,
        "wait-TERM": 143, "twice": 143, "once-INT": 130, "once-TERM": 143, "listed": 0, "part": 0,
        "late": 0, "pin": 0, "unknown": 13, "sign": 0, "read": 13, "exchanged": 0,
        "hidden-file=1006": 13, "hidden-file=1006-codes": 0, "hidden-file=1006:bare-6A82": 13,
        "hidden-file=1006:bare-6A82-codes": 0, "hidden-file=1006:bare-9000": 10,
        "hidden-file=1006:bare-9000-codes": 0, "hidden-file=1004": 13, "hidden-file=1004-codes": 0,
      ])
    func text(_ name: String) throws -> String {
      String(decoding: try directory.read(name), as: UTF8.self)
    }
    #expect(try text("readers.out").hasPrefix("0  Virtual PCD 00 00  (no card)\n"))
    #expect(try text("ambiguous.err").contains("Virtual PCD 00 00; Virtual PCD 00 01"))
    #expect(try text("wait-TERM.out").contains(#""name":"interrupted","exit":143"#))
    #expect(try text("once-TERM.out").contains(#""name":"interrupted","exit":143"#))
    #expect(try text("listed.out").contains("(no card)\n1  Virtual PCD 00 01  (ST"))
    #expect(try text("part.out").hasPrefix(Persona.st.nis + "\n"))
    #expect(try text("late.out").hasPrefix(Persona.nxp.nis + "\n"))
    #expect(try text("exchanged.out").hasPrefix(Persona.st.nis + "\n"))
    #expect(try text("read.out").contains(#""number":"\#(Persona.itj4.documentNumber)""#))
    #expect(try directory.read("face.png").prefix(4) == [0x89, 0x50, 0x4E, 0x47])
    #expect(try text("sign.out").contains(#""ok":true,"command":"sign""#))
  }

  /// Debian's CCID driver and its reader emulated by `cie-lab`, as `tools/lab virtual-reader --driver ccid` starts them:
  /// disturbed blocks are repaired, a lost one makes the program start over.
  @Test(arguments: ["parity@9,damaged-answer@15,damaged-command@22,wtx@4-40", "lost-answer@12"])
  func `a serial reader with its errors`(_ faults: String) throws {
    let programs = URL(fileURLWithPath: try BuiltBinary("cie-read").path)
      .deletingLastPathComponent()
    let player = [
      programs.appendingPathComponent("cie-lab").path, "virtual-reader", "--driver", "ccid",
      "--persona", "nxp", "--transmission", faults,
    ]
    let result = try BuiltBinary(path: Repository.url("tools/with-pcscd").path).run(
      ["--reader", String(player.count)] + player + [
        Repository.url("tools/lab").path, "virtual-reader", "--beside",
        programs.appendingPathComponent("cie-read").path, "nis",
      ], timeLimit: .seconds(300))
    #expect(result.exitStatus == 0, "\(result.errors)")
    #expect(result.output.hasPrefix(Persona.nxp.nis + "\n"))
  }
}
