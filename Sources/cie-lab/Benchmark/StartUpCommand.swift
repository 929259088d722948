internal import ArgumentParser
internal import Glibc

/// Measures how long a program takes from its start to its end.
struct StartUpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start-up", abstract: "Print how long a program runs: least, median and most.")

  @Option(help: "Runs that count, after one that does not.") var runs = 21
  @Argument(parsing: .captureForPassthrough, help: "The program and its arguments.")
  var command: [String]

  func validate() throws {
    guard (1...1000).contains(runs) else { throw ValidationError("--runs takes 1 to 1000") }
  }

  func run() throws {
    _ = try Self.milliseconds(of: command)
    let times = try (0..<runs).map { _ in try Self.milliseconds(of: command) }.sorted()
    let figures = [times.first, times[times.count / 2], times.last].compactMap { $0 }
      .map(BenchmarkTable.number)
    print("\(command.joined(separator: " ")): \(figures.joined(separator: " / ")) ms")
  }

  /// Wall-clock time of one run, its output thrown away.
  private static func milliseconds(of command: [String]) throws -> Double {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var arguments = command.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    let begin = ContinuousClock.now
    guard let program = command.first,
      posix_spawnp(&process, program, &files, nil, &arguments, environ) == 0
    else { throw ValidationError("cannot start \(command.first ?? "nothing")") }
    var status: CInt = 0
    waitpid(process, &status, 0)
    let time = ContinuousClock.now - begin
    guard status == 0 else { throw ValidationError("\(program) failed") }
    return time / .milliseconds(1)
  }
}
