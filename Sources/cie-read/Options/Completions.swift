import Arguments
import CIECard
import CardWork
import Glibc
import RedirectFlow

/// The completions of an option's values in the shell.
extension Completion {
  /// Data groups: one name; more of them behind a comma are typed.
  static var groups: Completion {
    .words(DataGroup.allCases.filter { !DataGroup.ofTheState.contains($0) }.map(\.name))
  }

  /// The environments that come with the program; the path of a file is typed.
  static var environments: Completion { .words(LoginEnvironment.builtIn.map(\.name)) }

  /// The present readers; empty if the service does not run or does not answer.
  static var readers: Completion {
    .found {
      // A service that hangs must not hang the shell.
      signal(SIGALRM) { _ in _exit(0) }
      alarm(2)
      let readers = try? PCSCContext().readers()
      return (readers ?? []).map(\.name)
    }
  }
}
