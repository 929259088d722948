internal import Glibc

/// Files on a disk. Anything else behind a name, such as a pipe or a device, is refused and not waited for.
package enum PlainFile {
  /// Why a file cannot be read.
  package enum Failure: Error, Equatable {
    case unreadable(SystemError)
    /// A folder, a pipe, a device.
    case notPlain(isFolder: Bool)
    /// It has more bytes than the limit.
    case tooLarge
  }

  /// The contents of a file.
  ///
  /// - Parameters:
  ///   - path: its path; a relative one starts at `folder`.
  ///   - folder: an open folder; without it, the working folder.
  ///   - limit: the most bytes it may have.
  package static func read(
    _ path: String, in folder: FileDescriptor? = nil, limit: Int
  ) throws(Failure) -> [UInt8] {
    let number = openat(
      folder?.rawValue ?? AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else { throw .unreadable(SystemError(errno)) }
    defer { close(number) }
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .unreadable(SystemError(errno)) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG else { throw .notPlain(isFolder: kind == S_IFDIR) }
    do throws(SystemError) {
      return try FileDescriptor(number).readAll(limit: limit)
    } catch {
      throw error.code == EFBIG ? .tooLarge : .unreadable(error)
    }
  }
}
