internal import Primitives

/// Encrypts the strings and the data of an object in an encrypted file (ISO 32000-2 §7.6.3).
struct ObjectCipher {
  private let handler: SecurityHandler
  /// Object and generation number, as algorithm 1 takes them.
  private let suffix: [UInt8]

  init(_ handler: SecurityHandler, number: Int, generation: Int) {
    self.handler = handler
    suffix =
      [0, 8, 16].map { UInt8(truncatingIfNeeded: number >> $0) }
      + [0, 8].map { UInt8(truncatingIfNeeded: generation >> $0) }
  }

  /// Data of a stream.
  func stream(_ bytes: [UInt8]) throws(PDFError) -> [UInt8] {
    try encrypted(bytes, handler.streams)
  }

  /// The syntax of an object with its strings encrypted.
  ///
  /// - Parameters:
  ///   - plain: syntax as qpdf and this module write it.
  ///   - head: the number of bytes at its beginning that stay, for Contents of a signature.
  func syntax(_ plain: [UInt8], sparing head: Int) throws(PDFError) -> [UInt8] {
    var output = [UInt8](plain.prefix(head))
    var rest = plain.dropFirst(head)
    while let byte = rest.first {
      let string: [UInt8]
      switch byte {
      case UInt8(ascii: "("):
        string = Self.literal(&rest)
      case UInt8(ascii: "<") where rest.dropFirst().first != UInt8(ascii: "<"):
        let digits = rest.dropFirst().prefix { $0 != UInt8(ascii: ">") }
        string = [UInt8](hexadecimal: String(decoding: digits, as: UTF8.self)) ?? []
        rest = rest.dropFirst(digits.count + 2)
      default:
        let length = byte == UInt8(ascii: "<") ? 2 : 1
        output += rest.prefix(length)
        rest = rest.dropFirst(length)
        continue
      }
      output += PDFSyntax.string(try encrypted(string, handler.strings))
    }
    return output
  }

  /// Algorithms 1 and 1.A. AES has a random initial vector in front, and 1 to 16 bytes of padding.
  private func encrypted(
    _ bytes: [UInt8], _ method: SecurityHandler.Method
  ) throws(PDFError) -> [UInt8] {
    do throws(CryptoError) {
      switch method {
      case .none: return bytes
      case .rc4: return try RC4.apply(bytes, key: key([]))
      case .aes128: return try Self.padded(bytes, key: key([UInt8]("sAlT".utf8)))
      case .aes256: return try Self.padded(bytes, key: handler.key)
      }
    } catch { throw .cms(.crypto(error)) }
  }

  private func key(_ salt: [UInt8]) throws(CryptoError) -> [UInt8] {
    [UInt8](try MD5.hash(handler.key, suffix, salt).prefix(min(16, handler.key.count + 5)))
  }

  private static func padded(_ bytes: [UInt8], key: [UInt8]) throws(CryptoError) -> [UInt8] {
    var random = SystemRandom()
    let vector = try random.bytes(AES.blockLength)
    let count = AES.blockLength - bytes.count % AES.blockLength
    let padding = [UInt8](repeating: UInt8(count), count: count)
    return vector + (try AES.encrypt(bytes + padding, key: Secret(key), iv: vector))
  }

  /// Takes a literal string from the beginning (ISO 32000-2 §7.3.4.2).
  private static func literal(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    var string: [UInt8] = []
    var depth = 0
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"):
        if let escaped = escaped(&rest) { string.append(escaped) }
        continue
      case UInt8(ascii: "("):
        depth += 1
        if depth == 1 { continue }
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return string }
      default: break
      }
      string.append(byte)
    }
    return string
  }

  private static func escaped(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
    let digits = rest.prefix(3).prefix { (0x30...0x37).contains($0) }
    if !digits.isEmpty {
      rest = rest.dropFirst(digits.count)
      return UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 8 + Int($1) - 0x30 })
    }
    switch rest.popFirst() {
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case 0x0A: return nil
    case let byte: return byte
    }
  }
}
