import Foundation
import Glibc
import Synchronization

/// Starts a program in a process group of its own with exactly these descriptors open.
func spawn(
  _ path: String, _ arguments: [String], environment: [String], ends: [CInt: ProcessPipe]
) throws(ProcessFailure) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  var attributes = posix_spawnattr_t()
  posix_spawn_file_actions_init(&actions)
  posix_spawnattr_init(&attributes)
  defer {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }
  for (descriptor, pipe) in ends {
    posix_spawn_file_actions_adddup2(&actions, pipe.theirs, descriptor)
  }
  var defaults = sigset_t()
  sigemptyset(&defaults)
  sigaddset(&defaults, SIGPIPE)
  posix_spawnattr_setsigdefault(&attributes, &defaults)
  // The threads of the tests block all signals, and a child would inherit that.
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setpgroup(&attributes, 0)
  posix_spawnattr_setflags(
    &attributes,
    CShort(POSIX_SPAWN_SETPGROUP) | CShort(POSIX_SPAWN_SETSIGDEF) | CShort(POSIX_SPAWN_SETSIGMASK))

  var argumentPointers = ([path] + arguments).map { strdup($0) } + [nil]
  var environmentPointers = environment.map { strdup($0) } + [nil]
  defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
  var child: pid_t = 0
  let code = spawning.withLock { _ in
    posix_spawn(&child, path, &actions, &attributes, &argumentPointers, &environmentPointers)
  }
  guard code == 0 else { throw ProcessFailure("posix_spawn \(path)", code) }
  return child
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
