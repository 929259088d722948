internal import Glibc
internal import Primitives

/// A log of all calls: names, numbers, sizes, results, never a value. It shows errors that hosts
/// conceal.
struct CallLog: Sendable {
  /// The file; `-` is standard error.
  private let path: String

  init?(path: String?) {
    guard let path, !path.isEmpty else { return nil }
    self.path = path
  }

  /// Adds a line. Write errors are ignored.
  func write(_ line: @autoclosure () -> String) {
    let text = "\(UTCCalendar.millisecondsNow) \(getpid()) \(Self.thread) \(line())\n"
    let descriptor =
      path == "-" ? STDERR_FILENO : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    // One write call, so that lines of several processes do not mix.
    var bytes = Array(text.utf8)
    _ = Glibc.write(descriptor, &bytes, bytes.count)
    if path != "-" { close(descriptor) }
  }

  /// Only distinguishes threads.
  private static var thread: String { String(UInt(pthread_self()) >> 8 & 0xFFFFFF, radix: 16) }
}
