internal import Primitives
internal import CJOSE
internal import COpenSSL

/// Encryption of the content key for a recipient (RFC 7518 §4.3): RSAES-OAEP with the same hash twice. cjose 0.6
/// supports the first only.
enum KeyWrapping: String {
  case oaep = "RSA-OAEP"
  case oaep256 = "RSA-OAEP-256"

  private var digest: OpaquePointer? { self == .oaep ? EVP_sha1() : EVP_sha256() }

  /// - Returns: random bytes if decryption does not give a key of this length, so that only the tag fails (RFC 7516
  ///   §11.5).
  func unwrap(
    _ wrapped: [UInt8], with key: borrowing JOSEKey, to length: Int
  ) throws(SignInError) -> Secret {
    defer { ERR_clear_error() }
    guard let numbers = cjose_jwk_get_keydata(key.pointer, nil), let holder = EVP_PKEY_new() else {
      throw .token(.library)
    }
    defer { EVP_PKEY_free(holder) }
    guard EVP_PKEY_set1_RSA(holder, OpaquePointer(numbers)) == 1,
      let context = EVP_PKEY_CTX_new(holder, nil)
    else { throw .token(.library) }
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_decrypt_init(context) == 1,
      EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1,
      EVP_PKEY_CTX_set_rsa_oaep_md(context, digest) == 1,
      EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest) == 1
    else { throw .token(.library) }
    var random = SystemRandom()
    guard let substitute = try? random.bytes(length) else { throw .token(.library) }
    var count = Int(EVP_PKEY_get_size(holder))
    var bytes = [UInt8](repeating: 0, count: count)
    defer { OPENSSL_cleanse(&bytes, bytes.count) }
    let isDone = EVP_PKEY_decrypt(context, &bytes, &count, wrapped, wrapped.count) == 1
    return Secret(count: length) { copy in
      copy.copyBytes(from: isDone && count == length ? bytes.prefix(length) : substitute[...])
    }
  }
}
