/// Names of algorithms that documents and signed files of others have, by their object identifiers (BSI TR-03111 §5.2.1.1,
/// RFC 5758, RFC 5912, RFC 8410, NIST CSOR).
package enum AlgorithmNames {
  /// The name and the identifier, for people; the identifier alone without a name.
  ///
  /// - Parameter identifier: dotted.
  package static func text(_ identifier: String) -> String {
    names[identifier].map { "\($0), \(identifier)" } ?? identifier
  }

  private static let names = [
    "0.4.0.127.0.7.1.1.4.1.1": "ecdsa-plain-SHA1",
    "0.4.0.127.0.7.1.1.4.1.2": "ecdsa-plain-SHA224",
    "0.4.0.127.0.7.1.1.4.1.3": "ecdsa-plain-SHA256",
    "0.4.0.127.0.7.1.1.4.1.4": "ecdsa-plain-SHA384",
    "0.4.0.127.0.7.1.1.4.1.5": "ecdsa-plain-SHA512",
    "0.4.0.127.0.7.1.1.4.1.6": "ecdsa-plain-RIPEMD160",
    "1.2.840.10040.4.1": "DSA",
    "1.2.840.10040.4.3": "DSA with SHA-1",
    "1.2.840.10045.2.1": "id-ecPublicKey",
    "1.2.840.10045.4.2": "ecdsa-with-Recommended",
    "1.2.840.10045.4.3": "ecdsa-with-Specified",
    "1.2.840.113549.1.1.4": "MD5 with RSA",
    "1.2.840.113549.1.1.10": "RSASSA-PSS",
    "1.2.840.113549.2.5": "MD5",
    "1.3.36.3.2.1": "RIPEMD-160",
    "1.3.36.3.3.1.2": "RIPEMD-160 with RSA",
    "1.3.101.112": "Ed25519",
    "1.3.101.113": "Ed448",
    "1.3.132.1.12": "id-ecDH",
    "2.16.840.1.101.3.4.2.7": "SHA3-224",
    "2.16.840.1.101.3.4.2.8": "SHA3-256",
    "2.16.840.1.101.3.4.2.9": "SHA3-384",
    "2.16.840.1.101.3.4.2.10": "SHA3-512",
    "2.16.840.1.101.3.4.2.11": "SHAKE128",
    "2.16.840.1.101.3.4.2.12": "SHAKE256",
    "2.16.840.1.101.3.4.3.9": "ECDSA with SHA3-224",
    "2.16.840.1.101.3.4.3.10": "ECDSA with SHA3-256",
    "2.16.840.1.101.3.4.3.11": "ECDSA with SHA3-384",
    "2.16.840.1.101.3.4.3.12": "ECDSA with SHA3-512",
    "2.16.840.1.101.3.4.3.13": "RSA with SHA3-224",
    "2.16.840.1.101.3.4.3.14": "RSA with SHA3-256",
    "2.16.840.1.101.3.4.3.15": "RSA with SHA3-384",
    "2.16.840.1.101.3.4.3.16": "RSA with SHA3-512",
  ]
}

extension SignatureAlgorithm {
  /// The name of a scheme with SHA-1 that documents do not have with it; `nil` for RSA PKCS#1, which some have, and for
  /// one without SHA-1.
  var oddNameWithSHA1: String? {
    switch self {
    case .pss where usesSHA1(digest: nil): "RSASSA-PSS"
    case .ecdsa where usesSHA1(digest: nil), .ecdsaPlain where usesSHA1(digest: nil): "ECDSA"
    case .pss, .ecdsa, .ecdsaPlain, .pkcs1, .keyAlone: nil
    }
  }
}
