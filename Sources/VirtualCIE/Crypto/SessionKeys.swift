// Deliberately written apart from CIECard: what a secure channel starts with.

internal import CIECard

/// The ciphers, keys and counter of a secure channel.
struct SessionKeys: Equatable {
  let suite: CipherSuite
  /// KSenc, as long as the suite wants it.
  let encryption: [UInt8]
  /// KSmac, as long as the suite wants it.
  let authentication: [UInt8]
  /// One block; the first command uses the number after it.
  let counter: [UInt8]
}

extension SessionKeys {
  /// The channel that a Diffie–Hellman agreement of the CIE application begins: KENC and KMAC are the first 16
  /// bytes of SHA-256(Z ‖ 1) and SHA-256(Z ‖ 2), the counter starts at 1 (IAS ECC §7.2.4).
  init(identitySecret secret: [UInt8]) throws(CryptoError) {
    let first = try HashAlgorithm.sha256.hash(secret, [0, 0, 0, 1])
    let second = try HashAlgorithm.sha256.hash(secret, [0, 0, 0, 2])
    self.init(
      suite: .tripleDES,
      encryption: [UInt8](first.prefix(TripleDES.keyLength)),
      authentication: [UInt8](second.prefix(TripleDES.keyLength)),
      counter: [0, 0, 0, 0, 0, 0, 0, 1])
  }

  /// The channel that PACE, basic access control or chip authentication begins (Doc 9303-11 §9.7.1).
  ///
  /// - Parameters:
  ///   - secret: the shared secret K, leading zeros included.
  ///   - counter: where it starts; zero when absent.
  init(
    documentSecret secret: [UInt8], _ suite: CipherSuite, counter: [UInt8]? = nil
  ) throws(CryptoError) {
    self.init(
      suite: suite, encryption: try suite.derive(secret, .encryption),
      authentication: try suite.derive(secret, .authentication),
      counter: counter ?? [UInt8](repeating: 0, count: suite.blockLength))
  }
}
