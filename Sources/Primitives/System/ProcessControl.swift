internal import CProcessControl
internal import Glibc

/// Restores the default actions for the signals of a crash (signal(7)), because the Swift runtime's
/// backtracer prints registers and memory, which may hold a PIN, and waits for input. An ignored
/// signal stays ignored.
package func endAtCrash() {
  for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
    let previous = unsafeBitCast(signal(number, SIG_DFL), to: Int.self)
    if previous == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
  }
}

/// Closes all descriptors from a number on in the child process (closefrom(3)).
func addCloseFrom(_ first: CInt, to actions: inout posix_spawn_file_actions_t) {
  _ = cie_close_from(&actions, first)
}

/// The access control list of an open file, as the kernel stores it; `nil` if there is none or it
/// exceeds the limit.
func accessList(of descriptor: CInt, limit: Int) -> [UInt8]? {
  var list = [UInt8](repeating: 0, count: limit)
  let length = cie_access_list(descriptor, &list, limit)
  return length >= 0 ? Array(list.prefix(length)) : nil
}

package enum Environment {
  /// The value of a variable; `nil` if it is not set, and in a program with more privileges than
  /// its user: set-user-ID, file capabilities (secure_getenv(3)).
  package static func value(of name: String) -> String? {
    String(system: cie_environment(name))
  }
}
