internal import Glibc

/// Whole reads and writes of a descriptor.
enum Descriptor {
  /// Reads to the end.
  ///
  /// - Returns: `nil` when it fails, or there is more than `limit`.
  static func readAll(_ descriptor: CInt, atMost limit: Int) -> [UInt8]? {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0, result.count + count <= limit else { return nil }
      if count == 0 { return result }
      result += buffer[..<count]
    }
  }

  static func writeAll(_ descriptor: CInt, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
}
