internal import Glibc
internal import Primitives

/// A child program with one socket as its standard input and output; it is ended when the value is
/// destroyed.
struct PictureDecoder: ~Copyable {
  private let process: ChildProcess
  private let socket: CInt

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - program: the path.
  ///   - arguments: without its name; the environment is empty.
  /// - Returns: `nil` if it cannot be started.
  init?(_ program: String, _ arguments: [String]) {
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    defer { close(ends[1]) }
    let streams: [CInt: ChildProcess.Stream] = [
      0: .descriptor(ends[1]), 1: .descriptor(ends[1]), 2: .nowhere,
    ]
    do throws(SystemError) {
      process = try ChildProcess(program, arguments, environment: [], streams: streams)
    } catch {
      close(ends[0])
      return nil
    }
    socket = ends[0]
  }

  /// The path of this program; not /proc/self/exe itself, which under a debugger such as valgrind
  /// is the debugger.
  static var ownProgram: String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    guard count > 0 else { return nil }
    return String(system: path.prefix(count).map(UInt8.init(bitPattern:)))
  }

  /// Sends all bytes and closes the sending side.
  func send(_ bytes: [UInt8]) -> Bool {
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    do throws(SystemError) {
      try FileDescriptor(socket).writeAll(bytes) { Glibc.send($0, $1, $2, CInt(MSG_NOSIGNAL)) }
    } catch {
      return false
    }
    return shutdown(socket, CInt(SHUT_WR)) == 0
  }

  /// Reads until the other end closes.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes.
  ///   - milliseconds: the time limit for the whole answer.
  ///   - isCancelled: called ten times a second; returns true to give up.
  /// - Returns: `nil` if a limit is exceeded.
  func answer(
    atMost limit: Int, within milliseconds: CInt, isCancelled: () -> Bool
  ) -> [UInt8]? {
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(Int(milliseconds))
    var result: [UInt8] = []
    while true {
      let left = (end - clock.now) / .milliseconds(1)
      guard left > 0, !isCancelled() else { return nil }
      var ready = pollfd(fd: socket, events: CShort(POLLIN), revents: 0)
      let found = poll(&ready, 1, min(CInt(left) + 1, 100))
      if found == 0 || found < 0 && errno == EINTR { continue }
      guard found > 0, let block = try? FileDescriptor(socket).read(atMost: 64 << 10),
        result.count + block.count <= limit
      else { return nil }
      if block.isEmpty { return result }
      result += block
    }
  }

  deinit {
    close(socket)
    kill(process.id, SIGKILL)
    process.wait()
  }
}
