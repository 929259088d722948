/// A variant of chip authentication: id-CA, key agreement, cipher of the session that it opens (Doc 9303-11 §9.2.7;
/// BSI TR-03110-3 §A.1.1.3).
struct ChipAuthenticationProtocol: Sendable, Hashable {
  /// How the keys are agreed.
  let agreement: KeyAgreementMethod
  /// The cipher of the new session.
  let cipher: SessionCipher

  init(agreement: KeyAgreementMethod, cipher: SessionCipher) {
    self.agreement = agreement
    self.cipher = cipher
  }

  /// - Parameter identifier: the content octets of an object identifier.
  /// - Returns: `nil` when it names no variant.
  init?(objectIdentifier identifier: [UInt8]) {
    let arc = ProtocolIdentifier.chipAuthentication
    guard let arcs = ProtocolIdentifier.arcs(of: identifier, below: arc), arcs.count == 2,
      let agreement = arcs.first.flatMap(KeyAgreementMethod.init(arc:)),
      let cipher = arcs.last.flatMap(SessionCipher.init(arc:))
    else { return nil }
    self.init(agreement: agreement, cipher: cipher)
  }

  /// The content octets of the object identifier; DO'80 of MSE:Set AT carries them (Doc 9303-11 §6.2.4.1).
  var objectIdentifier: [UInt8] {
    ProtocolIdentifier.chipAuthentication + [agreement.arc, cipher.arc]
  }
}

extension KeyAgreementMethod {
  /// The arc below id-PK and id-CA.
  init?(arc: UInt8) {
    guard let method = Self.allCases.first(where: { $0.arc == arc }) else { return nil }
    self = method
  }

  var arc: UInt8 {
    switch self {
    case .dh: 1
    case .ecdh: 2
    }
  }
}
