internal import Glibc

/// A folder of this user, in which this program keeps what nobody else may read or exchange.
///
/// Everything is done from the opened folder, so nobody can put another one in its place meanwhile. A file appears whole
/// or not at all, and is on the disk before anybody goes on.
package struct PrivateFolder: ~Copyable {
  /// Why a folder or a file in it is not used.
  package enum Failure: Error, Equatable {
    /// A symbolic link, a pipe, a device, or a folder where a file should be.
    case notPlain
    /// It belongs to somebody else.
    case foreignOwner
    /// Others have rights to it that they must not have: to a file any, to the folder that of writing.
    case exposed
    /// It has more bytes than the limit.
    case tooLarge
    /// Somebody else has held the lock for too long.
    case busy
    /// A system call failed.
    case system(SystemError)
  }

  private let number: CInt

  /// Opens it.
  ///
  /// - Parameter isMade: whether it and those above it are made where they are missing, for this user alone.
  /// - Throws: `Failure`, `system` with `ENOENT` when there is none.
  package init(_ path: String, isMade: Bool) throws(Failure) {
    if isMade { try Self.make(path) }
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { throw Self.failure() }
    do throws(Failure) { try Self.check(folder, kind: S_IFDIR, forbidden: 0o022) } catch {
      close(folder)
      throw error
    }
    number = folder
  }

  deinit { close(number) }

  private static func make(_ path: String) throws(Failure) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST || access(made, X_OK) == 0 else {
        throw .system(SystemError(errno))
      }
    }
  }

  private static func check(
    _ number: CInt, kind: mode_t, forbidden: mode_t
  ) throws(Failure) {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw failure() }
    guard status.st_mode & S_IFMT == kind else { throw .notPlain }
    guard status.st_uid == geteuid() else { throw .foreignOwner }
    guard status.st_mode & forbidden == 0 else { throw .exposed }
  }

  /// What `errno` says after something was opened without following links.
  private static func failure() -> Failure {
    switch errno {
    case ELOOP, ENOTDIR, ENXIO: .notPlain
    case let code: .system(SystemError(code))
    }
  }

  private func opened(_ name: String, _ flags: CInt) throws(Failure) -> CInt {
    let file = openat(number, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure() }
    do throws(Failure) { try Self.check(file, kind: S_IFREG, forbidden: 0o077) } catch {
      close(file)
      throw error
    }
    return file
  }

  /// The contents of a file; `nil` when there is none. Kind, owner and mode are those of what was opened.
  package borrowing func read(_ name: String, limit: Int) throws(Failure) -> [UInt8]? {
    let file: CInt
    do throws(Failure) { file = try opened(name, O_RDONLY) } catch {
      if error == .system(SystemError(ENOENT)) { return nil }
      throw error
    }
    defer { close(file) }
    do throws(SystemError) { return try FileDescriptor(file).readAll(limit: limit) } catch {
      throw error.code == EFBIG ? .tooLarge : .system(error)
    }
  }

  /// Gives a file other contents, or makes it. What stood under the name, a symbolic link included, is replaced and never
  /// followed. To be called with the lock held.
  package borrowing func replace(_ name: String, with bytes: [UInt8]) throws(Failure) {
    let temporary = name + ".new"
    // What a process left that was killed in the middle.
    unlinkat(number, temporary, 0)
    let file = try opened(temporary, O_WRONLY | O_CREAT | O_EXCL)
    defer { close(file) }
    do throws(SystemError) {
      try FileDescriptor(file).writeAll(bytes)
      _ = try uninterrupted { fsync(file) }
      _ = try uninterrupted { renameat(number, temporary, number, name) }
      _ = try uninterrupted { fsync(number) }
    } catch {
      unlinkat(number, temporary, 0)
      throw .system(error)
    }
  }

  /// Takes a file away, also one that could not be read; none is no error. To be called with the lock held.
  package borrowing func remove(_ name: String) throws(Failure) {
    for name in [name + ".new", name] where unlinkat(number, name, 0) != 0 && errno != ENOENT {
      throw .system(SystemError(errno))
    }
    guard fsync(number) == 0 else { throw .system(SystemError(errno)) }
  }

  /// The lock of a name, against other processes and other threads of this one; it goes with the value, and with the
  /// process.
  ///
  /// - Throws: `busy` when somebody has held it for ten seconds.
  package borrowing func lock(_ name: String) throws(Failure) -> Lock {
    let file = try opened(name + ".lock", O_RDWR | O_CREAT)
    for _ in 0..<Self.attempts {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return Lock(number: file) }
      guard errno == EWOULDBLOCK || errno == EINTR else { break }
      usleep(Self.pause)
    }
    let code = errno
    close(file)
    throw code == EWOULDBLOCK || code == EINTR ? .busy : .system(SystemError(code))
  }

  private static let attempts = 500
  private static let pause: useconds_t = 20_000

  /// A lock that is held.
  package struct Lock: ~Copyable {
    fileprivate let number: CInt

    /// Gives it back. To be called at the end even so: a value that nothing uses any more may go before that.
    package consuming func release() {}

    deinit { close(number) }
  }
}
