/// Hexadecimal text for tests: lenient about case and spaces, strict about everything else.
///
/// Kept apart from the code under test, so that a fault there cannot hide itself.
public enum Hex {
  /// The reason why a text is no byte string.
  public struct Malformed: Error, Equatable {
    /// The invalid text.
    public let text: String
  }

  /// The bytes of a text; spaces and line ends between digits are skipped.
  public static func bytes(_ text: String) throws(Malformed) -> [UInt8] {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text.utf8 {
      let value: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character & 0x0F
      case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
        value = (character & 0x0F) + 9
      case 0x09...0x0D, UInt8(ascii: " "): continue
      default: throw Malformed(text: text)
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    guard high == nil else { throw Malformed(text: text) }
    return bytes
  }

  /// The text of some bytes: capital letters, no spaces.
  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789ABCDEF")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}

/// A byte string of a vector file, written there as hexadecimal text.
public struct HexBytes: Decodable, Sendable, Equatable {
  /// The bytes.
  public let bytes: [UInt8]

  /// Decodes the text.
  public init(from decoder: any Decoder) throws {
    bytes = try Hex.bytes(decoder.singleValueContainer().decode(String.self))
  }
}
