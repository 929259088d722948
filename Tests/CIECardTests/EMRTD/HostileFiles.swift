@testable import CIECard

/// Files that were cut, changed or made to harm a parser.
enum HostileFiles {
  /// Every proper prefix.
  static func prefixes(of file: [UInt8]) -> [[UInt8]] {
    file.indices.map { [UInt8](file.prefix($0)) }
  }

  /// The file with one byte changed, at each of the positions: to every other value in a small file, else with
  /// four masks.
  static func changes(of file: [UInt8], at positions: some Sequence<Int>) -> [[UInt8]] {
    let masks: [UInt8] = file.count <= 128 ? [UInt8](1...255) : [0x01, 0x10, 0x80, 0xFF]
    return positions.flatMap { position in
      masks.map { mask in
        var changed = file
        changed[position] ^= mask
        return changed
      }
    }
  }

  /// Lengths far beyond the end, no length at all, and a thousand nested objects.
  static func madeUp(tag: UInt32, inner: [UInt32]) -> [[UInt8]] {
    let lengths: [[UInt8]] = [
      [0x84, 0x7F, 0xFF, 0xFF, 0xFF], [0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x83, 0xFF, 0xFF, 0xFF],
      [0x88, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x80], [0xFF], [0x00],
    ]
    let tagBytes = bytes(of: tag)
    var files: [[UInt8]] = [[], tagBytes]
    for length in lengths {
      files.append(tagBytes + length + [0x30, 0x03, 0x02, 0x01, 0x01])
      for inside in inner {
        let object = bytes(of: inside) + length
        files.append(TLV.encode(tag, object))
        files.append(TLV.encode(tag, object + object))
      }
    }
    return files + ([tag] + inner).map { TLV.encode(tag, nested($0)) }
  }

  private static func bytes(of tag: UInt32) -> [UInt8] {
    [UInt8](TLV.encode(tag, [UInt8]()).dropLast())
  }

  private static func nested(_ tag: UInt32) -> [UInt8] {
    (0..<1000).reduce([UInt8]()) { inside, _ in TLV.encode(tag, inside) }
  }
}
