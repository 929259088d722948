internal import COpenSSL

/// Comparison whose duration does not depend on the contents.
package enum ConstantTime {
  /// Whether two byte strings are equal; only their lengths may show in the duration.
  package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}
