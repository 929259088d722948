/// A command as parsed by the card (ISO/IEC 7816-3 §12.1: cases 1 to 4, short and extended).
struct CardCommand: Equatable {
  var cla: UInt8
  let ins: UInt8
  let p1: UInt8
  let p2: UInt8
  var data: [UInt8] = []
  /// Maximum number of response bytes expected; nil if the Le field is absent.
  var expected: Int?
  /// True if the length fields have the extended form.
  var isExtended = false

  /// Class bit 5: more pieces of this command follow (ISO/IEC 7816-4 §5.3.3).
  static let chainingBit: UInt8 = 0x10
  /// Class bits 4 and 3: secure messaging with authenticated header (ISO/IEC 7816-4 §5.4.1).
  static let secureBits: UInt8 = 0x0C

  var isChained: Bool { cla & Self.chainingBit != 0 }
  var isSecured: Bool { cla & Self.secureBits == Self.secureBits }
  var parameters: UInt16 { UInt16(p1) << 8 | UInt16(p2) }

}

extension CardCommand {
  /// Splits a command APDU; nil if its lengths are inconsistent.
  init?(splitting bytes: [UInt8]) {
    guard bytes.count >= 4 else { return nil }
    let body = bytes.dropFirst(4)
    guard let lengths = Body(body) else { return nil }
    self.init(
      cla: bytes[0], ins: bytes[1], p1: bytes[2], p2: bytes[3], data: [UInt8](lengths.data),
      expected: lengths.expected, isExtended: lengths.isExtended)
  }

  /// The fields after the four header bytes.
  private struct Body {
    var data: ArraySlice<UInt8> = []
    var expected: Int?
    var isExtended = false

    init?(_ body: ArraySlice<UInt8>) {
      guard let first = body.first else { return }  // case 1
      let rest = body.dropFirst()
      if rest.isEmpty {  // case 2, short
        expected = first == 0 ? 256 : Int(first)
      } else if first != 0 {  // cases 3 and 4, short
        let length = Int(first)
        data = rest.prefix(length)
        switch rest.count - length {
        case 0: break
        case 1: expected = rest.last.map { $0 == 0 ? 256 : Int($0) }
        default: return nil
        }
      } else {
        isExtended = true
        guard let length = Self.number(rest.prefix(2)) else { return nil }
        let tail = rest.dropFirst(2)
        if tail.isEmpty {  // case 2, extended
          expected = length == 0 ? 65_536 : length
          return
        }
        guard length > 0 else { return nil }
        data = tail.prefix(length)
        switch tail.count - length {  // cases 3 and 4, extended
        case 0: break
        case 2: expected = Self.number(tail.suffix(2)).map { $0 == 0 ? 65_536 : $0 }
        default: return nil
        }
      }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
      guard bytes.count == 2 else { return nil }
      return bytes.reduce(0) { $0 << 8 | Int($1) }
    }
  }
}
