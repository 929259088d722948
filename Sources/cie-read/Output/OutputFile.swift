import Glibc
import System

/// A file that appears whole or not at all.
///
/// It is made under another name beside its place before the card is asked, and gets its own name when all is
/// written. What was there before stays until then, and afterwards too, unless it is empty or may be overwritten.
final class OutputFile {
  private let path: String
  private let temporary: String
  /// Whether the place must still be free in the end.
  private let isNew: Bool
  private var descriptor: Int32

  /// Makes sure that the file can be written.
  ///
  /// - Parameters:
  ///   - mode: who may read it.
  ///   - overwriting: whether a file that is there already may be replaced.
  init(_ path: String, mode: mode_t = 0o644, overwriting: Bool = false) throws(Failure) {
    self.path = path
    var status = stat()
    let exists = stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if exists, kind == S_IFDIR { throw .file(.unwritable(path: path, errno: EISDIR)) }
    let isSpecial = exists && kind != S_IFREG
    if exists, !isSpecial, status.st_size > 0, !overwriting { throw .file(.exists(path: path)) }
    isNew = !exists && !overwriting
    temporary = isSpecial ? path : path + ".\(getpid()).tmp"
    // A device or pipe is written as it is; there is nothing in it to keep.
    descriptor = open(
      temporary, isSpecial ? O_WRONLY | O_CLOEXEC : O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .file(.unwritable(path: path, errno: errno)) }
  }

  /// The file of an option; `nil` where it is not given. Made before the card is asked: nothing is spent on a full disk or
  /// a missing folder.
  static func made(
    _ path: String?, mode: mode_t = 0o644, overwriting: Bool
  ) throws(Failure) -> OutputFile? {
    guard let path else { return nil }
    return try OutputFile(path, mode: mode, overwriting: overwriting)
  }

  /// Writes the contents and gives the file its name.
  func commit(_ bytes: [UInt8]) throws(Failure) {
    do throws(SystemError) { try FileDescriptor(descriptor).writeAll(bytes) } catch {
      throw .file(.unwritable(path: path, errno: error.code))
    }
    guard temporary != path else { return }
    guard fsync(descriptor) == 0 else { throw .file(.unwritable(path: path, errno: errno)) }
    try giveName()
    close(descriptor)
    descriptor = -1
  }

  /// A link does not replace what has come there meanwhile; some file systems have none.
  private func giveName() throws(Failure) {
    if isNew {
      if link(temporary, path) == 0 {
        unlink(temporary)
        return
      }
      if errno == EEXIST { throw .file(.exists(path: path)) }
    }
    guard rename(temporary, path) == 0 else {
      throw .file(.unwritable(path: path, errno: errno))
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    if temporary != path { unlink(temporary) }
  }
}

/// A folder that appears whole or not at all, and takes no other one's place.
///
/// It is filled under another name beside its place, which nobody else may enter, and gets its own name at the end:
/// the system allows that only where there is nothing, or an empty folder.
final class DocumentFolder {
  private let path: String
  private let temporary: String
  private var names: [String] = []
  private var isDone = false

  /// Makes sure, before the card is asked, that the folder can be made.
  init(_ path: String) throws(Failure) {
    self.path = path
    let place = path.last == "/" ? String(path.dropLast()) : path
    temporary = place + ".\(getpid()).tmp"
    guard Self.isFree(path) else { throw .usage(.folderNotEmpty) }
    guard mkdir(temporary, 0o700) == 0 else {
      throw .file(.unwritable(path: path, errno: errno))
    }
  }

  /// Whether nothing of this name is there, or an empty folder. Asked again, by the system, when the folder gets its
  /// name.
  private static func isFree(_ path: String) -> Bool {
    guard let folder = opendir(path) else { return errno == ENOENT }
    defer { closedir(folder) }
    // The entries `.` and `..` are in every folder.
    var count = 0
    while count < 3, readdir(folder) != nil { count += 1 }
    return count < 3
  }

  /// Adds a file that its owner alone may read.
  func add(_ name: String, _ bytes: [UInt8]) throws(Failure) {
    names.append(name)
    try OutputFile(temporary + "/" + name, mode: 0o600).commit(bytes)
  }

  /// Gives the folder its name.
  func commit() throws(Failure) {
    guard rename(temporary, path) == 0 else {
      if errno == ENOTEMPTY || errno == EEXIST { throw .usage(.folderNotEmpty) }
      throw .file(.unwritable(path: path, errno: errno))
    }
    isDone = true
  }

  deinit {
    guard !isDone else { return }
    for name in names { unlink(temporary + "/" + name) }
    rmdir(temporary)
  }
}

extension OutputFile {
  /// Makes a folder and those above it, where they are missing.
  static func makeFolder(_ path: String) throws(Failure) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o777) == 0 || errno == EEXIST || access(made, X_OK) == 0 else {
        throw .file(.unwritable(path: made, errno: errno))
      }
    }
  }
}
