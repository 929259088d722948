/// A variant of PACE: id-PACE, mapping with key agreement, cipher (Doc 9303-11 §9.2.3; BSI TR-03110-3 §A.1.1.1).
struct PACEProtocol: Sendable, Hashable {
  let agreement: KeyAgreementMethod
  let mapping: Mapping
  let cipher: SessionCipher

  /// Mappings of the nonce to a generator (Doc 9303-11 §4.4.3.3).
  enum Mapping: Sendable, Hashable, CaseIterable {
    /// Generic mapping, by a separate key agreement.
    case generic
    /// Integrated mapping, by a hash into the group.
    case integrated
    /// Generic mapping that authenticates the chip as well.
    case chipAuthentication
  }

  /// - Parameter identifier: the content octets of an object identifier.
  /// - Returns: `nil` if it names no variant, such as chip-authentication mapping with triple DES.
  init?(objectIdentifier identifier: [UInt8]) {
    guard let arcs = ProtocolIdentifier.arcs(of: identifier, below: ProtocolIdentifier.pace),
      arcs.count == 2, let first = arcs.first, let last = arcs.last,
      let (agreement, mapping) = Self.mapping(arc: first), let cipher = SessionCipher(arc: last),
      mapping != .chipAuthentication || cipher != .tripleDES
    else { return nil }
    self.agreement = agreement
    self.mapping = mapping
    self.cipher = cipher
  }

  /// The content octets of the object identifier, as in DO'80 of MSE:Set AT (Doc 9303-11 §4.4.4.1).
  var objectIdentifier: [UInt8] {
    ProtocolIdentifier.pace + [mappingArc, cipher.arc]
  }

  /// The name of the object identifier, such as `id-PACE-DH-GM-3DES-CBC-CBC`.
  var name: String {
    let agreement =
      switch agreement {
      case .dh: "DH"
      case .ecdh: "ECDH"
      }
    let mapping =
      switch mapping {
      case .generic: "GM"
      case .integrated: "IM"
      case .chipAuthentication: "CAM"
      }
    let cipher =
      switch cipher {
      case .tripleDES: "3DES-CBC-CBC"
      case .aes128: "AES-CBC-CMAC-128"
      case .aes192: "AES-CBC-CMAC-192"
      case .aes256: "AES-CBC-CMAC-256"
      }
    return "id-PACE-\(agreement)-\(mapping)-\(cipher)"
  }

  /// The arc of mapping and agreement: 5 is not in use, nor is chip-authentication mapping with DH.
  private var mappingArc: UInt8 {
    switch (mapping, agreement) {
    case (.generic, .dh): 1
    case (.generic, .ecdh): 2
    case (.integrated, .dh): 3
    case (.integrated, .ecdh): 4
    case (.chipAuthentication, .dh), (.chipAuthentication, .ecdh): 6
    }
  }

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

extension SessionCipher {
  /// The last arc of the protocols that open a session (BSI TR-03110-3 §A.1.1): 3DES-CBC-CBC, then
  /// AES-CBC-CMAC in order of key length.
  init?(arc: UInt8) {
    guard let cipher = Self.allCases.first(where: { $0.arc == arc }) else { return nil }
    self = cipher
  }

  var arc: UInt8 {
    switch self {
    case .tripleDES: 1
    case .aes128: 2
    case .aes192: 3
    case .aes256: 4
    }
  }
}

/// The two methods of key agreement in documents (Doc 9303-11 §9.4).
enum KeyAgreementMethod: Sendable, Hashable, CaseIterable {
  /// Diffie–Hellman in a prime field (PKCS #3, X9.42).
  case dh
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
