import CIECard
import Glibc
import System

/// One line with a code, read into memory that is wiped.
enum CodeLine {
  /// More than any code has: what is longer is refused whatever it holds.
  private static let capacity = 64

  /// Reads up to a line end or the end of the input; LF or CR LF is dropped.
  ///
  /// It reads byte by byte, so that a second code may follow on the next line.
  static func read(
    _ descriptor: Int32, as role: CodeRole, _ interruption: Interruption
  ) throws(Failure) -> Secret {
    var count = 0
    var failure: Failure?
    let buffer = Secret(count: capacity) { buffer in
      do throws(Failure) {
        while count < buffer.count {
          let target = UnsafeMutableRawBufferPointer(rebasing: buffer[count...count])
          let got = try interruption.once(
            descriptor, .readable, { .code(.unreadable(role, errno: $0)) }
          ) { (file) throws(SystemError) in try file.read(into: target) }
          guard got == 1, buffer[count] != UInt8(ascii: "\n") else { return }
          count += 1
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    let length = buffer.withBytes { bytes in
      bytes.prefix(count).last == UInt8(ascii: "\r") ? count - 1 : count
    }
    return Secret(count: length) { line in
      buffer.withBytes { line.copyBytes(from: $0.prefix(length)) }
    }
  }
}

/// A file with a code, which only its owner may be able to read.
enum CodeFile {
  /// Reads it. Kind, owner and mode are those of what was opened, so nobody can exchange it in between.
  ///
  /// - Throws: `exposedFile` unless it is ours (or root's) and group and others have no right to it.
  static func read(
    _ path: String, as role: CodeRole, _ interruption: Interruption
  ) throws(Failure) -> Secret {
    // Without waiting here: for the writer of a named pipe `CodeLine` waits, until a signal comes.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard file >= 0 else { throw .code(.unreadable(role, errno: errno)) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .code(.unreadable(role, errno: errno)) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFIFO else {
      throw .code(.unreadable(role, errno: EINVAL))
    }
    let isOurs = status.st_uid == geteuid() || status.st_uid == 0
    guard isOurs, status.st_mode & 0o077 == 0 else { throw .code(.exposedFile(role)) }
    return try CodeLine.read(file, as: role, interruption)
  }
}
