internal import Primitives

/// The name of a command by its header (ISO/IEC 7816-4 and -8; IAS ECC §9; Doc 9303-11).
package enum CommandName {
  /// - Parameter header: CLA, INS, P1 and P2; empty for a power cycle.
  package static func of(_ header: [UInt8]) -> String {
    guard header.count == 4 else { return "-" }
    switch header[1] {
    case 0x20: return "VERIFY"
    case 0x22: return "MSE \(operation(header[2])) \(template(header[3]))"
    case 0x24: return "CHANGE REFERENCE DATA"
    case 0x2A: return "PSO \(operation(header[2], header[3]))"
    case 0x2C: return "RESET RETRY COUNTER"
    case 0x82: return "EXTERNAL AUTHENTICATE"
    case 0x84: return "GET CHALLENGE"
    case 0x86, 0x87: return "GENERAL AUTHENTICATE"
    case 0x88: return "INTERNAL AUTHENTICATE"
    case 0xA4: return "SELECT"
    case 0xB0, 0xB1: return "READ BINARY"
    case 0xC0: return "GET RESPONSE"
    case 0xCA, 0xCB: return "GET DATA"
    default: return "INS \([header[1]].hexadecimal)"
    }
  }

  /// P1 of MANAGE SECURITY ENVIRONMENT (ISO/IEC 7816-4 §11.5.11).
  private static func operation(_ parameter: UInt8) -> String {
    switch parameter {
    case 0xF2: "STORE"
    case 0xF3: "RESTORE"
    case 0xF4: "ERASE"
    default: "SET"
    }
  }

  /// P2 of MANAGE SECURITY ENVIRONMENT: a control reference template, or the number of an environment.
  private static func template(_ parameter: UInt8) -> String {
    switch parameter {
    case 0xA4: "AT"
    case 0xA6: "KAT"
    case 0xAA: "HT"
    case 0xB4: "CCT"
    case 0xB6: "DST"
    case 0xB8: "CT"
    default: [parameter].hexadecimal
    }
  }

  /// P1 and P2 of PERFORM SECURITY OPERATION (ISO/IEC 7816-8 §11).
  private static func operation(_ first: UInt8, _ second: UInt8) -> String {
    switch (first, second) {
    case (0x00, 0xAE), (0x00, 0xBE): "VERIFY CERTIFICATE"
    case (0x9E, 0x9A): "COMPUTE DIGITAL SIGNATURE"
    case (0x90, 0x80), (0x90, 0xA0): "HASH"
    default: [first, second].hexadecimal
    }
  }
}

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
