internal import Glibc

/// A folder of this user for files that no other user may read or replace.
///
/// All operations are relative to the open folder, so another folder cannot be substituted in
/// between. A file appears complete or not at all, and is on the disk before a call returns.
package struct PrivateFolder: ~Copyable {
  /// The reason why a folder or a file in it is not used.
  package enum Failure: Error, Equatable {
    /// A symbolic link, a pipe, a device, or a folder where a file should be.
    case notPlain
    case foreignOwner
    /// Other users have access that they must not have: any to a file, write access to the folder.
    case exposed
    case tooLarge
    /// Another process or thread has held the lock for too long.
    case busy
    case system(SystemError)
  }

  private let number: CInt

  /// - Parameter isMade: true to create it and its missing parents, for this user alone.
  /// - Throws: `Failure`, `system` with `ENOENT` if it does not exist.
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
    try mapError(try NewFolder.make(path, mode: 0o700)) { (error: NewFolder.Failure) in
      Failure.system(error.error)
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

  /// Maps `errno` after opening without following links.
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

  /// Reads a file; `nil` if it does not exist. Kind, owner and mode are checked on the open
  /// descriptor.
  package borrowing func read(_ name: String, limit: Int) throws(Failure) -> [UInt8]? {
    let file: CInt
    do throws(Failure) { file = try opened(name, O_RDONLY) } catch {
      if error == .system(SystemError(ENOENT)) { return nil }
      throw error
    }
    defer { close(file) }
    return try mapError(try FileDescriptor(file).readAll(limit: limit)) { (error: SystemError) in
      error.code == EFBIG ? Failure.tooLarge : .system(error)
    }
  }

  /// Replaces or creates a file. An existing entry, a symbolic link included, is replaced and never
  /// followed. Must be called with the lock held.
  package borrowing func replace(_ name: String, with bytes: [UInt8]) throws(Failure) {
    let temporary = name + ".new"
    // Left by a process that was killed in the middle.
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

  /// Removes a file, even one that could not be read; a missing file is not an error. Must be
  /// called with the lock held.
  package borrowing func remove(_ name: String) throws(Failure) {
    for name in [name + ".new", name] where unlinkat(number, name, 0) != 0 && errno != ENOENT {
      throw .system(SystemError(errno))
    }
    guard fsync(number) == 0 else { throw .system(SystemError(errno)) }
  }

  /// Takes the lock of this name, against other processes and other threads of this one; it is
  /// released with the value, and at the end of the process.
  ///
  /// - Throws: `busy` if it is held elsewhere for ten seconds.
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

  package struct Lock: ~Copyable {
    fileprivate let number: CInt

    /// Releases the lock. Must be called at the end, because an unused value may be destroyed
    /// earlier.
    package consuming func release() {}

    deinit { close(number) }
  }
}
