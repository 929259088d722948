internal import CJOSE
internal import COpenSSL

/// Calls to cjose, which release every object of it on all paths.
enum JOSELibrary {
  /// Verifies the signature of a compact token with a key that this program has written.
  static func verify(_ token: String, _ key: String) throws(SignInError) -> [UInt8] {
    defer { ERR_clear_error() }
    let key = try JOSEKey(key)
    guard let jws = cjose_jws_import(token, token.utf8.count, nil) else { throw .token(.malformed) }
    defer { cjose_jws_release(jws) }
    guard cjose_jws_verify(jws, key.pointer, nil) else { throw .token(.signatureInvalid) }
    // The bytes belong to the JWS object.
    var (bytes, count): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
    guard cjose_jws_get_plaintext(jws, &bytes, &count, nil) else { throw .token(.library) }
    return [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  }

  /// - Parameter header: its members, all of them strings.
  static func sign(
    _ payload: [UInt8], _ header: [(String, String)], _ key: borrowing JOSEKey
  ) throws(SignInError) -> String {
    defer { ERR_clear_error() }
    guard let members = cjose_header_new(nil) else { throw .token(.library) }
    defer { cjose_header_release(members) }
    for (name, value) in header {
      guard cjose_header_set(members, name, value, nil) else { throw .token(.library) }
    }
    guard let jws = cjose_jws_sign(key.pointer, members, payload, payload.count, nil) else {
      throw .token(.clientKeyUnusable)
    }
    defer { cjose_jws_release(jws) }
    var text: UnsafePointer<CChar>?
    guard cjose_jws_export(jws, &text, nil), let text else { throw .token(.library) }
    return String(cString: text)
  }
}

/// Key object of cjose, released by `deinit`.
struct JOSEKey: ~Copyable, @unchecked Sendable {
  // Unchecked because every sharer holds a lock, see ClientKey.
  let pointer: OpaquePointer

  /// - Parameter json: a key whose members have been checked.
  /// - Throws: `keySetMalformed` for numbers that are not a key, such as a point off its curve.
  init(_ json: String) throws(SignInError) {
    guard let pointer = cjose_jwk_import(json, json.utf8.count, nil) else {
      ERR_clear_error()
      throw .token(.keySetMalformed)
    }
    self.pointer = pointer
  }

  deinit { cjose_jwk_release(pointer) }
}
