import CIECard
import Testing

@testable import VirtualCIE

/// A small terminal for the card's own tests, written independently of CIECard's client: it follows the public
/// middleware, byte by byte, without any recovery from errors.
struct TestTerminal: ~Copyable {
  let card: VirtualCard
  var keys: (encryption: [UInt8], authentication: [UInt8])?
  var suite = CipherSuite.tripleDES
  var counter: UInt64 = 0
  var group: (g: [UInt8], p: [UInt8], q: [UInt8]) = ([], [], [])
  /// The whole conversation.
  var wire: [[UInt8]] = []

  init(_ card: VirtualCard) { self.card = card }

  init(_ persona: Persona, faults: FaultPlan = FaultPlan()) {
    card = VirtualCard(persona: persona, random: SeededRandom(seed: "card"), faults: faults)
  }

  /// One unchanged APDU.
  mutating func raw(_ command: [UInt8]) throws -> [UInt8] {
    let response = try card.respond(to: command)
    wire += [command, response]
    return response
  }

  /// One APDU and its GET RESPONSEs: data and status word.
  mutating func send(
    _ command: [UInt8], getResponseClass: UInt8 = 0
  ) throws -> (data: [UInt8], status: UInt16) {
    var response = try raw(command)
    var data = [UInt8](response.dropLast(2))
    while response[response.count - 2] == 0x61 {
      response = try raw([getResponseClass, 0xC0, 0, 0, response[response.count - 1]])
      data += response.dropLast(2)
    }
    return (data, response.suffix(2).reduce(0) { $0 << 8 | UInt16($1) })
  }

  /// A plain command from hexadecimal digits.
  mutating func plain(_ hex: String) throws -> (data: [UInt8], status: UInt16) {
    try send(HexText.decode(hex))
  }

  /// A plain command that must succeed.
  @discardableResult
  mutating func expect(_ hex: String) throws -> [UInt8] {
    let (data, status) = try plain(hex)
    #expect(status == 0x9000, "\(hex)")
    return data
  }

  /// One command under secure messaging.
  @discardableResult
  mutating func secure(
    _ header: [UInt8], _ data: [UInt8] = [], le: Int? = nil, extended: Bool = false
  ) throws -> (data: [UInt8], status: UInt16) {
    let command = try wrap(header, data, le: le, extended: extended)
    return try unwrap(try send(command), oddInstruction: header[1] & 1 == 1)
  }

  /// A command of any length in pieces of 231 bytes.
  mutating func secureChained(
    _ header: [UInt8], _ data: [UInt8]
  ) throws -> (data: [UInt8], status: UInt16) {
    var rest = data[...]
    while rest.count > 231 {
      let piece = try secure([0x10] + header.dropFirst(), [UInt8](rest.prefix(231)))
      #expect(piece.status == 0x9000)
      rest = rest.dropFirst(231)
    }
    return try secure(header, [UInt8](rest))
  }

  /// Protects a command; it advances the counter.
  mutating func wrap(
    _ header: [UInt8], _ data: [UInt8] = [], le: Int? = nil, extended: Bool = false
  ) throws -> [UInt8] {
    let keys = try #require(keys)
    counter += 1
    let head = [header[0] | 0x0C] + header.dropFirst()
    var body: [UInt8] = []
    if !data.isEmpty {
      let cryptogram = try suite.encrypt(
        suite.pad(data), key: Secret(keys.encryption), iv: vector(keys.encryption))
      body +=
        header[1] & 1 == 1
        ? BERObject.encode(0x85, cryptogram) : BERObject.encode(0x87, [1] + cryptogram)
    }
    if let le {
      body +=
        extended
        ? [0x97, 2, UInt8(le >> 8 & 0xFF), UInt8(le & 0xFF)] : [0x97, 1, UInt8(le & 0xFF)]
    }
    let mac = try suite.mac(
      suite.pad(suite.pad(counterBytes + head) + body), key: Secret(keys.authentication))
    body += [0x8E, 8] + mac
    return extended
      ? head + [0, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body + [0, 0]
      : head + [UInt8(body.count)] + body + [0]
  }

  /// Checks a protected response; it advances the counter.
  mutating func unwrap(
    _ response: (data: [UInt8], status: UInt16), oddInstruction: Bool = false
  ) throws -> (data: [UInt8], status: UInt16) {
    let keys = try #require(keys)
    guard !response.data.isEmpty else { return response }
    counter += 1
    let objects = try #require(BERObject.list(response.data))
    let mac = try #require(objects.last)
    try #require(mac.tag == 0x8E)
    let input = objects.dropLast().flatMap(\.encoded)
    let expected = try suite.mac(
      suite.pad(counterBytes + input), key: Secret(keys.authentication))
    guard mac.value == expected else { throw BadMAC() }
    let status = try #require(objects.first { $0.tag == 0x99 })
    let inner = status.value.reduce(0) { $0 << 8 | UInt16($1) }
    #expect(inner == response.status)
    guard let object = objects.first(where: { $0.tag == (oddInstruction ? 0x85 : 0x87) }) else {
      return ([], inner)
    }
    let cryptogram = [UInt8](object.value.dropFirst(oddInstruction ? 0 : 1))
    let padded = try suite.decrypt(
      cryptogram, key: Secret(keys.encryption), iv: vector(keys.encryption))
    let end = try #require(padded.lastIndex(of: 0x80))
    return ([UInt8](padded[..<end]), inner)
  }

  /// The response MAC is wrong.
  struct BadMAC: Error {}

  static func pad(_ bytes: [UInt8]) -> [UInt8] {
    var padded = bytes + [0x80]
    while padded.count % 8 != 0 { padded.append(0) }
    return padded
  }

  private func vector(_ key: [UInt8]) throws -> [UInt8]? {
    try suite.initialVector(counterBytes, key: Secret(key))
  }

  private var counterBytes: [UInt8] {
    let octets = (0..<8).map { index -> UInt8 in UInt8(counter >> (56 - 8 * index) & 0xFF) }
    return [UInt8](repeating: 0, count: suite.blockLength - 8) + octets
  }
}
