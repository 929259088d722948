internal import Glibc

/// An open file, pipe, terminal or socket; the opener closes it.
package struct FileDescriptor: Sendable {
  package let rawValue: CInt

  package init(_ rawValue: CInt) { self.rawValue = rawValue }

  /// Reads once.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try uninterrupted { Glibc.read(rawValue, buffer.baseAddress, buffer.count) }
  }

  /// Reads once.
  ///
  /// - Returns: the bytes; empty at the end.
  package func read(atMost count: Int) throws(SystemError) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: count)
    let length = try uninterrupted { Glibc.read(rawValue, &block, count) }
    block.removeLast(count - length)
    return block
  }

  /// - Throws: `SystemError`, with `EFBIG` when more than `limit` bytes come.
  package func readAll(limit: Int) throws(SystemError) -> [UInt8] {
    var contents: [UInt8] = []
    while true {
      let block = try read(atMost: 64 << 10)
      if block.isEmpty { return contents }
      contents += block
      guard contents.count <= limit else { throw SystemError(EFBIG) }
    }
  }

  /// - Parameter write: the system call.
  package func writeAll(
    _ bytes: [UInt8], by write: (CInt, UnsafeRawPointer?, Int) -> Int = Glibc.write
  ) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try uninterrupted {
        rest.withUnsafeBytes { write(rawValue, $0.baseAddress, $0.count) }
      }
      guard count > 0 else { throw SystemError(EIO) }
      rest = rest.dropFirst(count)
    }
  }
}
