/// The status word of a response, SW1-SW2 (ISO/IEC 7816-4 §5.6): every one of the 65 536 values has exactly one case.
public enum StatusWord: Hashable, Sendable {
  /// 9000: the command was carried out.
  case success
  /// 61xx: this many response bytes wait for GET RESPONSE; 0 means 256 or more.
  case bytesRemaining(UInt8)
  /// 6282: the end of the file was reached before all the requested bytes.
  case endOfFile
  /// 6283: the selected file is deactivated.
  case fileDeactivated
  /// 6285: the selected file is terminated.
  case fileTerminated
  /// 6300: an authentication failed, without a count.
  case authenticationFailed
  /// 63Cx: wrong reference data, x tries left (0 to 15).
  case triesLeft(UInt8)
  /// 6581: the card's memory failed.
  case memoryFailure
  /// 6700: wrong length.
  case wrongLength
  /// 6882: the card does not support secure messaging for this command.
  case secureMessagingNotSupported
  /// 6883: the last command of the chain was expected.
  case lastOfChainExpected
  /// 6884: the card does not support command chaining.
  case chainingNotSupported
  /// 6981: the command does not fit the file.
  case incompatibleFile
  /// 6982: the security status does not allow it.
  case securityStatusNotSatisfied
  /// 6983: the authentication method is blocked.
  case authenticationBlocked
  /// 6984: the reference data cannot be used.
  case referenceDataNotUsable
  /// 6985: the conditions of use are not satisfied.
  case conditionsNotSatisfied
  /// 6986: there is no current file.
  case noCurrentFile
  /// 6987: an expected secure messaging object is missing.
  case secureMessagingObjectMissing
  /// 6988: a secure messaging object is wrong.
  case secureMessagingObjectIncorrect
  /// 6A80: the data field is wrong.
  case wrongData
  /// 6A81: the function is not supported.
  case functionNotSupported
  /// 6A82: no such file or application.
  case fileNotFound
  /// 6A86: wrong P1-P2.
  case wrongParameters
  /// 6A87: Lc does not fit P1-P2.
  case wrongLengthForParameters
  /// 6A88: no such referenced data.
  case referencedDataNotFound
  /// 6B00: the offset is outside the file.
  case wrongOffset
  /// 6Cxx: the right Le is this one (0 means 256).
  case correctLength(UInt8)
  /// 6D00: unknown instruction.
  case unknownInstruction
  /// 6E00: unknown class.
  case unknownClass
  /// 6F00: no precise diagnosis.
  case noDiagnosis
  /// Any other word.
  case other(UInt16)
}

// Not `RawRepresentable`: its generic `==` compares raw values, and finding the raw value compares cases.
extension StatusWord {
  /// The two bytes as one number, SW1 in the high byte.
  public var rawValue: UInt16 {
    switch self {
    case .bytesRemaining(let count): 0x6100 | UInt16(count)
    case .triesLeft(let tries): 0x63C0 | UInt16(tries & 0x0F)
    case .correctLength(let length): 0x6C00 | UInt16(length)
    case .other(let word): word
    case .success, .endOfFile, .fileDeactivated, .fileTerminated, .authenticationFailed,
      .memoryFailure, .wrongLength, .secureMessagingNotSupported, .lastOfChainExpected,
      .chainingNotSupported, .incompatibleFile, .securityStatusNotSatisfied,
      .authenticationBlocked, .referenceDataNotUsable, .conditionsNotSatisfied, .noCurrentFile,
      .secureMessagingObjectMissing, .secureMessagingObjectIncorrect, .wrongData,
      .functionNotSupported, .fileNotFound, .wrongParameters, .wrongLengthForParameters,
      .referencedDataNotFound, .wrongOffset, .unknownInstruction, .unknownClass, .noDiagnosis:
      Self.fixedWords.first { $0.status == self }?.word ?? 0
    }
  }

  /// The case of a status word; total, so it never fails.
  public init(rawValue word: UInt16) {
    let low = UInt8(truncatingIfNeeded: word)
    switch word & 0xFF00 {
    case 0x6100: self = .bytesRemaining(low)
    case 0x6C00: self = .correctLength(low)
    case 0x6300 where low & 0xF0 == 0xC0: self = .triesLeft(low & 0x0F)
    default: self = Self.fixedWords.first { $0.word == word }?.status ?? .other(word)
    }
  }

  /// The words with exactly one meaning (ISO/IEC 7816-4 tables 5 and 6).
  private static let fixedWords: [(word: UInt16, status: StatusWord)] = [
    (0x9000, .success), (0x6282, .endOfFile), (0x6283, .fileDeactivated),
    (0x6285, .fileTerminated), (0x6300, .authenticationFailed), (0x6581, .memoryFailure),
    (0x6700, .wrongLength), (0x6882, .secureMessagingNotSupported),
    (0x6883, .lastOfChainExpected), (0x6884, .chainingNotSupported),
    (0x6981, .incompatibleFile), (0x6982, .securityStatusNotSatisfied),
    (0x6983, .authenticationBlocked), (0x6984, .referenceDataNotUsable),
    (0x6985, .conditionsNotSatisfied), (0x6986, .noCurrentFile),
    (0x6987, .secureMessagingObjectMissing), (0x6988, .secureMessagingObjectIncorrect),
    (0x6A80, .wrongData), (0x6A81, .functionNotSupported), (0x6A82, .fileNotFound),
    (0x6A86, .wrongParameters), (0x6A87, .wrongLengthForParameters),
    (0x6A88, .referencedDataNotFound), (0x6B00, .wrongOffset), (0x6D00, .unknownInstruction),
    (0x6E00, .unknownClass), (0x6F00, .noDiagnosis),
  ]
}

extension StatusWord {
  /// True if the command was carried out, possibly with a warning: 61xx, 62xx, 9xxx (ISO/IEC 7816-4
  /// §5.6). Not 63xx, which means that a comparison failed.
  var claimsSuccess: Bool {
    switch rawValue >> 8 {
    case 0x61, 0x62, 0x90...0x9F: true
    default: false
    }
  }

  /// True if the answer to READ BINARY has data.
  var givesData: Bool { self == .success || self == .endOfFile }

  /// True for responses that readers and cards have been seen to give to a long command that did
  /// not arrive completely: 6700, and the words for an invalid command.
  var hidesLengthTrouble: Bool {
    switch self {
    case .wrongLength, .noDiagnosis, .unknownClass, .unknownInstruction, .functionNotSupported,
      .wrongLengthForParameters, .correctLength:
      true
    case .success, .bytesRemaining, .endOfFile, .fileDeactivated, .fileTerminated,
      .authenticationFailed, .triesLeft, .memoryFailure, .secureMessagingNotSupported,
      .lastOfChainExpected, .chainingNotSupported, .incompatibleFile,
      .securityStatusNotSatisfied, .authenticationBlocked, .referenceDataNotUsable,
      .conditionsNotSatisfied, .noCurrentFile, .secureMessagingObjectMissing,
      .secureMessagingObjectIncorrect, .wrongData, .fileNotFound, .wrongParameters,
      .referencedDataNotFound, .wrongOffset, .other:
      false
    }
  }

  /// True if a link of a command chain was accepted. Some cards or readers return 61xx, and
  /// fetching the announced data would break the chain (italia/cie-middleware-linux,
  /// cie-pkcs11/CSP/IAS.cpp).
  var endsLink: Bool {
    if case .bytesRemaining = self { return true }
    return self == .success
  }
}

extension StatusWord: CustomStringConvertible {
  /// Four hexadecimal digits.
  public var description: String {
    let digits = String(rawValue, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
