/// Active authentication: the chip signs a challenge with the key whose public half is DG15 (Doc 9303-11 §6.1).
enum ActiveAuthentication {
  /// The length of a challenge in bytes (Doc 9303-11 §6.1.2).
  static let challengeLength = 8

  /// - Parameters:
  ///   - response: the response to INTERNAL AUTHENTICATE.
  ///   - file: DG15, `6F { SubjectPublicKeyInfo }` (Doc 9303-10 §4.7.15).
  ///   - signatureAlgorithm: from the ActiveAuthenticationInfo in DG14, the content octets of its
  ///     object identifier; needed for the hash function of an ECDSA signature (Doc 9303-11
  ///     §9.2.7).
  static func verify(
    _ response: [UInt8], challenge: [UInt8], dataGroup15 file: [UInt8], signatureAlgorithm: [UInt8]?
  ) -> AuthenticityReport.Verdict {
    guard let info = try? ActiveAuthenticationPublicKeyInfo(dataGroup15: file),
      let key = SubjectPublicKey(info.subjectPublicKeyInfo)
    else { return .false(.malformedFile) }
    switch key.kind() {
    case .rsa(let key):
      switch RecoverableSignature.verify(response, over: challenge, key: key) {
      case .confirmed: return key.hasROCAFingerprint ? .couldNotCheck(.recoverableKey) : .proved
      case .wrong: return .false(.answerWrong)
      case .unknownHash(let identifier):
        return unsupported("ISO/IEC 10118-3, \([identifier].hexadecimal)")
      }
    case .curve(let orderLength):
      guard let signatureAlgorithm else { return unsupported("ECDSA") }
      guard let hash = SignatureAlgorithm.plainHash(signatureAlgorithm) else {
        return unsupported(X509Value.hex(signatureAlgorithm))
      }
      guard let signature = strict(response, orderLength: orderLength),
        let digest = try? hash.hash(challenge), key.verifyECDSA(signature, digest: digest)
      else { return .false(.answerWrong) }
      return .proved
    case .other(let algorithm):
      return unsupported(algorithm)
    }
  }

  /// An unknown key type or hash function, with its name or object identifier.
  private static func unsupported(_ name: String) -> AuthenticityReport.Verdict {
    .couldNotCheck(.unsupportedAlgorithm(name))
  }

  /// A signature in DER: made from r ‖ s, each as long as the order (TR-03111 §5.2.1); or accepted
  /// unchanged if a chip returns strict DER.
  private static func strict(_ signature: [UInt8], orderLength: Int) -> [UInt8]? {
    if let plain = ECDSASignature.encoded(plain: signature, orderLength: orderLength) {
      return plain
    }
    do throws(TLVError) {
      var fields = try TLVCursor(inside: DER.sequence, of: signature)
      let r = try fields.next(DER.integer).bytes
      let s = try fields.next(DER.integer).bytes
      try fields.finish()
      return ECDSASignature.encoded(r, s) == signature ? signature : nil
    } catch {
      return nil
    }
  }
}

/// DG15: the public key of active authentication (Doc 9303-10 §4.7.15, Doc 9303-11 §6.1).
struct ActiveAuthenticationPublicKeyInfo: Sendable, Equatable {
  /// The encoding of the SubjectPublicKeyInfo (RFC 5280 §4.1.2.7), an RSA or an elliptic-curve key.
  let subjectPublicKeyInfo: [UInt8]

  /// Parses the file: `6F { SubjectPublicKeyInfo }`. Bytes after the data object are dropped.
  init(dataGroup15 file: [UInt8]) throws(DataGroup.Malformation) {
    var contents = try DataGroup.Malformation.contents(of: file, tag: DataGroup.dg15.tag)
    let info = try DataGroup.Malformation.parse(try contents.next(DER.sequence))
    try DataGroup.Malformation.parse(try contents.finish())
    subjectPublicKeyInfo = [UInt8](info.encoded)
  }
}
