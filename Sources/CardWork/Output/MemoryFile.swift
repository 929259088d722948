import CProcessControl
import Glibc
import Primitives

/// A file that is in memory only: it has no name, and is gone with the program, however that ends.
package final class MemoryFile: Sendable {
  package let descriptor: CInt

  package init() throws(Failure) {
    descriptor = cie_memory_file()
    guard descriptor >= 0 else { throw .file(.unwritable(path: "-", errno: errno)) }
  }

  /// The path by which this process, and no other, opens it.
  package var path: String { "/proc/self/fd/\(descriptor)" }

  /// Number of bytes.
  package var count: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Adds bytes at the end.
  package func append(_ bytes: [UInt8]) throws(Failure) {
    do throws(SystemError) { try FileDescriptor(descriptor).writeAll(bytes) } catch {
      throw .file(.unwritable(path: "-", errno: error.code))
    }
  }

  deinit { close(descriptor) }
}
