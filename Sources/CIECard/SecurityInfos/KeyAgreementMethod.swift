/// The two ways in which a document agrees keys (Doc 9303-11 §9.4).
enum KeyAgreementMethod: Sendable, Hashable, CaseIterable {
  /// Diffie–Hellman in a prime field (PKCS #3, X9.42).
  case dh
  /// Diffie–Hellman on an elliptic curve (ECKA of BSI TR-03111).
  case ecdh
}
