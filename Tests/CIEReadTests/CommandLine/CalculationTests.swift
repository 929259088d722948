import Glibc
import TestSupport
import Testing
import VirtualCIE

/// Signals while the program calculates. How long that takes is up to the card that brings keys and parameters; theirs
/// are bounded, so here the cryptography library is what does not come to an end.
@Suite struct CalculationTests {
  /// In place of the library's: says that it has begun, and calculates for ever.
  private static let endless = """
    #include <unistd.h>
    int EVP_PKEY_verify(void) {
      volatile unsigned long x = 1;
      (void)!write(2, "calculating\\n", 12);
      for (;;) x = x * 3 + 1;
    }
    """

  /// It asks for no signal, so nothing but the signal's own thread can end it. Without that the time limit does.
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
      interrupt: ProcessInterrupt(when: "calculating", send: signal), timeLimit: .seconds(30))
    #expect(result.exitStatus == status)
    #expect(result.errors == "calculating\n")
    #expect(result.output.contains(#""error":{"name":"interrupted","exit":\#(status)"#))
  }
}
