internal import COpenSSL

/// The certificates of a PEM file (RFC 7468).
enum X509PEM {
  /// The DER contents of every `CERTIFICATE` block, in order; blocks of another label are passed over.
  ///
  /// The blocks are only decoded: an encrypted one never asks for a passphrase.
  ///
  /// - Throws: `CryptoError` when a block is broken.
  static func certificates(in text: [UInt8]) throws(CryptoError) -> [[UInt8]] {
    guard let memory = BIO_new_mem_buf(text, CInt(clamping: text.count)) else {
      throw .fromQueue("BIO_new_mem_buf")
    }
    defer { BIO_free(memory) }
    var found: [[UInt8]] = []
    // Every successful turn consumes at least the lines of one block.
    while let block = try next(from: memory) {
      if block.label == "CERTIFICATE" { found.append(block.contents) }
    }
    return found
  }

  private static func next(
    from memory: OpaquePointer
  ) throws(CryptoError) -> (label: String, contents: [UInt8])? {
    var label: UnsafeMutablePointer<CChar>?
    var header: UnsafeMutablePointer<CChar>?
    var contents: UnsafeMutablePointer<UInt8>?
    var length = 0
    guard PEM_read_bio(memory, &label, &header, &contents, &length) == 1 else {
      let reason = ERR_peek_last_error() & UInt(ERR_REASON_MASK)
      if reason == PEM_R_NO_START_LINE {
        ERR_clear_error()
        return nil
      }
      throw .fromQueue("reading of a PEM block")
    }
    defer {
      CRYPTO_free(label, #fileID, #line)
      CRYPTO_free(header, #fileID, #line)
      CRYPTO_free(contents, #fileID, #line)
    }
    guard let label, let contents else { throw CryptoError("reading of a PEM block") }
    let bytes = [UInt8](UnsafeBufferPointer(start: contents, count: max(0, length)))
    return (String(cString: label), bytes)
  }
}
