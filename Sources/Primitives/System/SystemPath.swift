package import Glibc

// The system's calls that take a path, for paths as text (`String.systemBytes`). For the type checker they come before those
// of libc, for which a String would be turned into UTF-8.

extension String {
  /// Calls a function of the system with the path.
  func withSystemPath<Result>(_ call: (UnsafePointer<CChar>) -> Result) -> Result {
    let bytes = systemBytes.map { CChar(bitPattern: $0) } + [0]
    return bytes.withUnsafeBufferPointer { buffer in
      // A text is never empty with its NUL.
      guard let start = buffer.baseAddress else { return "".withCString(call) }
      return call(start)
    }
  }
}

/// open(2)
package func open(_ path: String, _ flags: CInt) -> CInt {
  path.withSystemPath { open($0, flags) }
}

/// open(2) of a new file.
package func open(_ path: String, _ flags: CInt, _ mode: mode_t) -> CInt {
  path.withSystemPath { open($0, flags, mode) }
}

/// openat(2)
func openat(_ folder: CInt, _ path: String, _ flags: CInt) -> CInt {
  path.withSystemPath { openat(folder, $0, flags) }
}

/// openat(2) of a new file.
func openat(_ folder: CInt, _ path: String, _ flags: CInt, _ mode: mode_t) -> CInt {
  path.withSystemPath { openat(folder, $0, flags, mode) }
}

/// stat(2)
package func stat(_ path: String, _ status: UnsafeMutablePointer<stat>) -> CInt {
  path.withSystemPath { stat($0, status) }
}

/// lstat(2)
package func lstat(_ path: String, _ status: UnsafeMutablePointer<stat>) -> CInt {
  path.withSystemPath { lstat($0, status) }
}

/// access(2)
package func access(_ path: String, _ mode: CInt) -> CInt {
  path.withSystemPath { access($0, mode) }
}

/// link(2)
package func link(_ old: String, _ new: String) -> CInt {
  old.withSystemPath { old in new.withSystemPath { link(old, $0) } }
}

/// rename(2)
package func rename(_ old: String, _ new: String) -> CInt {
  old.withSystemPath { old in new.withSystemPath { rename(old, $0) } }
}

/// unlink(2)
@discardableResult package func unlink(_ path: String) -> CInt {
  path.withSystemPath { unlink($0) }
}

/// mkdir(2)
package func mkdir(_ path: String, _ mode: mode_t) -> CInt {
  path.withSystemPath { mkdir($0, mode) }
}

/// rmdir(2)
@discardableResult package func rmdir(_ path: String) -> CInt {
  path.withSystemPath { rmdir($0) }
}

/// opendir(3)
package func opendir(_ path: String) -> OpaquePointer? {
  path.withSystemPath { opendir($0) }
}

/// realpath(3): the path without links; nil if there is no such file (`errno`).
package func realPath(_ path: String) -> String? {
  guard let real = path.withSystemPath({ realpath($0, nil) }) else { return nil }
  defer { free(real) }
  return String(system: real)
}

extension String {
  /// True if a path leads to a folder, also by a link (stat(2)).
  package var isFolder: Bool {
    var status = stat()
    return stat(self, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

// Paths are bytes: a letter that joins the slash or the point before it, and two spellings of one letter (NFC, NFD), are
// different bytes for the system, but not for the characters of a String.

extension String {
  /// The place of the first byte behind the last slash.
  package var namePlace: Index {
    utf8.lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) } ?? startIndex
  }

  /// The part of a path behind the last slash; the path itself if that is empty.
  package var pathName: String {
    let name = self[namePlace...]
    return name.isEmpty ? self : String(name)
  }

  /// True if a path ends so, in ASCII letters of either case.
  ///
  /// - Parameter ending: in lower case.
  package func hasEnding(_ ending: String) -> Bool {
    let letters = utf8.suffix(ending.utf8.count).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return letters.elementsEqual(ending.utf8)
  }

  /// True for the same bytes.
  package func isSamePath(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
