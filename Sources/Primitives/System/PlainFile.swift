internal import Glibc

/// Regular files. Anything else, such as a pipe or a device, is refused without blocking.
package enum PlainFile {
  package enum Failure: Error, Equatable {
    case unreadable(SystemError)
    /// A folder, a pipe, a device.
    case notPlain(isFolder: Bool)
    /// Users other than the owner have a right that they must not have.
    case exposed
    case tooLarge

    /// The error number of POSIX that says the same; `nil` for a file that is too large.
    package var number: Int32? {
      switch self {
      case .unreadable(let error): error.code
      case .notPlain(let isFolder): isFolder ? EISDIR : EINVAL
      case .exposed: EPERM
      case .tooLarge: nil
      }
    }
  }

  /// Rights of users other than this one.
  package enum Others {
    case any
    /// Only the owner may change the file.
    case readers
    /// The file belongs to this user or root, and is closed to all others, as one with a secret is.
    case none
  }

  /// - Parameters:
  ///   - path: relative to `folder`, unless absolute.
  ///   - folder: an open folder; by default the working directory.
  ///   - limit: the maximum size in bytes.
  ///   - others: the rights that a file may give to others.
  ///   - mayBeLink: false to refuse a symbolic link (`ELOOP`).
  package static func read(
    _ path: String, in folder: FileDescriptor? = nil, limit: Int, others: Others = .any,
    mayBeLink: Bool = true
  ) throws(Failure) -> [UInt8] {
    let number = openat(
      folder?.rawValue ?? AT_FDCWD, path,
      O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (mayBeLink ? 0 : O_NOFOLLOW))
    guard number >= 0 else { throw .unreadable(SystemError(errno)) }
    defer { close(number) }
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .unreadable(SystemError(errno)) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG else { throw .notPlain(isFolder: kind == S_IFDIR) }
    switch others {
    case .any: break
    case .readers: guard !FileRights.isWritableByOthers(status) else { throw .exposed }
    case .none: guard !FileRights.isExposed(number, status) else { throw .exposed }
    }
    return try mapError(try FileDescriptor(number).readAll(limit: limit)) { (error: SystemError) in
      error.code == EFBIG ? Failure.tooLarge : .unreadable(error)
    }
  }
}
