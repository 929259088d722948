import Glibc

/// A program in the background. It ends with this object, and with the tests in every case.
public final class BackgroundProcess {
  private let child: pid_t
  private let input: ProcessPipe
  private let output: ProcessOutput

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: its absolute path.
  ///   - arguments: without the program's name.
  ///   - environment: added to the tests' own, from which language settings are left out.
  public init(
    _ path: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws(ProcessFailure) {
    input = try ProcessPipe(.toChild)
    output = try ProcessOutput()
    child = try spawn(
      "/bin/bash", ["-c", Self.keeper, "bash", path] + arguments,
      environment: childEnvironment(adding: environment),
      ends: [STDIN_FILENO: input, STDOUT_FILENO: output.pipe])
    input.handOver()
    output.pipe.handOver()
  }

  /// Starts the program; ends it when standard input ends, as it does with the tests.
  private static let keeper = """
    exec 3<&0
    "$@" <&3 &
    read -r _
    kill $!
    """

  /// Waits until the program has written a whole line on standard output.
  ///
  /// - Returns: the first line; `nil` when it has not come within a minute, or the program has ended.
  public func firstLine() -> String? {
    guard wait(until: { output.contains("\n") }) else { return nil }
    return String(decoding: output.bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// Waits until a condition holds, a minute at most.
  ///
  /// - Returns: `true` if it holds.
  public func wait(until condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(120)
    while true {
      // Output before the program's end is seen as well.
      let open = output.pipe.ours >= 0
      output.pump()
      if condition() { return true }
      guard open, ContinuousClock.now < deadline else { return false }
      var waiting = pollfd(fd: output.pipe.ours, events: CShort(POLLIN), revents: 0)
      poll(&waiting, 1, 5)
    }
  }

  deinit {
    kill(-child, SIGKILL)
    waitpid(child, nil, 0)
  }
}
