import Foundation
import TestSupport
import Testing

/// A crash ends a program at once, and reveals nothing of its registers and its memory.
@Suite struct CrashTests {
  /// Sends a signal to a program once it is at work, and prints the limit of its core dump, its end and its message about it.
  private static let script = #"""
    "${@:2}" > /dev/null 2> "$TMPDIR/errors" &
    program=$!
    until ls "$TMPDIR"/work* > /dev/null 2>&1; do sleep 0.1; done
    sed -n 's/^Max core file size *\([^ ]*\) *\([^ ]*\).*/core \1 \2/p' /proc/$program/limits
    kill -"$1" $program
    wait $program 2> /dev/null
    echo $?
    cat "$TMPDIR/errors"
    """#

  /// Arguments that keep a program at work: a card that takes a minute; hundreds of recordings.
  private static func arguments(_ program: String, _ work: String) -> [String] {
    program == "cie-read"
      ? ["nis", "--virtual", "--fault", "delay=60000@3", "--record", work]
      : ["record-traces", work]
  }

  @Test(
    arguments: ["cie-read", "cie-lab"], [SIGSEGV, SIGILL, SIGBUS, SIGTRAP, SIGFPE, SIGABRT])
  func `only the system reports a crash`(_ program: String, _ signal: CInt) throws {
    let folder = try TemporaryDirectory()
    let shower = try folder.write(
      "backtracer", "#!/bin/sh\necho registers >&2\n".utf8, permissions: 0o755)
    let result = try BuiltBinary(path: "/bin/bash").run(
      ["-c", Self.script, "bash", "\(signal)", BuiltBinary(program).path]
        + Self.arguments(program, folder.path("work")),
      environment: [
        "SWIFT_BACKTRACE": "enable=yes,swift-backtrace=\(shower)", "TMPDIR": folder.url.path,
      ])
    #expect(result.output == "core 0 0\n\(128 + signal)\n")
  }

  @Test func `the module leaves the signals of its host alone`() throws {
    let script = """
      import ctypes, sys
      def caught(): return [line for line in open("/proc/self/status") if line.startswith("SigCgt")]
      before = caught()
      ctypes.CDLL(sys.argv[1])
      print(before == caught())
      """
    let module = try BuiltBinary("libcie-pkcs11.so").path
    let result = try BuiltBinary(path: "/usr/bin/python3").run(
      ["-c", script, module],
      environment: ["SWIFT_BACKTRACE": "enable=yes,swift-backtrace=/bin/true"])
    #expect(result.output == "True\n", "\(result.errors)")
  }
}
