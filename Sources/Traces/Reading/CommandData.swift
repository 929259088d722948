internal import Primitives

/// The parts of a command or an answer that are data objects.
package enum CommandData {
  /// The data field of a command APDU (ISO/IEC 7816-3 §12.1.3); empty if it has none.
  package static func field(of command: [UInt8]) -> [UInt8] {
    guard command.count > 5 else { return [] }
    if command[4] != 0 { return [UInt8](command.dropFirst(5).prefix(Int(command[4]))) }
    guard command.count > 7 else { return [] }
    return [UInt8](command.dropFirst(7).prefix(Int(command[5]) << 8 | Int(command[6])))
  }

  /// The tags of a field that consists of data objects, as `87 97 8E`; empty for any other field.
  package static func tags(of field: [UInt8]) -> [String] {
    guard !field.isEmpty, let objects = try? TLVCursor(field).all() else { return [] }
    return objects.map { object in
      let digits = String(object.tag, radix: 16, uppercase: true)
      return digits.count.isMultiple(of: 2) ? digits : "0" + digits
    }
  }
}
