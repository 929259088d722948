package import Glibc

/// Another program that this one starts, directly and never through a shell.
///
/// It starts with signals as a new program finds them, and with no descriptor but those that it is given and, of the
/// first three, those that this program has.
package struct ChildProcess: Sendable {
  /// What one of its descriptors is.
  package enum Stream {
    /// An open one of this process.
    case descriptor(CInt)
    /// A file that it opens itself.
    case file(String, flags: CInt)

    /// What is written is thrown away.
    package static let nowhere = Stream.file("/dev/null", flags: O_WRONLY)
  }

  /// Whose signals of the terminal it gets.
  package enum Group {
    /// The same as this process.
    case inherited
    /// A process group of its own, so that a key pressed ends this process first.
    case own
    /// A session of its own, without a terminal.
    case session
  }

  /// Its number.
  package let id: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: where it is; a name without a slash is looked up in `PATH`.
  ///   - arguments: without its own name.
  ///   - environment: `NAME=VALUE` each; that of this process when absent.
  ///   - streams: what its descriptors are.
  package init(
    _ path: String, _ arguments: [String] = [], environment: [String]? = nil,
    streams: [CInt: Stream],
    group: Group = .own
  ) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, stream) in streams.sorted(by: { $0.key < $1.key }) {
      switch stream {
      case .descriptor(let own): posix_spawn_file_actions_adddup2(&actions, own, number)
      case .file(let path, let flags):
        posix_spawn_file_actions_addopen(&actions, number, path, flags, 0)
      }
    }
    // What others left open, such as the descriptor of a PIN, is not for it.
    for number in STDERR_FILENO + 1..<1024
    where streams[number] == nil && fcntl(number, F_GETFD) >= 0 {
      posix_spawn_file_actions_addclose(&actions, number)
    }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | group.flag)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var variables = (environment ?? []).map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    var id: pid_t = 0
    let code =
      environment == nil
      ? posix_spawnp(&id, path, &actions, &attributes, &words, environ)
      : posix_spawnp(&id, path, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw SystemError(code) }
    self.id = id
  }

  /// Waits for its end.
  ///
  /// - Returns: its status (waitpid(2)).
  @discardableResult package func wait() -> CInt {
    var status: CInt = 0
    _ = try? uninterrupted { waitpid(id, &status, 0) }
    return status
  }

  /// Its status, when it has ended.
  package func status() -> CInt? {
    var status: CInt = 0
    return waitpid(id, &status, WNOHANG) == 0 ? nil : status
  }
}

extension ChildProcess.Group {
  /// POSIX_SPAWN_SETSID of glibc's `spawn.h`, which shows it to programs of the GNU dialect alone.
  private static let newSession: Int16 = 0x80

  fileprivate var flag: Int16 {
    switch self {
    case .inherited: 0
    case .own: Int16(POSIX_SPAWN_SETPGROUP)
    case .session: Self.newSession
    }
  }
}
