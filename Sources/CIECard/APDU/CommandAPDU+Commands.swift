/// All commands that are sent to a card, by name; a body is built by the protocol that uses it.
extension CommandAPDU {
  // MARK: Files and applications

  /// SELECT of the master file in four bytes, 00 A4 00 00, as the desktop middleware does.
  static let selectMasterFile = CommandAPDU(0xA4, 0x00, 0x00)

  /// SELECT of the master file without response data (Doc 9303-11 §4.4.4).
  static let selectMasterFileSilently = CommandAPDU(0xA4, 0x00, 0x0C)

  /// SELECT of the master file by its identifier 3F00 (IAS ECC §9.7.1).
  static let selectMasterFileByIdentifier = CommandAPDU(0xA4, 0x00, 0x0C, data: [0x3F, 0x00])

  /// SELECT of an application by its name, without response data (ISO/IEC 7816-4 §11.2.2, P1 = 04).
  static func select(application identifier: [UInt8]) -> CommandAPDU {
    CommandAPDU(0xA4, 0x04, 0x0C, data: identifier)
  }

  /// SELECT of a file below the current application (ISO/IEC 7816-4 §11.2.2, P1 = 02).
  ///
  /// - Parameter control: P2: 04 asks for file control parameters, 0C for nothing.
  static func select(file identifier: UInt16, control: UInt8) -> CommandAPDU {
    CommandAPDU(
      0xA4, 0x02, control, data: [UInt8(identifier >> 8), UInt8(truncatingIfNeeded: identifier)])
  }

  /// True for READ BINARY, with an even or an odd instruction.
  var readsBinary: Bool { instruction & ~0x01 == 0xB0 }

  /// The most bytes of READ BINARY by IAS ECC §8.6.3.3, which some chips also apply in clear.
  static let iasReadLimit = 0xE7

  /// The largest offset of READ BINARY with an even instruction: 15 bits.
  static let maximumEvenOffset = 0x7FFF

  /// READ BINARY from the current file (ISO/IEC 7816-4 §11.3.3); beyond 32 KiB with the odd instruction, whose offset
  /// and answer are data objects (Doc 9303-10 §3.6.4.2).
  ///
  /// - Parameter length: the bytes of the answer; in the odd form some of them are the object's header.
  static func readBinary(offset: Int, length: Int) -> CommandAPDU {
    guard offset > maximumEvenOffset else {
      return CommandAPDU(
        0xB0, UInt8(truncatingIfNeeded: offset >> 8), UInt8(truncatingIfNeeded: offset),
        expected: .upTo(length))
    }
    var number = [UInt8(truncatingIfNeeded: offset >> 8), UInt8(truncatingIfNeeded: offset)]
    if offset > 0xFFFF { number.insert(UInt8(truncatingIfNeeded: offset >> 16), at: 0) }
    return CommandAPDU(0xB1, 0x00, 0x00, data: TLV.encode(0x54, number), expected: .upTo(length))
  }

  /// READ BINARY from the beginning of a file named by its short identifier, which becomes the current one.
  static func readBinary(shortIdentifier: UInt8, length: Int) -> CommandAPDU {
    CommandAPDU(0xB0, 0x80 | shortIdentifier, 0x00, expected: .upTo(length))
  }

  /// GET DATA of security data objects (ISO/IEC 7816-4 §11.4.3, odd instruction with an extended header list in 4D).
  static func getData(_ headerList: [UInt8], expected: ExpectedLength = .whole) -> CommandAPDU {
    CommandAPDU(0xCB, 0x3F, 0xFF, data: TLV.encode(0x4D, headerList), expected: expected)
  }

  // MARK: Authentication

  /// Templates of MANAGE SECURITY ENVIRONMENT, P1 and P2 (ISO/IEC 7816-4 §11.5.11; IAS ECC §9.9).
  enum Template: UInt16 {
    case authentication = 0x41A4
    /// Password and protocol of PACE (Doc 9303-11 §4.4.4.1).
    case mutualAuthentication = 0xC1A4
    /// The certified key that verifies the terminal.
    case externalAuthentication = 0x81A4
    case keyAgreement = 0x41A6
    /// The key under which certificates are verified.
    case certificateVerification = 0x81B6
  }

  static func setSecurityEnvironment(_ template: Template, _ data: [UInt8]) -> CommandAPDU {
    let parameters = template.rawValue
    return CommandAPDU(
      0x22, UInt8(parameters >> 8), UInt8(truncatingIfNeeded: parameters), data: data)
  }

  /// PERFORM SECURITY OPERATION: VERIFY CERTIFICATE (ISO/IEC 7816-8 §5.3.8).
  static func verifyCertificate(_ certificate: [UInt8]) -> CommandAPDU {
    CommandAPDU(0x2A, 0x00, 0xAE, data: certificate)
  }

  /// GET CHALLENGE (ISO/IEC 7816-4 §11.5.3).
  static func getChallenge(_ length: Int) -> CommandAPDU {
    CommandAPDU(0x84, 0x00, 0x00, expected: .upTo(length))
  }

  /// EXTERNAL AUTHENTICATE (ISO/IEC 7816-4 §11.5.4); mutual if response data are expected.
  static func externalAuthenticate(
    _ data: [UInt8], expected: ExpectedLength = .none
  ) -> CommandAPDU {
    CommandAPDU(0x82, 0x00, 0x00, data: data, expected: expected)
  }

  /// INTERNAL AUTHENTICATE (ISO/IEC 7816-4 §11.5.2).
  static func internalAuthenticate(_ data: [UInt8], expected: ExpectedLength) -> CommandAPDU {
    CommandAPDU(0x88, 0x00, 0x00, data: data, expected: expected)
  }

  /// GENERAL AUTHENTICATE with a dynamic authentication template (ISO/IEC 7816-4 §11.5.5).
  ///
  /// - Parameter moreFollow: sets CLA bit 5, which means that more steps follow; it does not split
  ///   the data.
  static func generalAuthenticate(_ objects: [UInt8], moreFollow: Bool = false) -> CommandAPDU {
    CommandAPDU(
      0x86, 0x00, 0x00, data: TLV.encode(0x7C, objects), expected: .upTo(maximumShortResponse),
      classByte: moreFollow ? chainingBit : 0)
  }

  // MARK: PIN and PUK; the digits are added later, under secure messaging

  /// VERIFY (ISO/IEC 7816-4 §11.5.6).
  ///
  /// - Parameter reference: 81 for the PIN, 82 for the PUK.
  static func verify(_ reference: UInt8) -> CommandAPDU { CommandAPDU(0x20, 0x00, reference) }

  /// CHANGE REFERENCE DATA: the old code and the new one (ISO/IEC 7816-4 §11.5.7, P1 = 00).
  static func changeReferenceData(_ reference: UInt8) -> CommandAPDU {
    CommandAPDU(0x24, 0x00, reference)
  }

  /// RESET RETRY COUNTER with a new code (ISO/IEC 7816-4 §11.5.10, P1 = 02).
  static func resetRetryCounter(_ reference: UInt8) -> CommandAPDU {
    CommandAPDU(0x2C, 0x02, reference)
  }
}
