import Glibc

/// A program of this package as built beside the tests.
public struct BuiltBinary: Sendable {
  /// Its path.
  public let path: String

  /// The environment variable with the folder of the programs to be tested: releases are release builds.
  public static let folderVariable = "CIE_PROGRAMS"

  /// Finds the product of this name in the folder that the environment names, else in the build folder of the running
  /// test bundle.
  ///
  /// - Throws: `ProcessFailure` when it is not there.
  public init(_ name: String) throws(ProcessFailure) {
    if let folder = getenv(Self.folderVariable) {
      path = String(cString: folder) + "/" + name
      guard access(path, X_OK) == 0 else { throw ProcessFailure(path, errno) }
      return
    }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0 else { throw ProcessFailure("readlink", errno) }
    let runner = String(
      decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    path = runner.prefix(through: runner.lastIndex(of: "/") ?? runner.startIndex) + name
    guard access(path, X_OK) == 0 else { throw ProcessFailure(path, errno) }
  }

  /// Any other program by its absolute path, e.g. a script of `tools/`.
  public init(path: String) { self.path = path }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - input: all of standard input.
  ///   - environment: added to the tests' own, from which language settings are left out.
  ///   - descriptors: further file descriptors that the program can read, each a pipe with these bytes.
  ///   - interrupt: a signal to send while it runs.
  ///   - timeLimit: after it the whole process group is killed and the end is `.timedOut`.
  public func run(
    _ arguments: [String] = [], input: [UInt8] = [], environment: [String: String] = [:],
    descriptors: [CInt: [UInt8]] = [:], interrupt: ProcessInterrupt? = nil,
    timeLimit: Duration = .seconds(300)
  ) throws(ProcessFailure) -> ProcessResult {
    ignoreBrokenPipes()
    var inputs: [CInt: ProcessInput] = [STDIN_FILENO: try ProcessInput(input)]
    for (descriptor, bytes) in descriptors { inputs[descriptor] = try ProcessInput(bytes) }
    let output = try ProcessOutput()
    let errors = try ProcessOutput()
    var ends = inputs.mapValues { $0.pipe }
    ends[STDOUT_FILENO] = output.pipe
    ends[STDERR_FILENO] = errors.pipe
    let child = try spawn(
      path, arguments, environment: childEnvironment(adding: environment), ends: ends)
    for pipe in ends.values { pipe.handOver() }
    let end = converse(
      with: child, Array(inputs.values), output, errors, interrupt, until: .now + timeLimit)
    collect(output.bytes)
    return ProcessResult(
      standardOutput: output.bytes, standardError: errors.bytes, end: end)
  }
}

/// Feeds and drains a child in one thread until it has ended; kills its group when the time is over.
private func converse(
  with child: pid_t, _ inputs: [ProcessInput], _ output: ProcessOutput, _ errors: ProcessOutput,
  _ interrupt: ProcessInterrupt?, until deadline: ContinuousClock.Instant
) -> ProcessResult.End {
  var interrupt = interrupt
  var timedOut = false
  while true {
    // The status is asked for before the last draining, so nothing written before the end is missed.
    var status: CInt = 0
    let ended = waitpid(child, &status, WNOHANG) != 0
    for input in inputs where input.pipe.ours >= 0 { input.pump() }
    output.pump()
    errors.pump()
    if ended { return timedOut ? .timedOut : end(status) }
    if let wanted = interrupt, errors.contains(wanted.text) {
      kill(child, wanted.signal)
      interrupt = nil
    }
    if !timedOut, ContinuousClock.now > deadline {
      timedOut = true
      kill(-child, SIGKILL)
    }
    var waiting = [output.pipe, errors.pipe].map {
      pollfd(fd: $0.ours, events: .pollIn, revents: 0)
    }
    waiting += inputs.map { pollfd(fd: $0.pipe.ours, events: .pollOut, revents: 0) }
    poll(&waiting, nfds_t(waiting.count), 10)
  }
}

private func end(_ status: CInt) -> ProcessResult.End {
  let signal = status & 0x7F
  return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
}

extension CShort {
  fileprivate static let pollIn = CShort(POLLIN)
  fileprivate static let pollOut = CShort(POLLOUT)
}
