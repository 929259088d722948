import CProcessControl
internal import Glibc
import Primitives

/// A file that is created atomically.
///
/// It is made under another name in the same folder before the card is asked, and gets its own name when all is
/// written. An existing file stays until then, and afterwards too, unless it is empty or may be overwritten.
package final class OutputFile {
  private let path: String
  /// The path of its contents until it gets its name.
  package let temporary: String
  /// True for a pipe or device: its contents are gone as soon as they are written.
  package var isDirect: Bool { temporary == path }
  /// True if the name must still be free at the end.
  private let isNew: Bool
  private var isNamed = false
  private var descriptor: Int32

  /// Makes sure that the file can be written.
  ///
  /// - Parameters:
  ///   - mode: its permissions, before the umask.
  ///   - isForAll: `true` if all users may read it, whatever the umask.
  ///   - overwriting: `true` if an existing file may be replaced.
  ///   - keepsRights: `true` if it then has that file's group and permissions.
  package init(
    _ path: String, mode: UInt32 = 0o644, isForAll: Bool = false, overwriting: Bool = false,
    keepsRights: Bool = false
  ) throws(Failure) {
    self.path = path
    var status = stat()
    let exists = stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if exists, kind == S_IFDIR { throw .file(.unwritable(path: path, errno: EISDIR)) }
    let isSpecial = exists && kind != S_IFREG
    if isSpecial, OutputFile.isForeign(status) {
      throw .file(.unwritable(path: path, errno: EPERM))
    }
    if exists, !isSpecial, status.st_size > 0, !overwriting { throw .file(.exists(path: path)) }
    isNew = !exists && !overwriting
    temporary = isSpecial ? path : Self.temporaryPath(for: path)
    // A device or pipe is written directly because it has no contents to keep.
    descriptor = open(
      temporary, isSpecial ? O_WRONLY | O_CLOEXEC : O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .file(.unwritable(path: path, errno: errno)) }
    if isForAll, !isSpecial { fchmod(descriptor, 0o644) }
    if keepsRights, exists, !isSpecial {
      // Rights of a group that it cannot have would be another's.
      let isOfGroup = fchown(descriptor, uid_t.max, status.st_gid) == 0
      fchmod(descriptor, status.st_mode & (isOfGroup ? 0o777 : 0o707))
    }
    // It may have been exchanged since.
    guard !isSpecial || fstat(descriptor, &status) == 0 && !OutputFile.isForeign(status) else {
      throw .file(.unwritable(path: path, errno: EPERM))
    }
  }

  /// A path in the same folder: the name with an ending, or a random name if that would be too long.
  fileprivate static func temporaryPath(for path: String) -> String {
    let ending = ".\(getpid()).tmp"
    guard path.pathName.systemBytes.count + ending.utf8.count > Int(NAME_MAX) else {
      return path + ending
    }
    return path[..<path.namePlace] + "cie-read-\(UInt64.random(in: 0...UInt64.max))" + ending
  }

  /// A file in memory, whose contents are there as soon as they are written.
  package init(_ memory: MemoryFile) throws(Failure) {
    path = memory.path
    temporary = memory.path
    isNew = false
    descriptor = fcntl(memory.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .file(.unwritable(path: path, errno: errno)) }
  }

  /// Checks whether data written to a pipe or device would go to another user: true for one of another owner, other
  /// than the first three descriptors, which this program was given (`/dev/stdout`).
  private static func isForeign(_ status: stat) -> Bool {
    guard status.st_uid != geteuid(), status.st_uid != 0 else { return false }
    return ![STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { number in
      var own = stat()
      return fstat(number, &own) == 0 && (own.st_dev, own.st_ino) == (status.st_dev, status.st_ino)
    }
  }

  /// The file of an option; `nil` if it is not given. Made before the card is asked: no try or signature is spent on a
  /// full disk or a missing folder.
  package static func made(
    _ path: String?, mode: UInt32 = 0o644, overwriting: Bool
  ) throws(Failure) -> OutputFile? {
    guard let path else { return nil }
    return try OutputFile(path, mode: mode, overwriting: overwriting)
  }

  /// Checks that its file system has room for contents of this length.
  ///
  /// - Parameter needed: bytes that other files need, by file system; the length is added.
  package func requireRoom(
    for length: Int, beside needed: inout [UInt: Int]
  ) throws(Failure) {
    var status = statvfs()
    // Without a number of blocks the file system does not say.
    guard !isDirect, fstatvfs(descriptor, &status) == 0, status.f_blocks > 0 else { return }
    needed[status.f_fsid, default: 0] += length
    let free = status.f_bavail.multipliedReportingOverflow(by: status.f_frsize)
    guard free.overflow || needed[status.f_fsid, default: 0] <= Int(clamping: free.partialValue)
    else { throw .file(.unwritable(path: path, errno: ENOSPC)) }
  }

  /// Writes a part of contents that are too large to hold in memory.
  package func write(_ bytes: [UInt8]) throws(Failure) {
    try mapError(try FileDescriptor(descriptor).writeAll(bytes)) { (error: SystemError) in
      Failure.file(.unwritable(path: path, errno: error.code))
    }
  }

  /// Gives the file its name before its contents are complete, because they must outlive the program.
  func publish() throws(Failure) {
    guard !isDirect, !isNamed else { return }
    try giveName()
    isNamed = true
  }

  /// Brings the contents so far to the disk.
  func synchronize() throws(Failure) {
    guard isDirect || fdatasync(descriptor) == 0 else {
      throw .file(.unwritable(path: path, errno: errno))
    }
  }

  /// Writes the contents, or their last part, and gives the file its name.
  package func commit(_ bytes: [UInt8]) throws(Failure) {
    try write(bytes)
    guard temporary != path else { return }
    guard fsync(descriptor) == 0 else { throw .file(.unwritable(path: path, errno: errno)) }
    try publish()
    close(descriptor)
    descriptor = -1
  }

  /// Gives the name by a hard link, because that never replaces a file that has come meanwhile; some file systems do
  /// not support it.
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
    if temporary != path, !isNamed { unlink(temporary) }
  }
}

/// A folder that is created atomically, and never replaces another.
///
/// It is filled under another name beside its place, closed to other users, and gets its own name at the end: the
/// system allows that only if the name is free, or an empty folder's.
package final class DocumentFolder {
  private let path: String
  private let temporary: String
  private var names: [String] = []
  private var isDone = false

  /// Checks, before the card is asked, that the folder can be made.
  package init(_ path: String) throws(Failure) {
    self.path = path
    let place = path.hasEnding("/") ? String(path.unicodeScalars.dropLast()) : path
    temporary = OutputFile.temporaryPath(for: place)
    guard Self.isFree(path) else {
      throw .usage("folder-not-empty", key: "document-option.folder-not-empty")
    }
    guard mkdir(temporary, 0o700) == 0 else {
      throw .file(.unwritable(path: path, errno: errno))
    }
  }

  /// Checks that the name is free, or an empty folder's. The system checks again when the folder gets its name.
  private static func isFree(_ path: String) -> Bool {
    guard let folder = opendir(path) else { return errno == ENOENT }
    defer { closedir(folder) }
    // The entries `.` and `..` are in every folder.
    var count = 0
    while count < 3, readdir(folder) != nil { count += 1 }
    return count < 3
  }

  /// Adds a file that only its owner may read.
  package func add(_ name: String, _ bytes: [UInt8]) throws(Failure) {
    names.append(name)
    try OutputFile(temporary + "/" + name, mode: 0o600).commit(bytes)
  }

  package func commit() throws(Failure) {
    guard rename(temporary, path) == 0 else {
      if errno == ENOTEMPTY || errno == EEXIST {
        throw .usage("folder-not-empty", key: "document-option.folder-not-empty")
      }
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
  package static func makeFolder(_ path: String, mode: UInt32) throws(Failure) {
    try mapError(try NewFolder.make(path, mode: mode)) { (error: NewFolder.Failure) in
      Failure.file(.unwritable(path: error.path, errno: error.error.code))
    }
  }
}

/// A file that is in memory only: it has no name, and is gone with the program, however that ends.
package final class MemoryFile: Sendable {
  let descriptor: CInt

  package init() throws(Failure) {
    descriptor = cie_memory_file()
    guard descriptor >= 0 else { throw .file(.unwritable(path: "-", errno: errno)) }
  }

  /// The path by which this process, and no other, opens it.
  package var path: String { "/proc/self/fd/\(descriptor)" }

  package var count: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  package func append(_ bytes: [UInt8]) throws(Failure) {
    try mapError(try FileDescriptor(descriptor).writeAll(bytes)) { (error: SystemError) in
      Failure.file(.unwritable(path: "-", errno: error.code))
    }
  }

  deinit { close(descriptor) }
}
