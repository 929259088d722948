import Glibc

/// A program of the desktop that takes an address over. It is started directly, never through a shell.
struct DesktopProgram {
  private let path: String
  private let arguments: [String]

  /// Finds a program in `PATH`; `nil` where there is none.
  init?(_ name: String, _ arguments: [String] = []) {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let path = folders.split(separator: ":").lazy.map { $0 + "/" + name }
      .first { $0.hasPrefix("/") && access(String($0), X_OK) == 0 }
    guard let path else { return nil }
    self.path = String(path)
    self.arguments = arguments
  }

  /// What puts its standard input on the clipboard of this desktop.
  static var clipboard: DesktopProgram? {
    if getenv("WAYLAND_DISPLAY") != nil, let program = DesktopProgram("wl-copy") { return program }
    guard getenv("DISPLAY") != nil else { return nil }
    return DesktopProgram("xclip", ["-selection", "clipboard"])
      ?? DesktopProgram("xsel", ["--clipboard", "--input"])
  }

  /// What opens an address in the browser.
  static var opener: DesktopProgram? { DesktopProgram("xdg-open") }

  /// How long it may take before it is left to itself: some keep the clipboard, some are the browser.
  private static let patience = 3_000_000

  /// Runs it.
  ///
  /// - Parameters:
  ///   - input: its standard input, less than a pipe holds.
  ///   - word: a last argument; whoever looks at the processes of this machine sees it.
  /// - Returns: whether it did not say no within three seconds.
  func run(input: String = "", word: String? = nil) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let bytes = [UInt8](input.utf8)
    _ = write(ends[1], bytes, bytes.count)
    close(ends[1])
    defer { close(ends[0]) }
    guard let process = start(standardInput: ends[0], word) else { return false }
    var waited: useconds_t = 0
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      guard waited < Self.patience else { return true }
      usleep(20000)
      waited += 20000
    }
    return status == 0
  }

  /// POSIX_SPAWN_SETSID of glibc's `spawn.h`, which shows it to programs of the GNU dialect alone.
  private static let setsid: Int32 = 0x80

  /// With nothing of ours but the environment: no descriptor, no signal mask, no terminal.
  private func start(standardInput: Int32, _ word: String?) -> pid_t? {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_adddup2(&files, standardInput, STDIN_FILENO)
    for stream in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_WRONLY, 0)
    }
    // What others left to us, such as the descriptor of a PIN, is not for it.
    for descriptor in STDERR_FILENO + 1..<1024 {
      let flags = fcntl(descriptor, F_GETFD)
      if flags >= 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | Self.setsid))
    var words = ([path] + arguments + [word].compactMap { $0 }).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    return posix_spawn(&process, path, &files, &attributes, &words, environ) == 0 ? process : nil
  }
}
