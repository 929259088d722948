internal import CPersonaData
internal import Primitives

/// The data files of one persona, as `tools/make personas` writes them; they are compiled into the program.
///
/// Files are read on use. A missing or malformed file is empty, which the tests report with its
/// name.
struct PersonaFiles: Sendable {
  let folder: String

  subscript(name: String) -> [UInt8] {
    let file = personaFile(folder, name)
    return file.bytes.map { [UInt8](UnsafeBufferPointer(start: $0, count: file.count)) } ?? []
  }

  func text(_ name: String) -> PersonaText { PersonaText(self[name]) }

  /// A private key, RSAPrivateKey (RFC 8017 §A.1.2): version, n, e, d, p, q, dP, dQ, qInv.
  func privateKey(_ name: String) -> RSAPrivateKey {
    let numbers = numbers(name)
    return RSAPrivateKey(
      modulus: numbers.dropFirst().first ?? [], parts: [[UInt8]](numbers.dropFirst(4)))
  }

  /// A public key, RSAPublicKey (RFC 8017 §A.1.1): n, e.
  func publicKey(_ name: String) -> (modulus: [UInt8], exponent: [UInt8]) {
    let numbers = numbers(name)
    return numbers.count == 2 ? (numbers[0], numbers[1]) : ([], [])
  }

  /// The members of a SEQUENCE of INTEGERs, without leading zeros.
  private func numbers(_ name: String) -> [[UInt8]] {
    guard let sequence = BERObject.single(0x30, self[name]),
      let members = BERObject.list(sequence.value), members.allSatisfy({ $0.tag == 0x02 })
    else { return [] }
    return members.map { [UInt8]($0.value.drop { $0 == 0 }) }
  }
}

/// A text file of a persona: one `name: value` per line; lines without a colon, or beginning with
/// #, are comments.
///
/// Not JSON, because that would need Foundation, and these files need no more.
struct PersonaText {
  private let lines: [(name: Substring, value: String)]

  init(_ bytes: [UInt8]) {
    lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard !line.hasPrefix("#"), let colon = line.firstIndex(of: ":") else { return nil }
      return (line[..<colon], String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
  }

  /// The first value of this name; empty if there is none.
  subscript(name: String) -> String { values(name).first ?? "" }

  func values(_ name: String) -> [String] { lines.filter { $0.name == name }.map(\.value) }

  /// The `label=value` words of a value.
  static func words(_ value: String) -> [String: String] {
    var words: [String: String] = [:]
    for word in value.split(separator: " ") {
      let sides = word.split(separator: "=", maxSplits: 1)
      if sides.count == 2 { words[String(sides[0])] = String(sides[1]) }
    }
    return words
  }
}
