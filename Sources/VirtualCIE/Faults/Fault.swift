internal import CIECard

/// A deliberate fault of a software card.
public enum Fault: Sendable, Equatable {
  case wrongMAC
  /// A protected command is answered without protection.
  case strippedProtection
  /// The response MAC is computed with the counter of the previous response.
  case staleCounter
  /// Only the first bytes of the response are sent; 1 byte is not even a status word.
  case truncatedAnswer(length: Int)
  /// This many bytes before the status word are missing.
  case cutData(count: Int)
  /// This many extra bytes stand before the status word.
  case extraData(count: Int)
  /// The second byte of an answer with data, which is the first length of its TLV, is replaced.
  case falseLength(UInt8)
  /// From now on the card signs a wrong hash in device authentication.
  case wrongAuthenticationSignature
  /// From now on the holder's key signs a wrong text.
  case wrongSignature
  /// From now on a Diffie–Hellman value reveals the secret.
  case trivialDHValue(TrivialDHValue)
  /// From now on PACE ends with a wrong token.
  case wrongToken
  /// From now on a public value of the card in PACE is one that no terminal should accept.
  case paceValue(PACEValue)
  /// From now on the last byte of this data group is changed.
  case tamperedGroup(UInt8)
  /// From now on this file seems to be missing: the card answers with this status word, which ends
  /// the secure channel if it is sent bare.
  case hiddenFile(UInt16, statusWord: UInt16, isBare: Bool)
  case foreignSecurityObject
  /// From now on the card uses another key for its proof than that of DG14 or EF.CardSecurity.
  case wrongChipAuthenticationKey
  /// From now on active authentication signs other data.
  case wrongActiveAuthentication
  /// From now on every answer has this many bytes and 61xx.
  case endless61xx(dataLength: Int)
  /// From now on every answer is 6Cxx, each time with another length.
  case endless6Cxx
  /// The card is removed, until the next reset.
  case cardRemoved
  /// The card stops answering, until the next reset.
  case cardMute
  /// Another program reset the card: the channel reports it once, and the card has lost its
  /// session.
  case cardReset
  /// Another persona's card is on the reader, just powered on, and the reader does not report it.
  case cardSwapped
  case serviceStopped
  case delay(milliseconds: Int)
  /// The command is not executed; this status word is returned, protected as the command was.
  case statusWord(UInt16)
  /// The command is not executed; this status word is returned without protection.
  case bareStatusWord(UInt16)

  /// The trivial Diffie–Hellman values.
  public enum TrivialDHValue: String, Sendable, CaseIterable {
    /// g = 1.
    case generatorOne = "generator-one"
    /// g = p − 1.
    case generatorMinusOne = "generator-minus-one"
    /// K.ICC = 0.
    case cardValueZero = "card-value-zero"
    /// K.ICC = 1.
    case cardValueOne = "card-value-one"
    /// K.ICC = p − 1.
    case cardValueMinusOne = "card-value-minus-one"
  }

  /// Bad public values of PACE.
  public enum PACEValue: String, Sendable, CaseIterable {
    /// The mapping key is the point at infinity, or 1.
    case mappingIdentity = "mapping-identity"
    /// The mapping key is 04 ‖ 0 ‖ 0, or p − 1.
    case mappingMinusOne = "mapping-minus-one"
    /// The mapping key is the terminal's own.
    case mappingReflected = "mapping-reflected"
    /// The mapping key is not on the curve, or the prime itself.
    case mappingOutside = "mapping-outside"
    /// The agreement key is the point at infinity, or 1.
    case agreementIdentity = "agreement-identity"
    /// The agreement key is 04 ‖ 0 ‖ 0, or p − 1.
    case agreementMinusOne = "agreement-minus-one"
    /// The agreement key is the terminal's own, and so is the token.
    case agreementReflected = "agreement-reflected"
    /// The agreement key is not on the curve, or the prime itself.
    case agreementOutside = "agreement-outside"

    enum Flaw {
      case identity
      case minusOne
      case reflected
      case outside
    }

    var flaw: Flaw {
      switch self {
      case .mappingIdentity, .agreementIdentity: .identity
      case .mappingMinusOne, .agreementMinusOne: .minusOne
      case .mappingReflected, .agreementReflected: .reflected
      case .mappingOutside, .agreementOutside: .outside
      }
    }

    var isOfMapping: Bool {
      switch self {
      case .mappingIdentity, .mappingMinusOne, .mappingReflected, .mappingOutside: true
      case .agreementIdentity, .agreementMinusOne, .agreementReflected, .agreementOutside: false
      }
    }
  }

  /// True if it continues after the command at which it began.
  var isLasting: Bool {
    switch self {
    case .wrongAuthenticationSignature, .wrongSignature, .trivialDHValue, .wrongToken, .paceValue,
      .tamperedGroup, .hiddenFile, .foreignSecurityObject, .wrongChipAuthenticationKey,
      .wrongActiveAuthentication, .endless61xx, .endless6Cxx, .cardRemoved, .cardMute,
      .serviceStopped:
      true
    case .wrongMAC, .strippedProtection, .staleCounter, .truncatedAnswer, .cutData, .extraData,
      .falseLength, .cardReset, .cardSwapped, .delay, .statusWord, .bareStatusWord:
      false
    }
  }
}

extension AgreementGroup {
  /// A public value that no terminal should accept.
  func value(_ flaw: Fault.PACEValue.Flaw, terminal: [UInt8], own: [UInt8]) -> [UInt8] {
    switch (flaw, self) {
    case (.reflected, _): terminal
    case (.identity, .field(let field)): field.one
    case (.identity, .curve): [0x00]  // the point at infinity (BSI TR-03111 §3.2)
    case (.minusOne, .field(let field)): field.minusOne
    case (.minusOne, .curve(let curve)):
      [0x04] + [UInt8](repeating: 0, count: 2 * curve.fieldLength)
    case (.outside, .field(let field)): field.prime
    case (.outside, .curve): own.dropLast() + own.suffix(1).map { $0 ^ 1 }
    }
  }

  /// The common value resulting from such a public value, as far as the card can know it.
  func commonValue(_ flaw: Fault.PACEValue.Flaw) -> [UInt8]? {
    switch (flaw, self) {
    case (.identity, .field(let field)), (.minusOne, .field(let field)): field.one
    case (.identity, .curve(let curve)), (.minusOne, .curve(let curve)):
      [0x04] + [UInt8](repeating: 0, count: 2 * curve.fieldLength)
    case (.reflected, _), (.outside, _): nil
    }
  }
}
