internal import COpenSSL

/// Bytes as OpenSSL reads them from a file.
package enum MemoryBIO {
  /// Reads bytes, which stay where they are meanwhile: the BIO keeps their address alone, and an optimizer ends the life of an
  /// array with its last use.
  ///
  /// - Parameter body: gets the BIO; `nil` without memory for it, or without bytes.
  package static func read<Value, Failure>(
    _ bytes: [UInt8], _ body: (OpaquePointer?) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let result = bytes.withUnsafeBytes { buffer -> Result<Value, Failure> in
      let source = BIO_new_mem_buf(buffer.baseAddress, CInt(clamping: buffer.count))
      defer { BIO_free(source) }
      do throws(Failure) { return .success(try body(source)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
