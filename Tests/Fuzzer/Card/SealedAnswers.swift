@testable import CIECard
@testable import VirtualCIE

/// Answers in secure messaging: unchanged, and under a MAC of the fuzzer, by which a chip that has agreed on keys may
/// lie.
extension FuzzTarget {
  static let secureMessaging = [
    answers("sm-3des", [.tripleDES]), answers("sm-aes", [.aes128, .aes192, .aes256]),
  ]

  private static func answers(_ name: String, _ ciphers: [SessionCipher]) -> FuzzTarget {
    FuzzTarget(name) {
      // Contents in clear, a status word alone, an answer in 85, and a block of padding.
      Seeds.behind(
        [[0, 0], [1, 1], [2, 2]],
        [
          [0x99, 2, 0x90, 0], [0x87, 9, 1] + [UInt8](repeating: 7, count: 8) + [0x99, 2, 0x90, 0],
          [0x85, 16] + [UInt8](repeating: 7, count: 16) + [0x99, 2, 0x62, 0x82],
          [1, 2, 3, 0x80] + [UInt8](repeating: 0, count: 12),
        ])
    } play: { probe in
      let (choices, rest) = probe.split(2)
      let cipher = ciphers[Int(choices[0]) % ciphers.count]
      let keys = SealedKeys(cipher)
      var messaging = SecureMessaging(
        keys: keys.terminal, counter: SendSequenceCounter(for: cipher))
      _ = try messaging.protect(.selectMasterFile, form: .short)
      switch choices[1] % 3 {
      case 0:
        let answer = try messaging.unprotect(ResponseAPDU(data: rest, status: .success))
        probe.fail("an answer without our MAC was taken: \(answer)")
      case 1:
        let sealed = rest + TLV.encode(0x8E, try keys.mac(over: rest))
        let answer = try messaging.unprotect(ResponseAPDU(data: sealed, status: .success))
        probe.require(answer.data.count < rest.count, "no more than came")
      default:
        let body = try keys.sealed(clear: rest) + [0x99, 2, 0x90, 0]
        let sealed = body + TLV.encode(0x8E, try keys.mac(over: body))
        let answer = try messaging.unprotect(ResponseAPDU(data: sealed, status: .success))
        probe.require(rest.starts(with: answer.data), "what was encrypted")
      }
    }
  }
}

/// Keys of both ends, and the card end's first answer made with them.
struct SealedKeys {
  let cipher: SessionCipher
  private let encryption: [UInt8]
  private let authentication: [UInt8]

  init(_ cipher: SessionCipher) {
    self.cipher = cipher
    encryption = (0..<cipher.keyLength).map { UInt8(0x10 + 3 * $0) }
    authentication = (0..<cipher.keyLength).map { UInt8(0x81 + 2 * $0) }
  }

  var terminal: CIECard.SessionKeys {
    CIECard.SessionKeys(
      cipher: cipher, encryption: Secret(encryption), authentication: Secret(authentication))
  }

  var card: VirtualCIE.SessionKeys {
    let suite: CipherSuite =
      switch cipher {
      case .tripleDES: .tripleDES
      case .aes128: .aes128
      case .aes192: .aes192
      case .aes256: .aes256
      }
    return VirtualCIE.SessionKeys(
      suite: suite, encryption: encryption, authentication: authentication,
      counter: [UInt8](repeating: 0, count: cipher.blockLength))
  }

  /// The second step of a counter that began at zero.
  private var counter: SendSequenceCounter {
    SendSequenceCounter([UInt8](repeating: 0, count: cipher.blockLength - 1) + [2])
  }

  func mac(over objects: [UInt8]) throws -> [UInt8] {
    var input = counter.bytes + objects
    BlockPadding.pad(&input, to: cipher.blockLength)
    return try cipher.authenticate(input, key: Secret(authentication))
  }

  /// The first whole blocks, encrypted unchanged: the padding is the fuzzer's.
  func sealed(clear: [UInt8]) throws -> [UInt8] {
    let blocks = [UInt8](clear.prefix(clear.count / cipher.blockLength * cipher.blockLength))
    guard !blocks.isEmpty else { return [] }
    let key = Secret(encryption)
    let text = try cipher.encrypt(
      secret: Secret(blocks), key: key, iv: cipher.initialVector(counter, key: key))
    return TLV.encode(0x87, [1] + text)
  }
}
