/// An attacker's changes to a text at one place.
enum Mutations {
  /// Every prefix, every deletion of one byte, and every byte replaced by each of a set of dangerous ones.
  static func of(_ text: String) -> [[UInt8]] {
    let bytes = [UInt8](text.utf8)
    let dangerous = [UInt8]("\0\t\n \"#%&+./:;=?@[\\]_azAZ09".utf8) + [0x7F, 0x80, 0xC3, 0xFF]
    var all: [[UInt8]] = []
    for index in bytes.indices {
      all.append(Array(bytes[..<index]))
      all.append(Array(bytes[..<index] + bytes[(index + 1)...]))
      for byte in dangerous where byte != bytes[index] {
        all.append(Array(bytes[..<index] + [byte] + bytes[(index + 1)...]))
      }
    }
    return all
  }
}
