/// A PACEInfo that OpenPACE supports; `Tests/Peers/combination.py` has the same list.
struct PeerCombination: CustomStringConvertible, Equatable, Sendable {
  /// Doc 9303-11 section 9.2.4, the mappings that OpenPACE in Debian has.
  enum Mapping: UInt8, CaseIterable {
    case finiteField = 1
    case ellipticCurve = 2

    var name: String {
      switch self {
      case .finiteField: "DH-GM"
      case .ellipticCurve: "ECDH-GM"
      }
    }

    /// Doc 9303-11 section 9.5.1, the standardised domain parameters.
    var parameters: ClosedRange<UInt8> {
      switch self {
      case .finiteField: 0...2
      case .ellipticCurve: 8...18
      }
    }
  }

  /// Doc 9303-11 section 9.2.4.
  enum Cipher: UInt8, CaseIterable, CustomStringConvertible {
    case tripleDES = 1
    case aes128 = 2
    case aes192 = 3
    case aes256 = 4

    var description: String {
      switch self {
      case .tripleDES: "3DES"
      case .aes128: "AES-128"
      case .aes192: "AES-192"
      case .aes256: "AES-256"
      }
    }
  }

  let mapping: Mapping
  let cipher: Cipher
  let parameter: UInt8

  /// All 14 groups with one cipher.
  static func every(_ cipher: Cipher) -> [PeerCombination] {
    Mapping.allCases.flatMap { mapping in
      mapping.parameters.map { PeerCombination(mapping: mapping, cipher: cipher, parameter: $0) }
    }
  }

  /// The peers' name for it on their command lines and in their output.
  var description: String { "\(mapping.name)/\(cipher)/\(parameter)" }

  /// The name of the object identifier, Doc 9303-11 section 9.2.4.
  var protocolName: String {
    let name =
      switch cipher {
      case .tripleDES: "3DES-CBC-CBC"
      case .aes128, .aes192, .aes256: "AES-CBC-CMAC-\(cipher.description.suffix(3))"
      }
    return "id-PACE-\(mapping.name)-\(name)"
  }

  /// The name in the options of `VirtualCIE`.
  var option: String {
    let name =
      switch cipher {
      case .tripleDES: "3des"
      case .aes128: "aes128"
      case .aes192: "aes192"
      case .aes256: "aes256"
      }
    return "pace=gm-\(name)-\(parameter)"
  }

  /// Turns a card of the tests into this combination; no card in the field knows the command.
  var command: [UInt8] { [0x80, 0x01, mapping.rawValue << 4 | cipher.rawValue, parameter] }

  /// The combination requested by such a command.
  init?(command: [UInt8]) {
    let every = Cipher.allCases.flatMap(Self.every)
    guard let found = every.first(where: { $0.command == command }) else { return nil }
    self = found
  }

  init(mapping: Mapping, cipher: Cipher, parameter: UInt8) {
    self.mapping = mapping
    self.cipher = cipher
    self.parameter = parameter
  }

  /// The EF.CardAccess that announces only this: a SET of one PACEInfo, Doc 9303-11 section 9.2.1.
  var cardAccess: [UInt8] {
    [0x31, 0x14, 0x30, 0x12, 0x06, 0x0A, 0x04, 0x00, 0x7F, 0x00, 0x07, 0x02, 0x02, 0x04]
      + [mapping.rawValue, cipher.rawValue, 0x02, 0x01, 0x02, 0x02, 0x01, parameter]
  }
}
