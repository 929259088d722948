internal import Glibc

/// Files with a secret, which are read only if no other user can read them.
package enum PrivateFile {
  /// The reason why such a file is not read.
  package enum Failure: Error, Equatable {
    case unreadable(SystemError)
    /// A folder, a pipe, a device.
    case notPlain
    /// It belongs to another user, or group or others have access to it.
    case exposed
    case tooLarge
  }

  /// Reads a file that belongs to this user or root and is closed to all others.
  ///
  /// - Parameter limit: the maximum size in bytes.
  package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
    let number = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else { throw .unreadable(SystemError(errno)) }
    defer { close(number) }
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .unreadable(SystemError(errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain }
    guard !FileRights.isExposed(number, status) else { throw .exposed }
    do throws(SystemError) {
      return try FileDescriptor(number).readAll(limit: limit)
    } catch {
      throw error.code == EFBIG ? .tooLarge : .unreadable(error)
    }
  }
}
