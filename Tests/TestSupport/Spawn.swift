import Foundation
import Glibc
import Synchronization
import Primitives

/// Starts a program in a new process group with exactly these descriptors open.
func spawn(
  _ path: String, _ arguments: [String], environment: [String], ends: [CInt: ProcessPipe]
) throws(ProcessFailure) -> pid_t {
  do throws(SystemError) {
    return try spawning.withLock { _ throws(SystemError) in
      try ChildProcess(
        path, arguments, environment: environment,
        streams: ends.mapValues { .descriptor($0.theirs) }
      ).id
    }
  } catch {
    throw ProcessFailure("start \(path)", error.code)
  }
}

/// The tests' environment without language settings, so that messages do not depend on the machine.
func childEnvironment(adding own: [String: String]) -> [String] {
  ProcessInfo.processInfo.environment
    .filter { !$0.key.hasPrefix("LC_") && !["LANG", "LANGUAGE"].contains($0.key) }
    .merging(own) { $1 }
    .map { "\($0.key)=\($0.value)" }
}

/// A child may stop reading before all is written; that must end the writing, not the tests.
func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
