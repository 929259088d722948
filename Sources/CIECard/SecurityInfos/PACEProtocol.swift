/// A variant of PACE: id-PACE, mapping with key agreement, cipher (Doc 9303-11 §9.2.3; BSI TR-03110-3 §A.1.1.1).
struct PACEProtocol: Sendable, Hashable {
  let agreement: KeyAgreementMethod
  let mapping: Mapping
  let cipher: SessionCipher
  /// The content octets of the object identifier, as in DO'80 of MSE:Set AT (Doc 9303-11 §4.4.4.1).
  let objectIdentifier: [UInt8]

  /// Mappings of the nonce to a generator (Doc 9303-11 §4.4.3.3), by their abbreviations.
  enum Mapping: String, Sendable, Hashable, CaseIterable {
    /// Generic mapping, by a separate key agreement.
    case generic = "GM"
    /// Integrated mapping, by a hash into the group.
    case integrated = "IM"
    /// Generic mapping that authenticates the chip as well.
    case chipAuthentication = "CAM"
  }

  /// - Parameter identifier: the content octets of an object identifier.
  /// - Returns: `nil` if it names no variant, such as chip-authentication mapping with triple DES.
  init?(objectIdentifier identifier: [UInt8]) {
    guard let arcs = ProtocolIdentifier.arcs(of: identifier, below: ProtocolIdentifier.pace),
      arcs.count == 2, let first = arcs.first, let last = arcs.last,
      let (agreement, mapping) = Self.mapping(arc: first),
      let cipher = SessionCipher(rawValue: last),
      mapping != .chipAuthentication || cipher != .tripleDES
    else { return nil }
    self.agreement = agreement
    self.mapping = mapping
    self.cipher = cipher
    objectIdentifier = identifier
  }

  /// The name of the object identifier, such as `id-PACE-DH-GM-3DES-CBC-CBC`.
  var name: String {
    let cipher =
      switch cipher {
      case .tripleDES: "3DES-CBC-CBC"
      case .aes128: "AES-CBC-CMAC-128"
      case .aes192: "AES-CBC-CMAC-192"
      case .aes256: "AES-CBC-CMAC-256"
      }
    return "id-PACE-\("\(agreement)".uppercased())-\(mapping.rawValue)-\(cipher)"
  }

  /// Agreement and mapping by their arc: 5 is not in use, nor is chip-authentication mapping with DH.
  static func mapping(arc: UInt8) -> (agreement: KeyAgreementMethod, mapping: Mapping)? {
    switch arc {
    case 1: (.dh, .generic)
    case 2: (.ecdh, .generic)
    case 3: (.dh, .integrated)
    case 4: (.ecdh, .integrated)
    case 6: (.ecdh, .chipAuthentication)
    default: nil
    }
  }
}

/// The two methods of key agreement in documents (Doc 9303-11 §9.4), by their arcs below id-PK and id-CA.
enum KeyAgreementMethod: UInt8, Sendable, Hashable, CaseIterable {
  /// Diffie–Hellman in a prime field (PKCS #3, X9.42).
  case dh = 1
  /// Diffie–Hellman on an elliptic curve (ECKA of BSI TR-03111).
  case ecdh
}

/// Object identifiers of a document's protocols, as the content octets of their DER encoding.
enum ProtocolIdentifier {
  /// bsi-de protocols smartcard, 0.4.0.127.0.7.2.2 (BSI TR-03110-3 §A.1.1). Every arc below it fits one octet.
  static let smartcard: [UInt8] = [0x04, 0x00, 0x7F, 0x00, 0x07, 0x02, 0x02]
  /// id-PK: a static public key of chip authentication (BSI TR-03110-3 §A.1.1.3).
  static let publicKey = smartcard + [0x01]
  /// id-TA (§A.1.1.4).
  static let terminalAuthentication = smartcard + [0x02]
  /// id-CA (§A.1.1.3).
  static let chipAuthentication = smartcard + [0x03]
  /// id-PACE (§A.1.1.1; Doc 9303-11 §9.2.3).
  static let pace = smartcard + [0x04]
  /// id-icao-mrtd-security-aaProtocolObject, 2.23.136.1.1.5 (Doc 9303-11 §9.2.4).
  static let activeAuthentication: [UInt8] = [0x67, 0x81, 0x08, 0x01, 0x01, 0x05]
  /// id-EFDIR, 2.23.136.1.1.13 (Doc 9303-11 §9.2.9).
  static let directory: [UInt8] = [0x67, 0x81, 0x08, 0x01, 0x01, 0x0D]

  /// The rest of an object identifier after one of these arcs; `nil` if it is not below it.
  static func arcs(of identifier: [UInt8], below arc: [UInt8]) -> [UInt8]? {
    identifier.starts(with: arc) ? [UInt8](identifier.dropFirst(arc.count)) : nil
  }
}
