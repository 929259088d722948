/// Parses the object at the start of some bytes by one of OpenSSL's parsers (`d2i_…`).
///
/// - Returns: the object, which the caller frees, and the number of bytes that it takes.
package func parsedPrefix<Object>(
  of bytes: [UInt8],
  by parser: (
    UnsafeMutablePointer<Object?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int
  ) -> Object?
) -> (object: Object, length: Int)? {
  bytes.withUnsafeBufferPointer { buffer in
    var cursor = buffer.baseAddress
    guard let start = cursor, let object = parser(nil, &cursor, buffer.count), let cursor else {
      return nil
    }
    return (object, cursor - start)
  }
}
