import Glibc

/// A file that appears whole or not at all.
///
/// It is made under another name beside its place before the card is asked, and gets its own name when all is
/// written. What was there before stays until then.
final class OutputFile {
  private let path: String
  private let temporary: String
  private var descriptor: Int32

  /// Makes sure that the file can be written.
  convenience init(_ path: String) throws(Failure) { try self.init(path, mode: 0o644) }

  /// The same, for a file that the owner alone may read, or whoever the mode says.
  init(_ path: String, mode: mode_t) throws(Failure) {
    self.path = path
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw .file(.unwritable(path: path, errno: EISDIR))
    }
    let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    temporary = isSpecial ? path : path + ".\(getpid()).tmp"
    // A device or pipe is written as it is; there is nothing in it to keep.
    descriptor = open(
      temporary, isSpecial ? O_WRONLY | O_CLOEXEC : O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .file(.unwritable(path: path, errno: errno)) }
  }

  /// Writes the contents and gives the file its name.
  func commit(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .file(.unwritable(path: path, errno: count < 0 ? errno : EIO)) }
      rest = rest.dropFirst(count)
    }
    guard temporary != path else { return }
    guard fsync(descriptor) == 0, rename(temporary, path) == 0 else {
      throw .file(.unwritable(path: path, errno: errno))
    }
    close(descriptor)
    descriptor = -1
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    if temporary != path { unlink(temporary) }
  }
}
