internal import Glibc

/// Another program, with one socket for its standard input and output; it ends when the
/// value goes.
struct ChildProcess: ~Copyable {
  private let process: pid_t
  private let socket: CInt

  /// Starts it.
  ///
  /// - Parameters:
  ///   - program: the path.
  ///   - argument: its only one; it gets no environment either.
  /// - Returns: `nil` when it cannot be started.
  init?(_ program: String, argument: String) {
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    defer { close(ends[1]) }
    guard let process = Self.spawn(program, argument, socket: ends[1]) else {
      close(ends[0])
      return nil
    }
    self.process = process
    socket = ends[0]
  }

  /// The path of this program; not /proc/self/exe itself, which a debugger stands behind.
  static var ownProgram: String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    guard count > 0 else { return nil }
    return String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func spawn(_ program: String, _ argument: String, socket: CInt) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, socket, 0)
    posix_spawn_file_actions_adddup2(&actions, socket, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    // Signals as a new program finds them; a group of its own, so that a key pressed ends this process first.
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      CShort(POSIX_SPAWN_SETPGROUP) | CShort(POSIX_SPAWN_SETSIGDEF)
        | CShort(POSIX_SPAWN_SETSIGMASK))
    var arguments = [strdup(program), strdup(argument), nil]
    defer { for pointer in arguments { free(pointer) } }
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, &attributes, &arguments, &environment)
    return code == 0 ? process : nil
  }

  /// Sends all bytes and says that there are no more.
  func send(_ bytes: [UInt8]) -> Bool {
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let isSent = bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.send(
          socket, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count,
          CInt(MSG_NOSIGNAL))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
    return shutdown(socket, CInt(SHUT_WR)) == 0 && isSent
  }

  /// All that comes until the other end is closed.
  ///
  /// - Parameters:
  ///   - limit: how many bytes that may be.
  ///   - milliseconds: how long that may take as a whole.
  ///   - isCancelled: asked ten times a second whether to give up.
  /// - Returns: `nil` when it is more, or takes longer.
  func answer(
    atMost limit: Int, within milliseconds: CInt, isCancelled: () -> Bool
  ) -> [UInt8]? {
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(Int(milliseconds))
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let left = (end - clock.now) / .milliseconds(1)
      guard left > 0, !isCancelled() else { return nil }
      var ready = pollfd(fd: socket, events: CShort(POLLIN), revents: 0)
      let found = poll(&ready, 1, min(CInt(left) + 1, 100))
      if found == 0 || found < 0 && errno == EINTR { continue }
      guard found > 0 else { return nil }
      let count = recv(socket, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count >= 0, result.count + count <= limit else { return nil }
      if count == 0 { return result }
      result += buffer[..<count]
    }
  }

  deinit {
    close(socket)
    kill(process, SIGKILL)
    while waitpid(process, nil, 0) < 0, errno == EINTR {}
  }
}
