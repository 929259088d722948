import Glibc
import TestSupport
import Testing
import VirtualCIE

/// Signals during a calculation. Its length depends on the card's keys and parameters, which are bounded, so here the
/// cryptography library is the part that hangs.
@Suite struct CalculationTests {
  /// Replaces the library's function: reports its start, and calculates for ever.
  private static let endless = """
    #include <unistd.h>
    int EVP_PKEY_verify(void) {
      volatile unsigned long x = 1;
      (void)!write(2, "calculating\\n", 12);
      for (;;) x = x * 3 + 1;
    }
    """

  /// It checks for no signal, so only the signal's own thread can end it; otherwise the time limit does.
  @Test(
    arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131)] as [(CInt, CInt)])
  func `a signal ends a calculation`(_ signal: CInt, _ status: CInt) throws {
    let directory = try TemporaryDirectory()
    let source = try directory.write("endless.c", [UInt8](Self.endless.utf8))
    let library = directory.path("endless.so")
    let compiled = try BuiltBinary(path: "/usr/bin/env").run(
      ["clang", "-shared", "-fPIC", "-o", library, source])
    #expect(compiled.exitStatus == 0, "\(compiled.errors)")
    // The signature of the card is judged with the key of its certificate.
    let result = try BuiltBinary("cie-read").run(
      ["sign", "--virtual", "--in", source, "--out", directory.path("signature"), "--json"],
      input: [UInt8](Persona.gemalto.pin.utf8), environment: ["LD_PRELOAD": library],
      interrupt: ProcessInterrupt(when: "calculating", send: signal), timeLimit: .seconds(300))
    #expect(result.exitStatus == status)
    #expect(result.errors == "calculating\n")
    #expect(result.output.contains(#""error":{"name":"interrupted","exit":\#(status)"#))
  }
}
