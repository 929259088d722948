extension [UInt8] {
  /// A file that has the form of a PKCS #11 module, and that no program loads.
  static func module(_ end: UInt8 = 0) -> [UInt8] {
    [0x7F] + "ELF".utf8 + [2] + [UInt8](repeating: 0, count: 11) + [3, 0]
      + "C_GetFunctionList\0".utf8 + [end]
  }
}
