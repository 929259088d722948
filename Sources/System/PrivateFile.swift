internal import Glibc

/// Files with a secret: read only where nobody but their owner may.
package enum PrivateFile {
  /// Why such a file is not read.
  package enum Failure: Error, Equatable {
    case unreadable(SystemError)
    /// A folder, a pipe, a device.
    case notPlain
    /// It belongs to somebody else, or group or others have a right to it.
    case exposed
    /// It has more bytes than the limit.
    case tooLarge
  }

  /// The contents of a file that belongs to this process's user, or root, and is closed to all others.
  ///
  /// - Parameter limit: the most bytes it may have.
  package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
    let number = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else { throw .unreadable(SystemError(errno)) }
    defer { close(number) }
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .unreadable(SystemError(errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain }
    let isOurs = status.st_uid == geteuid() || status.st_uid == 0
    guard isOurs, status.st_mode & 0o077 == 0 else { throw .exposed }
    do throws(SystemError) {
      return try FileDescriptor(number).readAll(limit: limit)
    } catch {
      throw error.code == EFBIG ? .tooLarge : .unreadable(error)
    }
  }
}
