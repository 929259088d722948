package import Glibc

/// Creates folders with exactly the given mode, whatever the umask.
package enum NewFolder {
  package struct Failure: Error, Equatable {
    package let path: String
    package let error: SystemError
  }

  /// Creates a folder and its missing parents. A folder that root creates below a user's folder
  /// belongs to that user.
  ///
  /// - Parameter mode: 0700 for a user's, 0755 for the system's.
  package static func make(_ path: String, mode: mode_t) throws(Failure) {
    var (made, above) = path.utf8.first == UInt8(ascii: "/") ? ("", "/") : (".", ".")
    for part in path.utf8.split(separator: UInt8(ascii: "/")) {
      made += "/" + (String(part) ?? "")
      if mkdir(made, 0o700) == 0 {
        try mapError(try open(made, in: above, mode)) { (error: SystemError) in
          Failure(path: made, error: error)
        }
      } else if errno != EEXIST, access(made, X_OK) != 0 {
        throw Failure(path: made, error: SystemError(errno))
      }
      above = made
    }
  }

  /// Sets owner and mode of the new folder.
  private static func open(
    _ path: String, in above: String, _ mode: mode_t
  ) throws(SystemError) {
    let number = Primitives.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else { throw SystemError(errno) }
    defer { close(number) }
    var parent = stat()
    if geteuid() == 0, stat(above, &parent) == 0, parent.st_uid != 0 {
      _ = try uninterrupted { fchown(number, parent.st_uid, parent.st_gid) }
    }
    _ = try uninterrupted { fchmod(number, mode) }
  }
}

package enum FolderPath {
  /// Opens a folder; no part of its path may be a link.
  ///
  /// - Parameter root: the folder above it, whose own path may have links.
  package static func open(_ path: String, below root: String) throws(SystemError) -> CInt {
    var folder = Primitives.open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for part in path.utf8.split(separator: UInt8(ascii: "/")) where folder >= 0 {
      let next = openat(
        folder, String(part) ?? "", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      let error = errno
      close(folder)
      (folder, errno) = (next, error)
    }
    guard folder >= 0 else { throw SystemError(errno) }
    return folder
  }
}

package enum FolderNames {
  /// Reads the names from an open folder, `.` and `..` included.
  ///
  /// - Returns: nil if there are more than `limit`.
  package static func read(_ folder: OpaquePointer, atMost limit: Int) -> [String]? {
    var names: [String] = []
    while let entry = readdir(folder) {
      guard names.count < limit else { return nil }
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(system: bytes.prefix { $0 != 0 })
        })
    }
    return names
  }
}
