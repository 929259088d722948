package import Glibc

/// Another program, started directly, never through a shell.
///
/// It starts with default signal handling and inherits no descriptors except those given, and the
/// standard three where they are not replaced.
package struct ChildProcess: Sendable {
  /// Source of one of its descriptors.
  package enum Stream {
    case descriptor(CInt)
    /// A file that the child opens.
    case file(String, flags: CInt)

    package static let nowhere = Stream.file("/dev/null", flags: O_WRONLY)
  }

  /// Process group of the child, which decides whether it gets the terminal's signals.
  package enum Group {
    /// The group of this process.
    case inherited
    /// A new process group, so that a key pressed at the terminal ends this process first.
    case own
    /// A new session, without a terminal.
    case session
  }

  package let id: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: a name without a slash is looked up in the absolute folders of `PATH`.
  ///   - arguments: without the program name.
  ///   - environment: `NAME=VALUE` each; that of this process if absent.
  ///   - streams: the descriptors of the child, by number.
  package init(
    _ path: String, _ arguments: [String] = [], environment: [String]? = nil,
    streams: [CInt: Stream],
    group: Group = .own
  ) throws(SystemError) {
    guard let file = path.contains("/") ? path : Self.path(of: path) else {
      throw SystemError(ENOENT)
    }
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
    // Not inherited: other open descriptors, such as one with a PIN.
    let last = max(STDERR_FILENO, streams.keys.max() ?? STDERR_FILENO)
    for number in stride(from: STDERR_FILENO + 1, to: last, by: 1) where streams[number] == nil {
      posix_spawn_file_actions_addclose(&actions, number)
    }
    addCloseFrom(last + 1, to: &actions)
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | group.flag)
    var words = ([path] + arguments).map { $0.withSystemPath { strdup($0) } } + [nil]
    var variables = (environment ?? []).map { $0.withSystemPath { strdup($0) } } + [nil]
    defer { for word in words + variables { free(word) } }
    var id: pid_t = 0
    let code =
      environment == nil
      ? posix_spawn(&id, file, &actions, &attributes, &words, environ)
      : posix_spawn(&id, file, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw SystemError(code) }
    self.id = id
  }

  /// Looks a program up in `PATH`; `nil` if not found. Folders that are not absolute are skipped,
  /// so that nothing in the working directory is ever started.
  package static func path(of name: String) -> String? {
    let folders = Environment.value(of: "PATH") ?? "/usr/bin:/bin"
    return folders.split(separator: ":").lazy.map { $0 + "/" + name }
      .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }

  /// - Returns: its status (waitpid(2)).
  @discardableResult package func wait() -> CInt {
    var status: CInt = 0
    _ = try? uninterrupted { waitpid(id, &status, 0) }
    return status
  }

  /// The status, once the process has ended.
  package func status() -> CInt? {
    var status: CInt = 0
    return waitpid(id, &status, WNOHANG) == 0 ? nil : status
  }
}

extension ChildProcess.Group {
  /// POSIX_SPAWN_SETSID of glibc's `spawn.h`, which defines it for the GNU dialects only.
  private static let newSession: Int16 = 0x80

  fileprivate var flag: Int16 {
    switch self {
    case .inherited: 0
    case .own: Int16(POSIX_SPAWN_SETPGROUP)
    case .session: Self.newSession
    }
  }
}
