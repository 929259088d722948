import CProcessControl
import CardWork
import Glibc
import Messages
import Primitives

/// The program of `--exec`: started for each result, which it gets on standard input; never through a shell.
struct ResultProgram: Sendable {
  let path: String
  let arguments: [String]

  /// Runs it to its end; its output goes to standard error, because standard output has the events.
  ///
  /// - Parameters:
  ///   - line: the result, as written.
  ///   - variables: the additions to the environment.
  /// - Throws: that it was not started, or ended badly; after a signal to us it gets that signal, too, and is not waited for.
  func run(
    _ line: String, _ variables: [(name: String, value: String)], _ interruption: Interruption
  ) throws(Failure) {
    // A file without a name: a program that does not read a pipe would block itself, and us.
    let input = cie_memory_file()
    guard input >= 0 else { throw Self.notStarted(SystemError(errno)) }
    defer { close(input) }
    try? FileDescriptor(input).writeAll([UInt8](line.utf8))
    lseek(input, 0, SEEK_SET)
    let streams: [CInt: ChildProcess.Stream] = [
      STDIN_FILENO: .descriptor(input), STDOUT_FILENO: .descriptor(STDERR_FILENO),
    ]
    let process = try mapError(
      try ChildProcess(
        path, arguments, environment: Self.environment(adding: variables), streams: streams)
    ) { Self.notStarted($0) }
    let status = Self.wait(for: process, interruption)
    // wait(2): the signal in the lower seven bits, else the status in the second byte.
    if status & 0x7F != 0 {
      throw .found(Diagnosis(.internalFailure, "exec-killed", ["signal": Int(status & 0x7F)]))
    }
    if status != 0 {
      throw .found(Diagnosis(.internalFailure, "exec-failed", ["status": Int(status >> 8) & 0xFF]))
    }
  }

  private static func wait(for process: ChildProcess, _ interruption: Interruption) -> CInt {
    let end = cie_process_descriptor(process.id)
    guard end >= 0 else { return process.wait() }
    defer { close(end) }
    do { try interruption.wait(until: end, .readable) } catch { kill(-process.id, SIGTERM) }
    return process.wait()
  }

  private static func environment(adding variables: [(name: String, value: String)]) -> [String] {
    var list: [String] = []
    var next = environ
    while let entry = String(system: next.pointee) {
      list.append(entry)
      next += 1
    }
    let own = list.filter { entry in !variables.contains { entry.hasPrefix($0.name + "=") } }
    return own + variables.map { "\($0.name)=\($0.value)" }
  }

  private static func notStarted(_ error: SystemError) -> Failure {
    .found(Diagnosis(.internalFailure, "exec-not-started", ["reason": error.reason]))
  }
}
