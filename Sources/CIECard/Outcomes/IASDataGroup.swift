extension AuthenticityReport {
  /// The files of the CIE's IAS application that its security object covers, with their numbers in
  /// it (CIE 3.0 chip specification annex A; the numbers as in the official middleware).
  public enum IASDataGroup: UInt8, Sendable, Hashable, CaseIterable {
    /// EF.ID_Servizi (1001), the services number, NIS: its 12 digits.
    case servicesNumber = 0xA1
    /// EF.Seriale (1002), the document number: its first 9 characters. Only after the PIN.
    case documentNumber = 0xA2
    /// EF.Cert_CIE (1003), the holder's certificate. Only after the PIN.
    case certificate = 0xA3
    /// EF.Int.Kpub (1004), the public key of device authentication.
    case deviceKey = 0xA4
    /// EF.Servizi_Int.Kpub (1005), the public key that verifies challenge responses.
    case servicesKey = 0xA5
    /// EF.DH (D004), the Diffie–Hellman parameters.
    case dhParameters = 0x1B

    /// True if the file is readable without the PIN.
    public var isFree: Bool {
      switch self {
      case .servicesNumber, .deviceKey, .servicesKey, .dhParameters: true
      case .documentNumber, .certificate: false
      }
    }

    /// The part of a file that is hashed: a fixed number of characters, or the outer data object.
    ///
    /// - Returns: `nil` if the file is too short.
    func hashedPart(of file: [UInt8]) -> [UInt8]? {
      switch self {
      case .servicesNumber: Self.prefix(12, of: file)
      case .documentNumber: Self.prefix(9, of: file)
      case .certificate, .deviceKey, .servicesKey, .dhParameters: Self.firstObject(of: file)
      }
    }

    private static func prefix(_ length: Int, of file: [UInt8]) -> [UInt8]? {
      file.count >= length ? [UInt8](file.prefix(length)) : nil
    }

    private static func firstObject(of file: [UInt8]) -> [UInt8]? {
      var cursor = TLVCursor(file)
      do throws(TLVError) { return [UInt8](try cursor.next().encoded) } catch { return nil }
    }
  }
}
