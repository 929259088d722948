internal import ArgumentParser
internal import Glibc
internal import System

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
    let begin = ContinuousClock.now
    guard let program = command.first,
      let process = try? ChildProcess(
        program, Array(command.dropFirst()), streams: [STDOUT_FILENO: .nowhere], group: .inherited)
    else { throw ValidationError("cannot start \(command.first ?? "nothing")") }
    let status = process.wait()
    let time = ContinuousClock.now - begin
    guard status == 0 else { throw ValidationError("\(program) failed") }
    return time / .milliseconds(1)
  }
}
