import CIECard
import Primitives
import Synchronization
import TestSupport

/// A signature algorithm of an invented State, whose keys OpenSSL makes.
enum StateScheme: Hashable {
  case rsa(HashAlgorithm), rsaAlone(HashAlgorithm), pss(HashAlgorithm)
  case ecdsa(HashAlgorithm), plain(HashAlgorithm)
  case dsa(HashAlgorithm)

  var hash: HashAlgorithm {
    switch self {
    case .rsa(let hash), .rsaAlone(let hash), .pss(let hash), .ecdsa(let hash), .plain(let hash),
      .dsa(let hash):
      hash
    }
  }

  /// The AlgorithmIdentifier; that of a certificate always names the hash function.
  func identifier(inCertificate: Bool = false) -> [UInt8] {
    let pkcs1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]
    let x962: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04]
    let number = UInt8(HashAlgorithm.allCases.firstIndex(of: hash) ?? 0)
    switch self {
    case .rsaAlone where !inCertificate: return Form.algorithm(pkcs1 + [1], Form.null)
    case .rsa, .rsaAlone:
      return Form.algorithm(pkcs1 + [[5, 14, 11, 12, 13][Int(number)]], Form.null)
    case .pss:
      let generation = Form.algorithm(pkcs1 + [8], Form.algorithm(hash))
      let parameters = [Form.algorithm(hash), generation, Form.integer(UInt8(hash.length))]
      return Form.algorithm(
        pkcs1 + [10],
        Form.sequence(zip([0xA0, 0xA1, 0xA2], parameters).map { TLV.encode($0, $1) }))
    case .ecdsa: return Form.algorithm(x962 + (number == 0 ? [1] : [3, number]), [])
    case .plain: return Form.algorithm([4, 0, 0x7F, 0, 7, 1, 1, 4, 1, number + 1], [])
    case .dsa:
      return Form.algorithm([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, number], [])
    }
  }

  /// As the guideline has them for each hash function: 224, 224, 256, 384 and 512 bits.
  private var curve: (name: String, orderLength: Int) {
    switch hash.length {
    case ..<32: ("secp224r1", 28)
    case 32: ("prime256v1", 32)
    case 48: ("secp384r1", 48)
    default: ("brainpoolP512r1", 64)
    }
  }

  /// The private key of an owner, as PEM.
  func key(of owner: String) throws -> [UInt8] {
    switch self {
    case .rsa, .rsaAlone, .pss:
      return try OpenSSLKeys.made(owner + "RSA") {
        try OpenSSLKeys.run(["genpkey", "-algorithm", "RSA"])
      }
    case .ecdsa, .plain:
      return try OpenSSLKeys.made(owner + curve.name) {
        try OpenSSLKeys.run(
          ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve.name)"])
      }
    case .dsa:
      return try OpenSSLKeys.made(owner + "DSA") {
        let parameters = try OpenSSLKeys.run(
          ["genpkey", "-genparam", "-algorithm", "DSA", "-pkeyopt", "dsa_paramgen_bits:1024"])
        return try OpenSSLKeys.run(["genpkey", "-paramfile", "/dev/fd/3"], [3: parameters])
      }
    }
  }

  func sign(_ message: [UInt8], by owner: String) throws -> [UInt8] {
    var options: [String] = []
    if case .pss = self {
      options = [
        "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest",
      ]
    }
    let signature = try OpenSSLKeys.run(
      ["dgst", "-\(hash.rawValue)", "-sign", "/dev/fd/3"] + options, [3: key(of: owner)], message)
    guard case .plain = self else { return signature }
    var numbers = try TLVCursor(inside: DER.sequence, of: signature)
    return try [numbers.nextUnsigned(), numbers.nextUnsigned()].flatMap { number in
      [UInt8](repeating: 0, count: curve.orderLength - number.count) + number
    }
  }

  func publicKey(of owner: String) throws -> [UInt8] {
    try OpenSSLKeys.run(
      ["pkey", "-in", "/dev/fd/3", "-pubout", "-outform", "DER"], [3: key(of: owner)])
  }
}

/// Keys by OpenSSL's commands, made once.
enum OpenSSLKeys {
  struct Failure: Error { let errors: String }

  private static let keys = Mutex<[String: [UInt8]]>([:])

  static func made(_ name: String, _ make: () throws -> [UInt8]) throws -> [UInt8] {
    try keys.withLock { keys in
      let key = try keys[name] ?? make()
      keys[name] = key
      return key
    }
  }

  static func run(
    _ arguments: [String], _ descriptors: [CInt: [UInt8]] = [:], _ input: [UInt8] = []
  ) throws -> [UInt8] {
    let result = try BuiltBinary(path: "/usr/bin/openssl")
      .run(arguments, input: input, descriptors: descriptors)
    guard result.exitStatus == 0 else { throw Failure(errors: result.errors) }
    return result.standardOutput
  }
}

/// Forms of DER that certificates and signed data have in common.
enum Form {
  static let null: [UInt8] = [0x05, 0x00]

  static func sequence(_ parts: [[UInt8]]) -> [UInt8] { TLV.encode(DER.sequence, parts) }

  static func object(_ octets: [UInt8]) -> [UInt8] { TLV.encode(DER.objectIdentifier, octets) }

  static func integer(_ number: UInt8) -> [UInt8] { TLV.encode(DER.integer, [number]) }

  static func algorithm(_ octets: [UInt8], _ parameters: [UInt8]) -> [UInt8] {
    sequence([object(octets), parameters])
  }

  static func algorithm(_ hash: HashAlgorithm) -> [UInt8] {
    algorithm(hash.objectIdentifier, null)
  }

  /// A name: country, then common name.
  static func name(_ common: String) -> [UInt8] {
    sequence(
      [(0x06, DER.printableString, "IT"), (0x03, 0x0C, common)].map { (arc: UInt8, tag, text) in
        TLV.encode(
          DER.set, sequence([object([0x55, 0x04, arc]), TLV.encode(tag, [UInt8](text.utf8))]))
      })
  }
}
