package import Glibc

/// A file that other programs also read and write, such as a browser's list of modules: only its
/// contents change.
package struct SharedFile: Sendable {
  let path: String
  let mayBeLink: Bool

  /// - Parameter mayBeLink: false to read and replace no file to which a symbolic link leads.
  package init(_ path: String, mayBeLink: Bool = true) {
    self.path = path
    self.mayBeLink = mayBeLink
  }

  /// Reads it; `nil` if it does not exist.
  package func read(limit: Int) throws(PlainFile.Failure) -> [UInt8]? {
    do throws(PlainFile.Failure) {
      return try PlainFile.read(path, limit: limit, mayBeLink: mayBeLink)
    } catch {
      if error == .unreadable(SystemError(ENOENT)) { return nil }
      throw error
    }
  }

  /// Replaces the contents atomically. A symbolic link remains one; owner and mode are kept.
  ///
  /// - Parameter mode: for a new file, whatever the umask; if root creates it, it gets the owner of
  ///   the folder.
  package func replace(with bytes: [UInt8], mode: mode_t) throws(SystemError) {
    let target = try target()
    var old = stat()
    let isOld = stat(target, &old) == 0
    var owner = isOld ? old : stat()
    if !isOld {
      let end = target.utf8.lastIndex(of: UInt8(ascii: "/"))
      let folder = end.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
      guard stat(folder, &owner) == 0 else { throw SystemError(errno) }
    }
    let temporary = target + ".\(getpid()).tmp"
    let number = open(
      temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw SystemError(errno) }
    defer { close(number) }
    do throws(SystemError) {
      try FileDescriptor(number).writeAll(bytes)
      var new = stat()
      _ = try uninterrupted { fstat(number, &new) }
      let isOthers = (new.st_uid, new.st_gid) != (owner.st_uid, owner.st_gid)
      if isOthers, isOld || geteuid() == 0 {
        _ = try uninterrupted { fchown(number, owner.st_uid, owner.st_gid) }
      }
      _ = try uninterrupted { fchmod(number, isOld ? old.st_mode & 0o7777 : mode) }
      _ = try uninterrupted { fsync(number) }
      _ = try uninterrupted { rename(temporary, target) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Resolves symbolic links. A link of another user may lead only to that user's own files,
  /// because root could otherwise be made to write anywhere.
  private func target() throws(SystemError) -> String {
    var (link, file) = (stat(), stat())
    guard lstat(path, &link) == 0 else {
      guard errno == ENOENT else { throw SystemError(errno) }
      return path
    }
    guard link.st_mode & S_IFMT == S_IFLNK else { return path }
    guard mayBeLink else { throw SystemError(ELOOP) }
    guard let end = realPath(path) else { throw SystemError(errno) }
    let isOurs = link.st_uid == geteuid() || link.st_uid == 0
    guard stat(end, &file) == 0 else { throw SystemError(errno) }
    guard isOurs || link.st_uid == file.st_uid else { throw SystemError(EPERM) }
    return end
  }
}
