internal import COpenSSL

/// Owner of one parsed X.509 certificate of OpenSSL; frees it in `deinit`.
///
/// The pointer stays in this folder: callers elsewhere get plain values. Unchecked, because a parsed certificate is only
/// read, and OpenSSL locks the fields that it computes on first use.
final class X509Handle: @unchecked Sendable {
  let pointer: OpaquePointer
  /// Number of input bytes that the certificate took.
  let consumed: Int

  /// Parses the certificate at the start of the input (RFC 5280 §4.1).
  ///
  /// - Throws: `CryptoError` if there is none, or if it is BER but not DER outside of the signed
  ///   part.
  init(prefixOf input: [UInt8]) throws(CryptoError) {
    guard let (parsed, length) = parsedPrefix(of: input, by: d2i_X509) else {
      throw .fromQueue("parsing of an X.509 certificate")
    }
    guard Self.encoding(of: parsed) == [UInt8](input.prefix(length)) else {
      X509_free(parsed)
      throw CryptoError("parsing of an X.509 certificate", reason: "not DER")
    }
    pointer = parsed
    consumed = length
  }

  /// Shares a certificate that another OpenSSL object owns.
  init(sharing other: OpaquePointer) throws(CryptoError) {
    guard X509_up_ref(other) == 1 else { throw .fromQueue("X509_up_ref") }
    pointer = other
    consumed = 0
  }

  /// The DER encoding of a certificate that OpenSSL holds; empty if it cannot be encoded.
  static func encoding(of certificate: OpaquePointer) -> [UInt8] {
    X509Value.der { i2d_X509(certificate, $0) }
  }

  deinit { X509_free(pointer) }
}

/// The certificates of a PEM file (RFC 7468).
enum X509PEM {
  /// The DER contents of every `CERTIFICATE` block, in order; blocks of another label are skipped.
  ///
  /// The blocks are only decoded: an encrypted one never asks for a passphrase.
  ///
  /// - Throws: `CryptoError` if a block is malformed.
  static func certificates(in text: [UInt8]) throws(CryptoError) -> [[UInt8]] {
    if text.isEmpty { return [] }
    return try MemoryBIO.read(text) { (memory) throws(CryptoError) in
      guard let memory else { throw .fromQueue("BIO_new_mem_buf") }
      var found: [[UInt8]] = []
      // Every successful iteration consumes at least the lines of one block.
      while let block = try next(from: memory) {
        if block.label == "CERTIFICATE" { found.append(block.contents) }
      }
      return found
    }
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
        CryptoError.clearQueue()
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
