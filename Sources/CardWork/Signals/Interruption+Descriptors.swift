import Glibc
package import Primitives

extension Interruption {
  /// Makes a system call on a descriptor as soon as it would not block.
  ///
  /// - Parameter failure: the error for a call that fails with this error number.
  /// - Throws: `interrupted`, or `failure`.
  package func once<Result>(
    _ descriptor: Int32, _ readiness: Readiness, _ failure: (CInt) -> Failure,
    _ call: (FileDescriptor) throws(SystemError) -> Result
  ) throws(Failure) -> Result {
    while true {
      try wait(until: descriptor, readiness)
      do throws(SystemError) { return try call(FileDescriptor(descriptor)) } catch {
        guard error.code == EAGAIN else { throw failure(error.code) }
      }
    }
  }

  /// Reads a line, without its LF or CR LF, byte by byte, so that the bytes after it are left for other readers.
  ///
  /// - Parameter limit: the most bytes; of a longer line, the rest is left.
  package func line(
    _ descriptor: Int32, atMost limit: Int, _ failure: (CInt) -> Failure
  ) throws(Failure) -> String {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let next = try once(descriptor, .readable, failure) { (file) throws(SystemError) in
        try file.read(atMost: 1)
      }
      guard let byte = next.first, byte != UInt8(ascii: "\n") else { break }
      bytes.append(byte)
    }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
