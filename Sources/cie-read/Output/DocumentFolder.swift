import Glibc

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
    guard Self.isFree(path) else { throw .usage(.document(.folderNotEmpty)) }
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
      if errno == ENOTEMPTY || errno == EEXIST { throw .usage(.document(.folderNotEmpty)) }
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
