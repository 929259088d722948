internal import Glibc

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
