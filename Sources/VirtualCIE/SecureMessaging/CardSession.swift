internal import CIECard

/// The card's side of secure messaging: opens commands, seals responses (IAS ECC §7.1.5–7.1.9 and
/// Doc 9303-11 §9.8, which agree for 3DES; AES has longer blocks and counters, and IVs derived from
/// the counter).
struct CardSession: ~Copyable {
  private let suite: CipherSuite
  private let encryption: Secret
  private let authentication: Secret
  private(set) var counter: [UInt8]

  init(_ keys: SessionKeys) {
    suite = keys.suite
    encryption = Secret(keys.encryption)
    authentication = Secret(keys.authentication)
    counter = keys.counter
  }

  /// Continues with another counter: RND.ICC[4..8) ‖ RND.IFD[4..8) after device authentication.
  mutating func restart(counter: [UInt8]) { self.counter = counter }

  /// Checks a protected command and returns the plain one.
  ///
  /// The class byte keeps its chaining bit and its secure-messaging bits. Any refusal is final: the caller
  /// drops the session.
  mutating func open(_ command: CardCommand) throws(Refusal) -> CardCommand {
    counter = Self.next(counter)
    let objects = try ProtectedCommand(command)
    do throws(CryptoError) {
      // The counter is a whole block, so this pads the header alone.
      let header = suite.pad(counter + [command.cla, command.ins, command.p1, command.p2])
      // A command without data and without Le: IAS hosts pad the padded header once more, others do
      // not.
      let inputs =
        objects.authenticated.isEmpty
        ? [suite.pad(header), header] : [suite.pad(header + objects.authenticated)]
      var isAuthentic = false
      for input in inputs {
        let mac = try suite.mac(input, key: authentication)
        if ConstantTime.equal(mac, objects.mac) { isAuthentic = true }
      }
      guard isAuthentic else { throw CryptoError("command MAC") }
      var plain = command
      plain.expected = objects.expected
      plain.data = []
      if let cryptogram = objects.cryptogram {
        guard !cryptogram.isEmpty,
          let data = suite.unpad(
            try suite.decrypt(
              cryptogram, key: encryption, iv: suite.initialVector(counter, key: encryption)))
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
  ///   - oddInstruction: true for an odd instruction byte, which uses DO85 instead of DO87.
  ///   - flaw: a deliberate fault.
  mutating func seal(
    _ answer: Answer, oddInstruction: Bool, flaw: Flaw? = nil
  ) throws(CryptoError) -> [UInt8] {
    let stale = Self.previous(Self.previous(counter))
    counter = Self.next(counter)
    var body: [UInt8] = []
    if !answer.data.isEmpty {
      let cryptogram = try suite.encrypt(
        suite.pad(answer.data), key: encryption,
        iv: suite.initialVector(counter, key: encryption))
      body +=
        oddInstruction
        ? BERObject.encode(0x85, cryptogram) : BERObject.encode(0x87, [1], cryptogram)
    }
    body += BERObject.encode(0x99, answer.status.bytes)
    let input = suite.pad((flaw == .staleCounter ? stale : counter) + body)
    var mac = try suite.mac(input, key: authentication)
    if flaw == .wrongMAC, let last = mac.popLast() { mac.append(last ^ 1) }
    return body + BERObject.encode(0x8E, mac)
  }

  enum Flaw {
    case wrongMAC
    case staleCounter
  }

  private static func next(_ counter: [UInt8]) -> [UInt8] { step(counter, 0xFF) { $0 &+ 1 } }
  private static func previous(_ counter: [UInt8]) -> [UInt8] { step(counter, 0) { $0 &- 1 } }

  /// Changes the last byte, and carries to the one before it while a byte has this value.
  private static func step(
    _ counter: [UInt8], _ carrying: UInt8, _ change: (UInt8) -> UInt8
  ) -> [UInt8] {
    var counter = counter
    for index in counter.indices.reversed() {
      let carries = counter[index] == carrying
      counter[index] = change(counter[index])
      if !carries { break }
    }
    return counter
  }
}

/// The data objects of a command under secure messaging: [87 or 85] [97] 8E, in this order
/// (ISO/IEC 7816-4 §10; IAS ECC §7.1.6).
struct ProtectedCommand {
  /// The cryptogram, without DO87's padding indicator; nil when the command has no data.
  private(set) var cryptogram: [UInt8]?
  /// The plain command's Ne; nil when DO97 is absent.
  private(set) var expected: Int?
  /// The value of DO8E, eight bytes.
  let mac: [UInt8]
  /// The objects before DO8E, as received.
  private(set) var authenticated: [UInt8] = []

  /// Parses the objects of a command: 6987 if one is missing, 6988 if one is wrong.
  init(_ command: CardCommand) throws(Refusal) {
    guard !command.data.isEmpty else { throw Refusal(.secureMessagingObjectMissing) }
    guard var objects = BERObject.list(command.data) else {
      throw Refusal(.secureMessagingObjectIncorrect)
    }
    guard let last = objects.popLast(), last.tag == 0x8E else {
      throw Refusal(.secureMessagingObjectMissing)
    }
    mac = last.value
    for object in objects {
      authenticated += object.encoded
      switch object.tag {
      case 0x87 where cryptogram == nil && expected == nil && command.ins & 1 == 0:
        guard object.value.first == 1 else { throw Refusal(.secureMessagingObjectIncorrect) }
        cryptogram = [UInt8](object.value.dropFirst())
      case 0x85 where cryptogram == nil && expected == nil && command.ins & 1 == 1:
        cryptogram = object.value
      case 0x97 where expected == nil && (1...2).contains(object.value.count):
        let number = object.value.reduce(0) { $0 << 8 | Int($1) }
        expected = number > 0 ? number : object.value.count == 1 ? 256 : 65_536
      default:
        throw Refusal(.secureMessagingObjectIncorrect)
      }
    }
  }
}
