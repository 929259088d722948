internal import Glibc

/// Regular files. Anything else, such as a pipe or a device, is refused without blocking.
package enum PlainFile {
  package enum Failure: Error, Equatable {
    case unreadable(SystemError)
    /// A folder, a pipe, a device.
    case notPlain(isFolder: Bool)
    /// Users other than the owner may change it.
    case writableByOthers
    case tooLarge

    /// The error number of POSIX that says the same; `nil` for a file that is too large.
    package var number: Int32? {
      switch self {
      case .unreadable(let error): error.code
      case .notPlain(let isFolder): isFolder ? EISDIR : EINVAL
      case .writableByOthers: EPERM
      case .tooLarge: nil
      }
    }
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: relative to `folder`, unless absolute.
  ///   - folder: an open folder; by default the working directory.
  ///   - limit: the maximum size in bytes.
  ///   - isTrusted: true to refuse a file that users other than its owner may change.
  package static func read(
    _ path: String, in folder: FileDescriptor? = nil, limit: Int, isTrusted: Bool = false
  ) throws(Failure) -> [UInt8] {
    let number = openat(
      folder?.rawValue ?? AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else { throw .unreadable(SystemError(errno)) }
    defer { close(number) }
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .unreadable(SystemError(errno)) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG else { throw .notPlain(isFolder: kind == S_IFDIR) }
    guard !isTrusted || !FileRights.isWritableByOthers(status) else { throw .writableByOthers }
    do throws(SystemError) {
      return try FileDescriptor(number).readAll(limit: limit)
    } catch {
      throw error.code == EFBIG ? .tooLarge : .unreadable(error)
    }
  }
}
