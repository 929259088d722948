// Deliberately written apart from CIECard: the card's side of secure messaging.

internal import CIECard

/// Secure messaging as the card does it: opens commands, seals responses
/// (IAS ECC §7.1.5–7.1.9: two-key 3DES in CBC mode, retail MAC, zero IVs, 8-byte counter).
struct CardSession: ~Copyable {
  private let encryption: Secret
  private let authentication: Secret
  private(set) var counter: [UInt8]

  /// A session with given keys.
  ///
  /// - Parameters:
  ///   - encryption: KENC, 16 bytes.
  ///   - authentication: KMAC, 16 bytes.
  ///   - counter: 8 bytes; the first command uses the number after it.
  init(encryption: [UInt8], authentication: [UInt8], counter: [UInt8]) {
    self.encryption = Secret(encryption)
    self.authentication = Secret(authentication)
    self.counter = counter
  }

  /// The session that a Diffie–Hellman agreement begins: KENC and KMAC are the first 16 bytes of
  /// SHA-256(Z ‖ 1) and SHA-256(Z ‖ 2), the counter starts at 1 (IAS ECC §7.2.4).
  init(sharedSecret: [UInt8]) throws(CryptoError) {
    let first = try HashAlgorithm.sha256.hash(sharedSecret, [0, 0, 0, 1])
    let second = try HashAlgorithm.sha256.hash(sharedSecret, [0, 0, 0, 2])
    self.init(
      encryption: [UInt8](first.prefix(TripleDES.keyLength)),
      authentication: [UInt8](second.prefix(TripleDES.keyLength)),
      counter: [0, 0, 0, 0, 0, 0, 0, 1])
  }

  /// Goes on with another counter: RND.ICC[4..8) ‖ RND.IFD[4..8) after device authentication.
  mutating func restart(counter: [UInt8]) { self.counter = counter }

  /// Checks a protected command and gives the plain one.
  ///
  /// The class byte keeps its chaining bit and its secure-messaging bits. Any refusal is final: the caller
  /// drops the session.
  mutating func open(_ command: CardCommand) throws(Refusal) -> CardCommand {
    counter = Self.next(counter)
    let objects = try ProtectedCommand(command)
    do throws(CryptoError) {
      let header = Self.pad(counter + [command.cla, command.ins, command.p1, command.p2])
      // A command without data and without Le: IAS hosts pad the padded header once more, others do not.
      let inputs =
        objects.authenticated.isEmpty
        ? [Self.pad(header), header] : [Self.pad(header + objects.authenticated)]
      var isAuthentic = false
      for input in inputs {
        let mac = try RetailMAC.compute(input, key: authentication)
        if ConstantTime.equal(mac, objects.mac) { isAuthentic = true }
      }
      guard isAuthentic else { throw CryptoError("command MAC") }
      var plain = command
      plain.expected = objects.expected
      plain.data = []
      if let cryptogram = objects.cryptogram {
        guard !cryptogram.isEmpty,
          let data = Self.unpad(try TripleDES.decrypt(cryptogram, key: encryption))
        else { throw CryptoError("command cryptogram") }
        plain.data = data
      }
      return plain
    } catch {
      throw Refusal(.secureMessagingObjectIncorrect)
    }
  }

  /// Protects a response; the status word is repeated outside by the caller.
  ///
  /// - Parameters:
  ///   - oddInstruction: whether the command had an odd instruction byte, which takes DO85 in place of DO87.
  ///   - flaw: what to do wrong on purpose.
  mutating func seal(
    _ answer: Answer, oddInstruction: Bool, flaw: Flaw? = nil
  ) throws(CryptoError) -> [UInt8] {
    let stale = Self.previous(Self.previous(counter))
    counter = Self.next(counter)
    var body: [UInt8] = []
    if !answer.data.isEmpty {
      let cryptogram = try TripleDES.encrypt(Self.pad(answer.data), key: encryption)
      body +=
        oddInstruction
        ? BERObject.encode(0x85, cryptogram) : BERObject.encode(0x87, [1], cryptogram)
    }
    body += BERObject.encode(0x99, answer.status.bytes)
    let input = Self.pad((flaw == .staleCounter ? stale : counter) + body)
    var mac = try RetailMAC.compute(input, key: authentication)
    if flaw == .wrongMAC, let last = mac.popLast() { mac.append(last ^ 1) }
    return body + BERObject.encode(0x8E, mac)
  }

  /// What `seal` can do wrong.
  enum Flaw {
    /// One bit of the MAC is flipped.
    case wrongMAC
    /// The MAC is over the counter of the response before.
    case staleCounter
  }

  /// ISO/IEC 9797-1 padding method 2 to 8-byte blocks.
  static func pad(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [0x80] + [UInt8](repeating: 0, count: 7 - bytes.count % 8)
  }

  private static func unpad(_ bytes: [UInt8]) -> [UInt8]? {
    guard let end = bytes.lastIndex(where: { $0 != 0 }), bytes[end] == 0x80,
      bytes.count - end <= TripleDES.blockLength
    else { return nil }
    return [UInt8](bytes[..<end])
  }

  private static func next(_ counter: [UInt8]) -> [UInt8] { step(counter) { $0 &+ 1 } }
  private static func previous(_ counter: [UInt8]) -> [UInt8] { step(counter) { $0 &- 1 } }

  private static func step(_ counter: [UInt8], _ change: (UInt64) -> UInt64) -> [UInt8] {
    let number = change(counter.reduce(0) { $0 << 8 | UInt64($1) })
    return (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }
}
