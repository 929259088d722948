/// ChipAuthenticationInfo: version INTEGER, keyId INTEGER OPTIONAL (Doc 9303-11 §9.2.5).
struct ChipAuthenticationInfo: Sendable, Equatable {
  let `protocol`: ChipAuthenticationProtocol
  /// 1, or 2 for the protocol that requires terminal authentication first.
  let version: Int
  /// The number of its key, if there are several.
  let keyIdentifier: KeyIdentifier?

  init(_ variant: ChipAuthenticationProtocol, _ fields: inout TLVCursor) throws(TLVError) {
    `protocol` = variant
    version = try fields.nextNumber()
    keyIdentifier = try KeyIdentifier(atEndOf: &fields)
  }
}

extension SecurityInfos {
  /// True if chip authentication has another version than 1 and 2.
  var hasOddVersion: Bool {
    infos.contains { info in
      if case .chipAuthentication(let info) = info {
        ![1, 2].contains(info.version)
      } else {
        false
      }
    }
  }
}

/// ChipAuthenticationPublicKeyInfo: chipAuthenticationPublicKey SubjectPublicKeyInfo, keyId INTEGER OPTIONAL
/// (Doc 9303-11 §9.2.6).
struct ChipAuthenticationPublicKeyInfo: Sendable, Equatable {
  let agreement: KeyAgreementMethod
  /// The encoding of the SubjectPublicKeyInfo; `KeyAgreementPublicKey` parses it.
  let subjectPublicKeyInfo: [UInt8]
  /// The number of the key, if there are several.
  let keyIdentifier: KeyIdentifier?

  init?(_ identifier: [UInt8], _ fields: inout TLVCursor) throws(TLVError) {
    guard let arcs = ProtocolIdentifier.arcs(of: identifier, below: ProtocolIdentifier.publicKey),
      let arc = arcs.first, arcs.count == 1, let method = KeyAgreementMethod(rawValue: arc)
    else { return nil }
    agreement = method
    subjectPublicKeyInfo = [UInt8](try fields.next(DER.sequence).encoded)
    keyIdentifier = try KeyIdentifier(atEndOf: &fields)
  }
}

/// The number of a private key of the chip, as in DO'84 of MSE:Set (Doc 9303-11 §6.2.4.1).
struct KeyIdentifier: Sendable, Hashable {
  /// Big-endian, at least one byte, no leading zero byte except for zero itself.
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    let number = bytes.withoutLeadingZeros
    self.bytes = number.isEmpty ? [0] : number
  }

  /// The optional INTEGER at the end of a SecurityInfo.
  fileprivate init?(atEndOf fields: inout TLVCursor) throws(TLVError) {
    guard !fields.isAtEnd else { return nil }
    self.init(try fields.nextUnsigned())
    try fields.finish()
  }
}

/// A variant of chip authentication: id-CA, key agreement, cipher of the new session (Doc 9303-11
/// §9.2.7; BSI TR-03110-3 §A.1.1.3).
struct ChipAuthenticationProtocol: Sendable, Hashable {
  let agreement: KeyAgreementMethod
  let cipher: SessionCipher
}

extension ChipAuthenticationProtocol {
  /// - Parameter identifier: the content octets of an object identifier.
  /// - Returns: `nil` if it names no variant.
  init?(objectIdentifier identifier: [UInt8]) {
    let arc = ProtocolIdentifier.chipAuthentication
    guard let arcs = ProtocolIdentifier.arcs(of: identifier, below: arc), arcs.count == 2,
      let agreement = arcs.first.flatMap(KeyAgreementMethod.init(rawValue:)),
      let cipher = arcs.last.flatMap(SessionCipher.init(rawValue:))
    else { return nil }
    self.init(agreement: agreement, cipher: cipher)
  }

  /// The content octets of the object identifier, as in DO'80 of MSE:Set AT (Doc 9303-11 §6.2.4.1).
  var objectIdentifier: [UInt8] {
    ProtocolIdentifier.chipAuthentication + [agreement.rawValue, cipher.rawValue]
  }
}
