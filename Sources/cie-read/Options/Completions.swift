import ArgumentParser
import CIECard
import Glibc
import RedirectFlow

/// What the shell offers for the values of an option while somebody types.
extension CompletionKind {
  /// Data groups: one name; more of them behind a comma are typed.
  static var groups: CompletionKind {
    .list(DataGroup.allCases.filter { !DataGroup.ofTheState.contains($0) }.map(\.name))
  }

  /// The environments that come with the program; the path of a file is typed.
  static var environments: CompletionKind { .list(LoginEnvironment.builtIn.map(\.name)) }

  /// The readers that there are now; none where the service does not run or does not answer.
  static var readers: CompletionKind {
    .custom { _, _, _ in
      // A service that hangs must not hang the shell.
      signal(SIGALRM) { _ in _exit(0) }
      alarm(2)
      let readers = try? PCSCContext().readers()
      return (readers ?? []).map(\.name)
    }
  }
}
